#include "quantile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace featrank {
namespace {

// A column's values in ascending order, each with the weight of all values up to it.
struct Sorted {
    std::vector<std::pair<double, double>> items;

    void fill(const std::vector<double>& column, const double* weights) {
        items.clear();
        for (std::size_t r = 0; r < column.size(); ++r)
            items.emplace_back(column[r], weights ? weights[r] : 1.0);
        std::sort(items.begin(), items.end());
        double total = 0;
        for (auto& item : items) item.second = total += item.second;
    }
    double low() const { return items.front().first; }
    double high() const { return items.back().first; }

    // The order statistic at a position counted from 0, in units of weight.
    double at(double position) const {
        const auto found = std::partition_point(
            items.begin(), items.end(), [&](const auto& item) { return item.second <= position; });
        return found == items.end() ? high() : found->first;
    }
    double quantile(double fraction) const {
        const double position = fraction * (items.back().second - 1), below = std::floor(position);
        const double part = position - below, first = at(below), second = at(below + 1);
        // From the nearer end, so that the result is monotone and exact at both ends.
        return part < 0.5 ? first + (second - first) * part : second - (second - first) * (1 - part);
    }
};

// The inner edges: a value's bin is how many of them are not above it.
void inner_edges(const Sorted& sorted, bool whole, std::int32_t most, std::vector<double>& edges) {
    edges.clear();
    const double low = sorted.low(), high = sorted.high();
    if (whole && high - low < most) {
        for (std::int32_t k = 1; k <= high - low; ++k) edges.push_back(low + k);
        return;
    }
    for (std::int32_t k = 1; k < most; ++k) {
        const double edge = sorted.quantile(double(k) / most);
        if (edge > (edges.empty() ? low : edges.back()) && edge < high) edges.push_back(edge);
    }
}

// Calls work(column, values in class order, inner edges) for each column.
template <class T, class Work>
void each_column(const Matrix<T>& X, const Classes& classes, const std::uint8_t* whole,
                 std::int32_t most, const Work& work) {
    std::vector<double> column(X.rows), edges;
    Sorted sorted;
    for (std::size_t j = 0; j < X.columns; ++j) {
        for (std::size_t r = 0; r < X.rows; ++r)
            column[r] = X.data[classes.order[r] * X.row_stride +
                               std::ptrdiff_t(j) * X.column_stride];
        sorted.fill(column, classes.weights);
        inner_edges(sorted, whole[j], most, edges);
        work(j, column, edges);
    }
}

using Values = std::vector<double>;

std::ptrdiff_t bin_of(double value, const Values& edges) {
    return std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
}

}  // namespace

template <class T, class Count>
void quantile_histogram(const Matrix<T>& X, const Classes& classes, const std::uint8_t* whole,
                        std::int32_t most, Count* counts) {
    each_column(X, classes, whole, most,
                [&](std::size_t j, const Values& column, const Values& edges) {
        for (std::size_t c = 0; c < classes.count; ++c) {
            Count* target = counts + (j * classes.count + c) * most;
            for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r)
                target[bin_of(column[r], edges)] +=
                    Count(classes.weights ? classes.weights[r] : 1.0);
        }
    });
}

template <class T>
void quantile_codes(const Matrix<T>& X, const Classes& classes, const std::uint8_t* whole,
                    std::int32_t most, std::uint8_t* codes, std::int32_t* number) {
    each_column(X, classes, whole, most,
                [&](std::size_t j, const Values& column, const Values& edges) {
        number[j] = std::int32_t(edges.size()) + 1;
        for (std::size_t r = 0; r < X.rows; ++r)
            codes[j * X.rows + r] = std::uint8_t(bin_of(column[r], edges));
    });
}

#define FEATRANK_INSTANTIATE_COUNTS(T, Count)                                         \
    template void quantile_histogram(const Matrix<T>&, const Classes&,                \
                                     const std::uint8_t*, std::int32_t, Count*);
#define FEATRANK_INSTANTIATE(T)                                                       \
    FEATRANK_INSTANTIATE_COUNTS(T, std::int32_t)                                      \
    FEATRANK_INSTANTIATE_COUNTS(T, double)                                            \
    template void quantile_codes(const Matrix<T>&, const Classes&,                    \
                                 const std::uint8_t*, std::int32_t, std::uint8_t*,    \
                                 std::int32_t*);
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace featrank

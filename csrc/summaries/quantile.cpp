#include "summaries/quantile.hpp"
#include "common/signals.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace featrank {
namespace {

// A column's distinct values in ascending order, each with the weight of all rows up to it.
struct Sorted {
    std::vector<std::pair<double, double>> items;
    double tolerance = 0;  // what rounding can do to a sum of weights; nothing where they are whole

    void fill(const std::vector<double>& column, const double* weights) {
        items.clear();
        for (std::size_t r = 0; r < column.size(); ++r)
            if (!std::isnan(column[r]))  // else it is missing
                items.emplace_back(column[r], weights ? weights[r] : 1.0);
        sort();
    }
    void sort() {
        bool whole = true;
        for (const auto& item : items) whole = whole && item.second == std::floor(item.second);
        const double count = double(items.size());
        std::sort(items.begin(), items.end());
        accumulate();
        tolerance = whole ? 0 : PRECISION<double> * count * total();
    }
    void accumulate() {
        std::size_t kept = 0;
        double sum = 0;
        for (const auto& item : items) {
            sum += item.second;
            kept += kept == 0 || items[kept - 1].first < item.first;
            items[kept - 1] = {item.first, sum};
        }
        items.resize(kept);
    }
    double low() const { return items.front().first; }
    double high() const { return items.back().first; }
    double total() const { return items.back().second; }

    // The order statistic at a position counted from 0, in units of weight.
    double at(double position) const {
        const auto found = std::partition_point(items.begin(), items.end(), [&](const auto& item) {
            return item.second <= position + tolerance;
        });
        return found == items.end() ? high() : found->first;
    }
};

// The order statistics next to the quantile k / most; the same one twice where it is the quantile.
std::pair<double, double> around(const Sorted& sorted, std::int32_t k, std::int32_t most) {
    const double position = k * (sorted.total() - 1);  // of most; rest and below are exact
    double rest = std::fmod(position, most), below = (position - rest) / most;
    if (most - rest <= sorted.tolerance) {
        rest = 0;
        below += 1;
    }
    const double lower = sorted.at(below);
    return {lower, rest > sorted.tolerance ? sorted.at(below + 1) : lower};
}

// The inner edges: a value's bin is how many of them are not above it. A quantile between two
// order statistics stands for the upper one, as the same values lie above both. So the bins
// depend on the order of the values alone.
void inner_edges(const Sorted& sorted, std::int32_t most, std::vector<double>& edges) {
    if (sorted.items.size() <= std::size_t(most)) {
        for (std::size_t i = 1; i < sorted.items.size(); ++i)
            edges.push_back(sorted.items[i].first);
        return;
    }
    for (std::int32_t k = 1; k < most; ++k) {
        const auto [lower, upper] = around(sorted, k, most);
        const bool inside = lower < upper || upper < sorted.high();
        if (inside && upper > (edges.empty() ? sorted.low() : edges.back())) edges.push_back(upper);
    }
}

// Calls work(column, values in class order, inner edges) for each column.
template <class T, class Work>
void each_column(const Matrix<T>& X, const Classes& classes, std::int32_t most, const Work& work) {
    std::vector<double> column(X.rows), edges;
    Sorted sorted;
    for (std::size_t j = 0; j < X.columns; ++j) {
        look_for_signals(X.rows);
        for (std::size_t r = 0; r < X.rows; ++r)
            column[r] =
                X.data[classes.order[r] * X.row_stride + std::ptrdiff_t(j) * X.column_stride];
        sorted.fill(column, classes.weights);
        edges.clear();
        if (!sorted.items.empty()) inner_edges(sorted, most, edges);
        work(j, column, edges);
    }
}

using Values = std::vector<double>;

std::ptrdiff_t bin_of(double value, const Values& edges) {
    return std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
}

}  // namespace

void quantile_edges(std::vector<std::pair<double, double>>& items, std::int32_t most,
                    std::vector<double>& edges) {
    Sorted sorted;
    sorted.items.swap(items);
    sorted.sort();
    edges.clear();
    if (!sorted.items.empty()) inner_edges(sorted, most, edges);
    items.swap(sorted.items);
}

template <class T, class Count>
void quantile_histogram(const Matrix<T>& X, const Classes& classes, std::int32_t most,
                        Count* counts) {
    each_column(X, classes, most, [&](std::size_t j, const Values& column, const Values& edges) {
        for (std::size_t c = 0; c < classes.count; ++c) {
            Count* target = counts + (j * classes.count + c) * most;
            for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r)
                if (!std::isnan(column[r]))
                    target[bin_of(column[r], edges)] += Count(classes.weights ? classes.weights[r]
                                                                              : 1.0);
        }
    });
}

template <class T>
void quantile_codes(const Matrix<T>& X, const Classes& classes, std::int32_t most,
                    std::uint8_t* codes, std::int32_t* number) {
    each_column(X, classes, most, [&](std::size_t j, const Values& column, const Values& edges) {
        number[j] = std::int32_t(edges.size()) + 1;
        for (std::size_t r = 0; r < X.rows; ++r)
            codes[j * X.rows + r] = std::uint8_t(bin_of(column[r], edges));
    });
}

#define FEATRANK_INSTANTIATE_COUNTS(T, Count) \
    template void quantile_histogram(const Matrix<T>&, const Classes&, std::int32_t, Count*);
#define FEATRANK_INSTANTIATE(T)                                                                 \
    FEATRANK_INSTANTIATE_COUNTS(T, std::int32_t)                                                \
    FEATRANK_INSTANTIATE_COUNTS(T, double)                                                      \
    template void quantile_codes(const Matrix<T>&, const Classes&, std::int32_t, std::uint8_t*, \
                                 std::int32_t*);
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace featrank

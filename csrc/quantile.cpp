#include "quantile.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace featrank {
namespace {

double quantile(const std::vector<double>& sorted, double fraction) {
    const double position = fraction * double(sorted.size() - 1);
    const std::size_t below = std::size_t(position);
    if (below + 1 >= sorted.size()) return sorted.back();
    const double part = position - double(below), gap = sorted[below + 1] - sorted[below];
    // From the nearer end, so that the result is monotone and exact at both ends.
    return part < 0.5 ? sorted[below] + gap * part : sorted[below + 1] - gap * (1 - part);
}

// The inner edges: a value's bin is how many of them are not above it.
void inner_edges(const std::vector<double>& sorted, bool whole, std::int32_t most,
                 std::vector<double>& edges) {
    edges.clear();
    const double low = sorted.front(), high = sorted.back();
    if (whole && high - low < most) {
        for (double edge = low + 1; edge <= high; ++edge) edges.push_back(edge);
        return;
    }
    for (std::int32_t k = 1; k < most; ++k) {
        const double edge = quantile(sorted, double(k) / most);
        if (edge > (edges.empty() ? low : edges.back()) && edge < high) edges.push_back(edge);
    }
}

// Calls work(column, values in class order, inner edges) for each column.
template <class T, class Work>
void each_column(const Matrix<T>& X, const Classes& classes, const std::uint8_t* whole,
                 std::int32_t most, const Work& work) {
    std::vector<double> column(X.rows), sorted, edges;
    for (std::size_t j = 0; j < X.columns; ++j) {
        for (std::size_t r = 0; r < X.rows; ++r)
            column[r] = X.data[classes.order[r] * X.row_stride +
                               std::ptrdiff_t(j) * X.column_stride];
        sorted = column;
        std::sort(sorted.begin(), sorted.end());
        inner_edges(sorted, whole[j], most, edges);
        work(j, column, edges);
    }
}

std::ptrdiff_t bin_of(double value, const std::vector<double>& edges) {
    return std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
}

}  // namespace

using Values = std::vector<double>;

template <class T>
void quantile_histogram(const Matrix<T>& X, const Classes& classes, const std::uint8_t* whole,
                        std::int32_t most, std::int32_t* counts) {
    each_column(X, classes, whole, most,
                [&](std::size_t j, const Values& column, const Values& edges) {
        for (std::size_t c = 0; c < classes.count; ++c) {
            std::int32_t* target = counts + (j * classes.count + c) * most;
            for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r)
                ++target[bin_of(column[r], edges)];
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

#define FEATRANK_INSTANTIATE(T)                                                              \
    template void quantile_histogram<T>(const Matrix<T>&, const Classes&,                    \
                                        const std::uint8_t*, std::int32_t, std::int32_t*);   \
    template void quantile_codes<T>(const Matrix<T>&, const Classes&, const std::uint8_t*,   \
                                    std::int32_t, std::uint8_t*, std::int32_t*);
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace featrank

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

}  // namespace

template <class T>
void quantile_histogram(const Matrix<T>& X, const Classes& classes, const std::uint8_t* whole,
                        std::int32_t most, std::int32_t* counts) {
    std::vector<double> column(X.rows), sorted, edges;
    for (std::size_t j = 0; j < X.columns; ++j) {
        for (std::size_t r = 0; r < X.rows; ++r)
            column[r] = X.data[classes.order[r] * X.row_stride +
                               std::ptrdiff_t(j) * X.column_stride];
        sorted = column;
        std::sort(sorted.begin(), sorted.end());
        inner_edges(sorted, whole[j], most, edges);
        for (std::size_t c = 0; c < classes.count; ++c) {
            std::int32_t* target = counts + (j * classes.count + c) * most;
            for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r)
                ++target[std::upper_bound(edges.begin(), edges.end(), column[r]) - edges.begin()];
        }
    }
}

template void quantile_histogram<float>(const Matrix<float>&, const Classes&,
                                        const std::uint8_t*, std::int32_t, std::int32_t*);
template void quantile_histogram<double>(const Matrix<double>&, const Classes&,
                                         const std::uint8_t*, std::int32_t, std::int32_t*);

}  // namespace featrank

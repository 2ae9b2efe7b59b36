#include "summaries/quantile.hpp"

#include <algorithm>
#include <cmath>

#include "common/signals.hpp"

namespace featrank {

void CumulativeWeights::accumulate() {
    bool whole = true;
    for (const auto& item : items) whole = whole && item.second == std::floor(item.second);
    const double count = double(items.size());
    std::sort(items.begin(), items.end());
    std::size_t kept = 0;
    double sum = 0;
    for (const auto& item : items) {
        sum += item.second;
        kept += kept == 0 || items[kept - 1].first < item.first;
        items[kept - 1] = {item.first, sum};
    }
    items.resize(kept);
    slack = whole || items.empty() ? 0 : PRECISION<double> * count * total();
}

double CumulativeWeights::at(double position) const {
    const auto found = std::partition_point(items.begin(), items.end(), [&](const auto& item) {
        return item.second <= position + slack;
    });
    return found == items.end() ? high() : found->first;
}

namespace {

// The order statistics next to the quantile k / most; the same one twice where it is the quantile.
std::pair<double, double> around(const CumulativeWeights& column, std::int32_t k,
                                 std::int32_t most) {
    const double position = k * (column.total() - 1);  // times `most`; rest and below are exact
    double rest = std::fmod(position, most), below = (position - rest) / most;
    if (most - rest <= column.slack) {
        rest = 0;
        below += 1;
    }
    const double lower = column.at(below);
    return {lower, rest > column.slack ? column.at(below + 1) : lower};
}

}  // namespace

// A quantile between two order statistics is replaced by the upper one, as the same values lie
// above both. The bins therefore depend on the order of the values alone.
void CumulativeWeights::inner_edges(std::int32_t most, std::vector<double>& edges) const {
    edges.clear();
    if (items.size() <= std::size_t(most)) {
        for (std::size_t i = 1; i < items.size(); ++i) edges.push_back(items[i].first);
        return;
    }
    for (std::int32_t k = 1; k < most; ++k) {
        const auto [lower, upper] = around(*this, k, most);
        const bool inside = lower < upper || upper < high();
        if (inside && upper > (edges.empty() ? low() : edges.back())) edges.push_back(upper);
    }
}

void quantile_edges(std::vector<std::pair<double, double>>& items, std::int32_t most,
                    std::vector<double>& edges) {
    CumulativeWeights column;
    column.items.swap(items);
    column.accumulate();
    column.inner_edges(most, edges);
    items.swap(column.items);
}

namespace {

using Values = std::vector<double>;

// Calls work(column, values in class order, inner edges) for each column.
template <class T, class Work>
void each_column(const Matrix<T>& X, const Classes& classes, std::int32_t most, const Work& work) {
    Values values(X.rows), edges;
    CumulativeWeights column;
    for (std::size_t j = 0; j < X.columns; ++j) {
        look_for_signals(X.rows);
        for (std::size_t r = 0; r < X.rows; ++r)
            values[r] =
                X.data[classes.order[r] * X.row_stride + std::ptrdiff_t(j) * X.column_stride];
        column.items.clear();
        for (std::size_t r = 0; r < X.rows; ++r)
            if (!std::isnan(values[r]))
                column.items.emplace_back(values[r], classes.weights ? classes.weights[r] : 1.0);
        column.accumulate();
        column.inner_edges(most, edges);
        work(j, values, edges);
    }
}

}  // namespace

template <class T, class Count>
void quantile_histogram(const Matrix<T>& X, const Classes& classes, std::int32_t most,
                        Count* counts) {
    each_column(X, classes, most, [&](std::size_t j, const Values& column, const Values& edges) {
        for (std::size_t c = 0; c < classes.count; ++c) {
            Count* target = counts + (j * classes.count + c) * most;
            for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r)
                if (!std::isnan(column[r]))
                    target[quantile_bin(column[r], edges)] +=
                        Count(classes.weights ? classes.weights[r] : 1.0);
        }
    });
}

template <class T>
void quantile_codes(const Matrix<T>& X, const Classes& classes, std::int32_t most,
                    std::uint8_t* codes, std::int32_t* number) {
    each_column(X, classes, most, [&](std::size_t j, const Values& column, const Values& edges) {
        number[j] = std::int32_t(edges.size()) + 1;
        for (std::size_t r = 0; r < X.rows; ++r)
            codes[j * X.rows + r] = std::uint8_t(quantile_bin(column[r], edges));
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

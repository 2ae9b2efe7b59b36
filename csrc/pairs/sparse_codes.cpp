#include "pairs/sparse_codes.hpp"
#include "common/signals.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace featrank {
namespace {

// A column's distinct values in ascending order, each with the number of rows up to it.
using Ranked = std::vector<std::pair<double, std::int64_t>>;

void add(Ranked& ranked, double value, std::int64_t rows) {
    if (ranked.empty() || ranked.back().first < value)
        ranked.emplace_back(value, ranked.empty() ? 0 : ranked.back().second);
    ranked.back().second += rows;
}

// `values` are sorted; all zeros come at once, so that their number costs nothing.
void rank(const std::vector<double>& values, std::int64_t rows, Ranked& ranked) {
    const auto low = std::lower_bound(values.begin(), values.end(), 0.0);
    const auto high = std::upper_bound(low, values.end(), 0.0);
    const std::int64_t zeros = rows - (values.end() - high) - (low - values.begin());
    ranked.clear();
    for (auto value = values.begin(); value < low; ++value) add(ranked, *value, 1);
    if (zeros > 0) add(ranked, 0.0, zeros);
    for (auto value = high; value < values.end(); ++value) add(ranked, *value, 1);
}

// The order statistic at a position counted from 0.
double at(const Ranked& ranked, std::int64_t position) {
    const auto found = std::partition_point(
        ranked.begin(), ranked.end(), [&](const auto& item) { return item.second <= position; });
    return found->first;
}

// The inner edges of bins of about equal content, as quantile.cpp makes them of a dense column
// without weights: the upper one of the order statistics next to each quantile k / most.
void inner_edges(const Ranked& ranked, std::int32_t most, std::vector<double>& edges) {
    edges.clear();
    if (ranked.size() <= std::size_t(most)) {
        for (std::size_t i = 1; i < ranked.size(); ++i) edges.push_back(ranked[i].first);
        return;
    }
    const double low = ranked.front().first, high = ranked.back().first;
    for (std::int32_t k = 1; k < most; ++k) {
        const std::int64_t position = k * (ranked.back().second - 1), below = position / most;
        const double lower = at(ranked, below);
        const double upper = position % most ? at(ranked, below + 1) : lower;
        const bool inside = lower < upper || upper < high;
        if (inside && upper > (edges.empty() ? low : edges.back())) edges.push_back(upper);
    }
}

std::uint8_t bin_of(double value, const std::vector<double>& edges) {
    return std::uint8_t(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
}

}  // namespace

template <class T>
void stored_quantile_codes(const StoredColumns<T>& X, std::int32_t most, const StoredCodes& to,
                           std::int32_t* number) {
    std::vector<double> values, edges;
    Ranked ranked;
    for (std::size_t j = 0; j < X.columns; ++j) {
        look_for_signals(std::size_t(X.begin[j + 1] - X.begin[j]));
        values.assign(X.values + X.begin[j], X.values + X.begin[j + 1]);
        std::sort(values.begin(), values.end());
        rank(values, X.rows, ranked);
        inner_edges(ranked, most, edges);
        number[j] = std::int32_t(edges.size()) + 1;
        to.zero[j] = bin_of(0, edges);
        to.kept[j] = 0;
        for (std::int64_t e = X.begin[j]; e < X.begin[j + 1]; ++e) {
            to.code[e] = bin_of(X.values[e], edges);
            to.kept[j] += to.code[e] != to.zero[j];
        }
    }
}

template void stored_quantile_codes<float>(const StoredColumns<float>&, std::int32_t,
                                           const StoredCodes&, std::int32_t*);
template void stored_quantile_codes<double>(const StoredColumns<double>&, std::int32_t,
                                            const StoredCodes&, std::int32_t*);

void keep_codes(const std::int64_t* begin, std::size_t columns, const std::uint32_t* row,
                const StoredCodes& from, std::uint32_t* kept_row, std::uint8_t* kept_code) {
    for (std::size_t j = 0; j < columns; ++j)
        for (std::int64_t e = begin[j]; e < begin[j + 1]; ++e)
            if (from.code[e] != from.zero[j]) {
                *kept_row++ = row[e];
                *kept_code++ = from.code[e];
            }
}

}  // namespace featrank

#include "pairs/sparse_codes.hpp"

#include <algorithm>
#include <vector>

#include "common/signals.hpp"
#include "summaries/quantile.hpp"

namespace featrank {
namespace {

using Iterator = std::vector<double>::const_iterator;

// Appends sorted values, equal ones together.
void append_runs(Iterator first, Iterator last, CumulativeWeights& column) {
    while (first < last) {
        const Iterator begin = first;
        while (first < last && *first == *begin) ++first;
        column.append(*begin, double(first - begin));
    }
}

// `values` are sorted. All zeros come at once, so that their number costs nothing.
void accumulate(const std::vector<double>& values, std::size_t rows, CumulativeWeights& column) {
    const auto low = std::lower_bound(values.begin(), values.end(), 0.0);
    const auto high = std::upper_bound(low, values.end(), 0.0);
    const std::ptrdiff_t others = (values.end() - high) + (low - values.begin());
    column.items.clear();
    append_runs(values.begin(), low, column);
    if (others < std::ptrdiff_t(rows)) column.append(0.0, double(rows - std::size_t(others)));
    append_runs(high, values.end(), column);
}

std::uint8_t bin_of(double value, const std::vector<double>& edges) {
    return std::uint8_t(quantile_bin(value, edges));
}

}  // namespace

template <class T>
void stored_quantile_codes(const StoredColumns<T>& X, std::int32_t most, const StoredCodes& to,
                           std::int32_t* number) {
    std::vector<double> values, edges;
    CumulativeWeights column;
    for (std::size_t j = 0; j < X.columns; ++j) {
        look_for_signals(std::size_t(X.begin[j + 1] - X.begin[j]));
        values.assign(X.values + X.begin[j], X.values + X.begin[j + 1]);
        std::sort(values.begin(), values.end());
        accumulate(values, X.rows, column);
        column.inner_edges(most, edges);
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

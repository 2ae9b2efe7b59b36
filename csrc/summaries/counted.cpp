#include "summaries/counted.hpp"

#include "common/signals.hpp"
#include "summaries/column_sums.hpp"
#include "summaries/quantile.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace featrank {
namespace {

// Calls work(class, place among the values, count) for what occurs in column j and is a number.
template <class Count, class Work>
void each_value(const ValueCounts<Count>& X, std::size_t j, const Work& work) {
    look_for_signals(X.classes * X.number);
    const Count* counts = X.counts + j * X.classes * X.number;
    for (std::size_t c = 0; c < X.classes; ++c, counts += X.number)
        for (std::size_t k = 0; k < X.number; ++k)
            if (counts[k] > 0 && !std::isnan(X.values[k])) work(c, k, counts[k]);
}

// Adds the counts of column j to those of each value's bin.
template <class Count>
void add_to_bins(const ValueCounts<Count>& X, std::size_t j,
                 const std::vector<std::size_t>& bin_of_value, std::size_t most, Count* counts) {
    each_value(X, j, [&](std::size_t c, std::size_t k, Count count) {
        counts[c * most + bin_of_value[k]] += count;
    });
}

}  // namespace

template <class Count>
void counted_ranges(const ValueCounts<Count>& X, const Ranges& out) {
    std::vector<Extremes> classes;
    for (std::size_t j = 0; j < X.columns; ++j) {
        classes.assign(X.classes, Extremes());
        bool whole = true;
        each_value(X, j, [&](std::size_t c, std::size_t k, Count count) {
            classes[c].accumulate(X.values[k], double(count));
            whole = whole && is_whole(X.values[k]);
        });
        out.whole[j] = whole;
        for (std::size_t c = 0; c < X.classes; ++c) classes[c].store(out, c * X.columns + j);
    }
}

template <class Count>
void counted_sums(const ValueCounts<Count>& X, const Ranges& ranges, const UnitSums& out) {
    ColumnSums column(X.classes);
    for (std::size_t j = 0; j < X.columns; ++j) {
        column.start(ranges, X.columns, j);
        each_value(X, j, [&](std::size_t c, std::size_t k, Count count) {
            column.accumulate(c, X.values[k], count);
        });
        column.store(out, X.columns, j);
    }
}

template <class Count>
void counted_histogram(const ValueCounts<Count>& X, const Bins& bins, Count* counts) {
    std::vector<std::size_t> own(X.number);
    for (std::size_t j = 0; j < X.columns; ++j, counts += X.classes * bins.most) {
        for (std::size_t k = 0; k < X.number; ++k)
            own[k] = std::size_t(bin_of(X.values[k], bins.low[j], bins.step[j], bins.count[j]));
        add_to_bins(X, j, own, std::size_t(bins.most), counts);
    }
}

template <class Count>
void counted_quantile_histogram(const ValueCounts<Count>& X, std::int32_t most, Count* counts) {
    std::vector<std::size_t> own(X.number);
    std::vector<double> edges;
    std::vector<std::pair<double, double>> items;
    for (std::size_t j = 0; j < X.columns; ++j, counts += X.classes * most) {
        items.clear();
        each_value(X, j, [&](std::size_t, std::size_t k, Count count) {
            items.emplace_back(X.values[k], double(count));
        });
        quantile_edges(items, most, edges);
        for (std::size_t k = 0; k < X.number; ++k) own[k] = place(edges, X.values[k]);
        add_to_bins(X, j, own, std::size_t(most), counts);
    }
}

#define FEATRANK_INSTANTIATE(Count)                                                        \
    template void counted_ranges(const ValueCounts<Count>&, const Ranges&);                \
    template void counted_sums(const ValueCounts<Count>&, const Ranges&, const UnitSums&); \
    template void counted_histogram(const ValueCounts<Count>&, const Bins&, Count*);       \
    template void counted_quantile_histogram(const ValueCounts<Count>&, std::int32_t, Count*);
FEATRANK_INSTANTIATE(std::int32_t)
FEATRANK_INSTANTIATE(std::int64_t)

}  // namespace featrank

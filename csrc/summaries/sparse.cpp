#include "summaries/sparse.hpp"

#include "common/signals.hpp"
#include "summaries/column_sums.hpp"
#include "summaries/quantile.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace featrank {
namespace {

double weight_of(const RowLabels& rows, std::size_t row) {
    return rows.weights ? rows.weights[row] : 1;
}

// Calls work(class, value, weight) for the stored entries that take part, missing ones among them,
// and gathers in `zeros` what each class has besides.
template <class T, class I, class Work>
void each_entry(const Columns<T, I>& X, const RowLabels& rows, std::size_t j,
                std::vector<double>& zeros, const Work& work) {
    look_for_signals(std::size_t(X.starts[j + 1] - X.starts[j]) + rows.classes);
    zeros.assign(rows.sizes, rows.sizes + rows.classes);
    for (std::int64_t e = X.starts[j]; e < X.starts[j + 1]; ++e) {
        const std::int32_t c = rows.codes[X.rows[e]];
        const double weight = weight_of(rows, X.rows[e]);
        if (std::uint32_t(c) >= rows.classes || !(weight > 0)) continue;
        zeros[c] -= weight;
        work(c, double(X.values[e]), weight);
    }
}

}  // namespace

template <class T, class I>
void sparse_ranges(const Columns<T, I>& X, const RowLabels& rows, const Ranges& out) {
    std::vector<double> zeros;
    std::vector<Extremes> classes;
    for (std::size_t j = 0; j < X.count; ++j) {
        classes.assign(rows.classes, Extremes());
        bool whole = true;
        each_entry(X, rows, j, zeros, [&](std::size_t c, double value, double weight) {
            if (std::isnan(value)) return;
            classes[c].accumulate(value, weight);
            whole = whole && is_whole(value);
        });
        out.whole[j] = whole;
        for (std::size_t c = 0; c < rows.classes; ++c) {
            if (zeros[c] > 0) classes[c].accumulate(0, zeros[c]);
            classes[c].store(out, c * X.count + j);
        }
    }
}

template <class T, class I>
void sparse_sums(const Columns<T, I>& X, const RowLabels& rows, const Ranges& ranges,
                 const UnitSums& out) {
    std::vector<double> zeros;
    ColumnSums column(rows.classes);
    for (std::size_t j = 0; j < X.count; ++j) {
        column.start(ranges, X.count, j);
        const auto accumulate = [&](std::size_t c, double value, double weight) {
            column.accumulate(c, value,
                              std::int64_t(rows.weights ? weight / rows.weight_unit : weight));
        };
        each_entry(X, rows, j, zeros, accumulate);
        for (std::size_t c = 0; c < rows.classes; ++c) accumulate(c, 0, zeros[c]);
        column.store(out, X.count, j);
    }
}

template <class T, class I>
void sparse_products(const Columns<T, I>& X, const double* factors, const Origins& origins,
                     double* sums) {
    for (std::size_t j = 0; j < X.count; ++j) {
        look_for_signals(std::size_t(X.starts[j + 1] - X.starts[j]));
        const double anchor = product_anchor(origins.reach[j]);
        Total total = 0;
        for (std::int64_t e = X.starts[j]; e < X.starts[j + 1]; ++e) {
            const double factor = factors[X.rows[e]];
            if (factor != 0) total += units((X.values[e] - origins.centre[j]) * factor, anchor);
        }
        sums[j] = rounded(total) * unit_of(anchor);
    }
}

template <class T, class I, class Count>
void sparse_histogram(const Columns<T, I>& X, const RowLabels& rows, const Bins& bins,
                      Count* counts) {
    std::vector<double> zeros;
    for (std::size_t j = 0; j < X.count; ++j, counts += rows.classes * bins.most) {
        const auto accumulate = [&](std::size_t c, double value, double weight) {
            if (std::isnan(value)) return;
            const std::int32_t bin = bin_of(value, bins.low[j], bins.step[j], bins.count[j]);
            counts[c * bins.most + bin] += Count(weight);
        };
        each_entry(X, rows, j, zeros, accumulate);
        for (std::size_t c = 0; c < rows.classes; ++c) accumulate(c, 0, zeros[c]);
    }
}

template <class T, class I, class Count>
void sparse_quantile_histogram(const Columns<T, I>& X, const RowLabels& rows, std::int32_t most,
                               Count* counts) {
    std::vector<double> zeros, edges;
    std::vector<std::pair<double, double>> items;
    for (std::size_t j = 0; j < X.count; ++j, counts += rows.classes * most) {
        items.clear();
        each_entry(X, rows, j, zeros, [&](std::size_t, double value, double weight) {
            if (!std::isnan(value)) items.emplace_back(value, weight);
        });
        double remaining = 0;
        for (double part : zeros) remaining += part;
        if (remaining > 0) items.emplace_back(0.0, remaining);
        quantile_edges(items, most, edges);
        const auto accumulate = [&](std::size_t c, double value, double weight) {
            if (!std::isnan(value)) counts[c * most + place(edges, value)] += Count(weight);
        };
        each_entry(X, rows, j, zeros, accumulate);
        for (std::size_t c = 0; c < rows.classes; ++c) accumulate(c, 0, zeros[c]);
    }
}

#define FEATRANK_INSTANTIATE_COUNTS(T, I, Count)                                                  \
    template void sparse_histogram(const Columns<T, I>&, const RowLabels&, const Bins&, Count*);  \
    template void sparse_quantile_histogram(const Columns<T, I>&, const RowLabels&, std::int32_t, \
                                            Count*);
#define FEATRANK_INSTANTIATE(T, I)                                                               \
    template void sparse_ranges(const Columns<T, I>&, const RowLabels&, const Ranges&);          \
    template void sparse_sums(const Columns<T, I>&, const RowLabels&, const Ranges&,             \
                              const UnitSums&);                                                  \
    template void sparse_products(const Columns<T, I>&, const double*, const Origins&, double*); \
    FEATRANK_INSTANTIATE_COUNTS(T, I, std::int32_t)                                              \
    FEATRANK_INSTANTIATE_COUNTS(T, I, double)
FEATRANK_INSTANTIATE(float, std::int32_t)
FEATRANK_INSTANTIATE(float, std::int64_t)
FEATRANK_INSTANTIATE(double, std::int32_t)
FEATRANK_INSTANTIATE(double, std::int64_t)

}  // namespace featrank

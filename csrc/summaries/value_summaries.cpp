#include "summaries/value_summaries.hpp"

#include <cmath>
#include <vector>

#include "summaries/quantile.hpp"
#include "summaries/sums.hpp"

namespace featrank {
namespace {

// The extremes of one class of a column, and the weight of its values.
struct Extremes {
    double low = INFINITY, high = -INFINITY, present = 0;

    void accumulate(double value, double weight) {
        low = value < low ? value : low;
        high = value > high ? value : high;
        present += weight;
    }
    void store(const Ranges& out, std::size_t at) const {
        out.minimum[at] = low + 0.0;  // -0 becomes 0
        out.maximum[at] = high + 0.0;
        out.present[at] = present;
    }
};

bool is_whole(double value) { return value - ((value + ROUNDER) - ROUNDER) == 0; }

// Sums of one column, in the units that its ranges define.
class ColumnSums {
    struct ClassSums {
        Anchors anchors;
        Total first, second;
    };
    std::vector<ClassSums> classes;
    double absolute_anchor_ = 0;
    Total absolute = 0;

public:
    explicit ColumnSums(std::size_t n_classes) : classes(n_classes) {}

    // Begins with column j.
    void start(const Ranges& ranges, std::size_t columns, std::size_t j) {
        double low = INFINITY, high = -INFINITY;
        for (std::size_t c = 0; c < classes.size(); ++c) {
            const double least = ranges.minimum[c * columns + j];
            const double most = ranges.maximum[c * columns + j];
            classes[c] = {anchors_of(least, most), 0, 0};
            low = least < low ? least : low;
            high = most > high ? most : high;
        }
        absolute_anchor_ = absolute_anchor(low, high);
        absolute = 0;
    }
    // Adds a value of a class that occurs `times` times.
    void accumulate(std::size_t c, double value, std::int64_t times) {
        ClassSums& own = classes[c];
        const double off = value - own.anchors.centre;
        own.first += Total(units(off, own.anchors.first)) * times;
        own.second += Total(units(off * off, own.anchors.second)) * times;
        absolute += Total(units(std::fabs(value), absolute_anchor_)) * times;
    }
    void store(const UnitSums& out, std::size_t columns, std::size_t j) const {
        for (std::size_t c = 0; c < classes.size(); ++c) {
            store_total(classes[c].first, out.first + 2 * (c * columns + j));
            store_total(classes[c].second, out.second + 2 * (c * columns + j));
        }
        store_total(absolute, out.absolute + 2 * j);
    }
};

// The bin of a value: the number of inner edges that are not above it.
std::size_t bin_of(double value, double low, double step, std::int32_t count) {
    if (count == 1) return 0;
    const double guess = (value - low) / step;
    std::int32_t k = guess >= count ? count - 1 : guess > 0 ? std::int32_t(guess) : 0;
    while (k > 0 && !(value >= low + k * step)) --k;
    while (k + 1 < count && value >= low + (k + 1) * step) ++k;
    return std::size_t(k);
}

// The same among given edges.
std::size_t bin_of(double value, const std::vector<double>& edges) {
    std::size_t k = 0;
    while (k < edges.size() && edges[k] <= value) ++k;
    return k;
}

// Adds the weights of column j to the bins that `locate` returns.
template <class Columns, class Locate, class Count>
void add_to_bins(Columns& X, std::size_t j, const Locate& locate, std::size_t most, Count* counts) {
    X.each_bin(j, locate, [&](std::size_t c, std::size_t bin, auto weight) {
        counts[c * most + bin] += Count(weight);
    });
}

}  // namespace

template <class Columns>
void value_ranges(Columns X, const Ranges& out) {
    std::vector<Extremes> classes;
    for (std::size_t j = 0; j < X.columns; ++j) {
        classes.assign(X.classes, Extremes());
        bool whole = true;
        X.each_value(j, [&](std::size_t c, double value, auto weight) {
            classes[c].accumulate(value, double(weight));
            whole = whole && is_whole(value);
        });
        out.whole[j] = whole;
        for (std::size_t c = 0; c < X.classes; ++c) classes[c].store(out, c * X.columns + j);
    }
}

template <class Columns>
void value_sums(Columns X, const Ranges& all, const UnitSums& out) {
    ColumnSums column(X.classes);
    for (std::size_t j = 0; j < X.columns; ++j) {
        column.start(all, X.columns, j);
        X.each_value(j, [&](std::size_t c, double value, auto weight) {
            column.accumulate(c, value, X.weight_units(weight));
        });
        column.store(out, X.columns, j);
    }
}

template <class Columns, class Count>
void value_histogram(Columns X, const Bins& bins, Count* counts) {
    for (std::size_t j = 0; j < X.columns; ++j, counts += X.classes * bins.most) {
        const auto locate = [&](double value) {
            return bin_of(value, bins.low[j], bins.step[j], bins.count[j]);
        };
        add_to_bins(X, j, locate, std::size_t(bins.most), counts);
    }
}

template <class Columns, class Count>
void value_quantile_histogram(Columns X, std::int32_t most, Count* counts) {
    std::vector<double> edges;
    ValueWeights weights;
    for (std::size_t j = 0; j < X.columns; ++j, counts += X.classes * most) {
        weights.clear();
        X.append_weights(j, weights);
        quantile_edges(weights, most, edges);
        const auto locate = [&](double value) { return bin_of(value, edges); };
        add_to_bins(X, j, locate, std::size_t(most), counts);
    }
}

template <class T, class I>
void sparse_products(const SparseEntries<T, I>& X, const double* factors, const Origins& origins,
                     double* sums) {
    for (std::size_t j = 0; j < X.columns; ++j) {
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

#define FEATRANK_COMMA ,
#define FEATRANK_INSTANTIATE_COUNTS(Columns, Count)                       \
    template void value_histogram<Columns>(Columns, const Bins&, Count*); \
    template void value_quantile_histogram<Columns>(Columns, std::int32_t, Count*);
#define FEATRANK_INSTANTIATE_MOMENTS(Columns)                    \
    template void value_ranges<Columns>(Columns, const Ranges&); \
    template void value_sums<Columns>(Columns, const Ranges&, const UnitSums&);
#define FEATRANK_INSTANTIATE_COUNTED(Count)             \
    FEATRANK_INSTANTIATE_MOMENTS(CountedColumns<Count>) \
    FEATRANK_INSTANTIATE_COUNTS(CountedColumns<Count>, Count)
#define FEATRANK_INSTANTIATE_SPARSE(T, I)                                                    \
    FEATRANK_INSTANTIATE_MOMENTS(SparseColumns<T FEATRANK_COMMA I>)                          \
    FEATRANK_INSTANTIATE_COUNTS(SparseColumns<T FEATRANK_COMMA I>, std::int32_t)             \
    FEATRANK_INSTANTIATE_COUNTS(SparseColumns<T FEATRANK_COMMA I>, double)                   \
    template void sparse_products(const SparseEntries<T, I>&, const double*, const Origins&, \
                                  double*);
FEATRANK_INSTANTIATE_COUNTED(std::int32_t)
FEATRANK_INSTANTIATE_COUNTED(std::int64_t)
FEATRANK_INSTANTIATE_SPARSE(float, std::int32_t)
FEATRANK_INSTANTIATE_SPARSE(float, std::int64_t)
FEATRANK_INSTANTIATE_SPARSE(double, std::int32_t)
FEATRANK_INSTANTIATE_SPARSE(double, std::int64_t)

}  // namespace featrank

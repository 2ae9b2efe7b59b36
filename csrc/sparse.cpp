#include "sparse.hpp"

#include "quantile.hpp"
#include "sums.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace featrank {
namespace {

// One class of a column: its extremes, and the number or weight of its values.
struct Stretch {
    double low = INFINITY, high = -INFINITY, present = 0;

    void take(double value, double weight) {
        low = value < low ? value : low;
        high = value > high ? value : high;
        present += weight;
    }
};

double weight_of(const RowLabels& rows, std::size_t row) {
    return rows.weights ? rows.weights[row] : 1;
}

// Calls work(class, value, weight) for the stored entries that take part, missing ones among them,
// and gathers in `zeros` what each class has besides.
template <class T, class I, class Work>
void each_entry(const Columns<T, I>& X, const RowLabels& rows, std::size_t j,
                std::vector<double>& zeros, const Work& work) {
    zeros.assign(rows.sizes, rows.sizes + rows.classes);
    for (std::int64_t e = X.starts[j]; e < X.starts[j + 1]; ++e) {
        const std::int32_t c = rows.codes[X.rows[e]];
        const double weight = weight_of(rows, X.rows[e]);
        if (c < 0 || !(weight > 0)) continue;
        zeros[c] -= weight;
        work(c, double(X.values[e]), weight);
    }
}

bool is_whole(double value) { return value == std::nearbyint(value) && std::isfinite(value); }

// The bin of a value: the number of inner edges that are not above it.
std::int32_t bin_of(double value, double low, double step, std::int32_t count) {
    if (count == 1) return 0;
    const double guess = (value - low) / step;
    std::int32_t k = guess >= count ? count - 1 : guess > 0 ? std::int32_t(guess) : 0;
    while (k > 0 && !(value >= low + k * step)) --k;
    while (k + 1 < count && value >= low + (k + 1) * step) ++k;
    return k;
}

std::size_t place(const std::vector<double>& edges, double value) {
    std::size_t k = 0;
    while (k < edges.size() && edges[k] <= value) ++k;
    return k;
}

// Adds so many equal terms.
void add(Total& sum, std::int64_t term, double times, double unit) {
    sum += Total(term) * Total(std::int64_t(times / unit));
}

void store(Total total, std::uint64_t* words) {
    words[0] = std::uint64_t(total);
    words[1] = std::uint64_t(total >> 64);
}

// Sums of one class: of the terms, and of their squares.
struct Pair {
    Total first, second;
};

struct ColumnSums {
    std::vector<Frame> frames;
    std::vector<Pair> sums;
    double anchor = 0;
    Total absolute = 0;

    ColumnSums(const Ranges& ranges, std::size_t columns, std::size_t classes, std::size_t j) {
        double low = INFINITY, high = -INFINITY;
        for (std::size_t c = 0; c < classes; ++c) {
            const double least = ranges.minimum[c * columns + j];
            const double most = ranges.maximum[c * columns + j];
            frames.push_back(frame_of(least, most));
            sums.push_back({0, 0});
            low = least < low ? least : low;
            high = most > high ? most : high;
        }
        anchor = absolute_anchor(low, high);
    }
    void take(std::size_t c, double value, double times, double unit) {
        if (std::isnan(value)) return;
        const double off = value - frames[c].centre;
        add(sums[c].first, units(off, frames[c].first), times, unit);
        add(sums[c].second, units(off * off, frames[c].second), times, unit);
        add(absolute, units(std::fabs(value), anchor), times, unit);
    }
};

}  // namespace

template <class T, class I>
void sparse_ranges(const Columns<T, I>& X, const RowLabels& rows, const Ranges& out) {
    std::vector<double> zeros;
    std::vector<Stretch> classes;
    for (std::size_t j = 0; j < X.count; ++j) {
        classes.assign(rows.classes, Stretch());
        bool whole = true;
        each_entry(X, rows, j, zeros, [&](std::size_t c, double value, double weight) {
            if (std::isnan(value)) return;
            classes[c].take(value, weight);
            whole = whole && is_whole(value);
        });
        out.whole[j] = whole;
        for (std::size_t c = 0; c < rows.classes; ++c) {
            if (zeros[c] > 0) classes[c].take(0, zeros[c]);
            out.minimum[c * X.count + j] = classes[c].low + 0.0;  // -0 is 0
            out.maximum[c * X.count + j] = classes[c].high + 0.0;
            out.present[c * X.count + j] = classes[c].present;
        }
    }
}

template <class T, class I>
void sparse_sums(const Columns<T, I>& X, const RowLabels& rows, const Ranges& ranges,
                 const UnitSums& out) {
    std::vector<double> zeros;
    for (std::size_t j = 0; j < X.count; ++j) {
        ColumnSums column(ranges, X.count, rows.classes, j);
        each_entry(X, rows, j, zeros, [&](std::size_t c, double value, double weight) {
            column.take(c, value, weight, rows.weight_unit);
        });
        for (std::size_t c = 0; c < rows.classes; ++c) {
            column.take(c, 0, zeros[c], rows.weight_unit);
            store(column.sums[c].first, out.first + 2 * (c * X.count + j));
            store(column.sums[c].second, out.second + 2 * (c * X.count + j));
        }
        store(column.absolute, out.absolute + 2 * j);
    }
}

template <class T, class I, class Count>
void sparse_histogram(const Columns<T, I>& X, const RowLabels& rows, const Bins& bins,
                      Count* counts) {
    std::vector<double> zeros;
    for (std::size_t j = 0; j < X.count; ++j, counts += rows.classes * bins.most) {
        const auto take = [&](std::size_t c, double value, double weight) {
            if (std::isnan(value)) return;
            const std::int32_t bin = bin_of(value, bins.low[j], bins.step[j], bins.count[j]);
            counts[c * bins.most + bin] += Count(weight);
        };
        each_entry(X, rows, j, zeros, take);
        for (std::size_t c = 0; c < rows.classes; ++c) take(c, 0, zeros[c]);
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
        double left = 0;
        for (double part : zeros) left += part;
        if (left > 0) items.emplace_back(0.0, left);
        quantile_edges(items, most, edges);
        const auto take = [&](std::size_t c, double value, double weight) {
            if (!std::isnan(value)) counts[c * most + place(edges, value)] += Count(weight);
        };
        each_entry(X, rows, j, zeros, take);
        for (std::size_t c = 0; c < rows.classes; ++c) take(c, 0, zeros[c]);
    }
}

#define FEATRANK_INSTANTIATE_COUNTS(T, I, Count)                                                  \
    template void sparse_histogram(const Columns<T, I>&, const RowLabels&, const Bins&, Count*);  \
    template void sparse_quantile_histogram(const Columns<T, I>&, const RowLabels&, std::int32_t, \
                                            Count*);
#define FEATRANK_INSTANTIATE(T, I)                                                      \
    template void sparse_ranges(const Columns<T, I>&, const RowLabels&, const Ranges&); \
    template void sparse_sums(const Columns<T, I>&, const RowLabels&, const Ranges&,    \
                              const UnitSums&);                                         \
    FEATRANK_INSTANTIATE_COUNTS(T, I, std::int32_t)                                     \
    FEATRANK_INSTANTIATE_COUNTS(T, I, double)
FEATRANK_INSTANTIATE(float, std::int32_t)
FEATRANK_INSTANTIATE(float, std::int64_t)
FEATRANK_INSTANTIATE(double, std::int32_t)
FEATRANK_INSTANTIATE(double, std::int64_t)

}  // namespace featrank

// Which bin a value falls into, and how many fall into each: part of the hot loops.
#pragma once
#include "summaries/hot/tiles.hpp"

#include <cmath>

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// Eight units in the last place: more than the roundings of a guess and of an edge together.
constexpr double ERROR_BOUND = 8 * 2.220446049250313e-16;

// Weighted rows are counted in doubles, others in integers.
template <class Count>
constexpr bool IS_WEIGHTED = false;
template <>
constexpr bool IS_WEIGHTED<double> = true;

// What locates a value among the bins of its lane. `offset` leans the guess downwards by more
// than it and the edges can err, so that a guess is right or one too low, and the edge decides.
template <std::size_t L>
struct BinLocator {
    double low[L], step[L], scale[L], offset[L], last[L];
    bool reliable = true;  // false where values differ by a few roundings only

    BinLocator(const Bins& bins, std::size_t first, std::size_t used) {
        for (std::size_t l = 0; l < L; ++l) {
            const std::size_t column = first + (l < used ? l : 0);
            low[l] = bins.low[column];
            step[l] = bins.step[column];
            last[l] = bins.count[column] - 1;
            scale[l] = step[l] > 0 ? 1 / step[l] : 0;
            const double high = low[l] + (last[l] + 1) * step[l];
            const double largest = std::fabs(low[l]) > std::fabs(high) ? std::fabs(low[l])
                                                                       : std::fabs(high);
            const double lean = ERROR_BOUND * (largest * scale[l] + last[l] + 1);
            offset[l] = -low[l] * scale[l] - lean;
            reliable = reliable && lean < 0.5;
        }
    }

    // The bins of one row's values, where the locator is reliable.
    template <class T>
    void locate(const T* x, std::uint32_t* bin) const {
        for (std::size_t l = 0; l < L; ++l) {
            const double value = x[l];
            double guess = value * scale[l] + offset[l];
            guess = guess > 0 ? guess : 0;  // also what is not a number
            guess = guess < last[l] ? guess : last[l];
            double k = std::int32_t(guess);
            k += value >= low[l] + (k + 1) * step[l] ? 1.0 : 0.0;
            k = k < last[l] ? k : last[l];
            bin[l] = std::uint32_t(std::int32_t(k));
        }
    }

    // The definition itself: a value's bin is the number of inner edges that are not above it.
    std::uint32_t bin_of(double value, std::size_t l) const {
        std::int32_t k = 0;
        while (k < last[l] && value >= low[l] + (k + 1) * step[l]) ++k;
        return std::uint32_t(k);
    }
};

template <class T, class Count, std::size_t L>
void count_bins_slowly(const Group<T>& group, const Classes& classes, const Bins& bins,
                       const BinLocator<L>& locator, Count* counts) {
    for (std::size_t c = 0; c < classes.count; ++c)
        for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r)
            for (std::size_t l = 0; l < group.used; ++l) {
                const std::uint32_t bin = locator.bin_of(group.values[r * L + l], l);
                counts[((group.first + l) * classes.count + c) * bins.most + bin] +=
                    Count(weight<IS_WEIGHTED<Count>>(classes, r));
            }
}

// `Lanes` is a constant for a full group, which lets the compiler unroll the counting.
template <class T, class Count, std::size_t L, class Lanes>
void count_bins(const Group<T>& group, const Classes& classes, const Bins& bins,
                const BinLocator<L>& locator, Count* counts, Lanes used) {
    constexpr bool WEIGHTED = IS_WEIGHTED<Count>;
    const std::uint32_t stride = classes.count * bins.most;  // between columns of counts
    for (std::size_t c = 0; c < classes.count; ++c) {
        Count* target = counts + group.first * stride + c * bins.most;
        for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r) {
            std::uint32_t cell[L];
            locator.locate(group.values + r * L, cell);
            for (std::size_t l = 0; l < L; ++l) cell[l] += std::uint32_t(l) * stride;
            const Count w = Count(weight<WEIGHTED>(classes, r));
            for (std::size_t l = 0; l < used; ++l) target[cell[l]] += w;
        }
    }
}

template <std::size_t N>
struct Constant {
    constexpr operator std::size_t() const { return N; }
};

// 32 bytes of values, and what comparing them gives: as many integers, -1 for true.
template <class T>
struct Wide;
template <>
struct Wide<float> {
    typedef float Values __attribute__((vector_size(32), aligned(4)));
    typedef std::int32_t Truths __attribute__((vector_size(32)));
};
template <>
struct Wide<double> {
    typedef double Values __attribute__((vector_size(32), aligned(8)));
    typedef std::int64_t Truths __attribute__((vector_size(32)));
};

// The least value of type T that is not below an edge.
inline double not_below(double edge, double) { return edge; }
inline float not_below(double edge, float) {
    const float near = float(edge);
    std::int32_t bits;
    __builtin_memcpy(&bits, &near, sizeof bits);
    bits += near < edge ? (bits < 0 ? -1 : 1) : 0;
    float result;
    __builtin_memcpy(&result, &bits, sizeof bits);
    return result;
}

// With few bins it is fastest to compare each value with every edge: many at once, and exact.
// Edges are taken a few at a time, so that they and their counts stay in registers.
constexpr std::size_t EDGES = 5, COMPARED_BYTES = 120, MOST_COMPARED = COMPARED_BYTES / 4;

template <class T>
struct Edges {
    T at[MOST_COMPARED][LANES];  // edge k of each lane; infinity past the last

    Edges(const Bins& bins, const Group<T>& group) {
        double low[LANES], step[LANES], last[LANES];
        for (std::size_t l = 0; l < LANES; ++l) {
            const std::size_t column = group.first + (l < group.used ? l : 0);
            low[l] = bins.low[column];
            step[l] = bins.step[column];
            last[l] = bins.count[column] - 1;
        }
        const std::size_t needed = (bins.most - 1 + EDGES - 1) / EDGES * EDGES;
        for (std::size_t k = 0; k < needed; ++k)
            for (std::size_t l = 0; l < LANES; ++l) {
                const T edge = not_below(low[l] + double(k + 1) * step[l], T());
                at[k][l] = double(k) < last[l] ? edge : T(INFINITY);
            }
    }
};

// How many of a class' values are not below each of EDGES edges: above[edge][lane].
template <class T>
void count_above(const Group<T>& group, std::size_t begin, std::size_t end, const T (*edges)[LANES],
                 std::int32_t (*above)[LANES]) {
    typedef typename Wide<T>::Values Values;
    typedef typename Wide<T>::Truths Truths;
    constexpr std::size_t WIDTH = sizeof(Values) / sizeof(T);
    for (std::size_t lane = 0; lane < LANES; lane += WIDTH) {
        Values edge[EDGES];
        Truths count[EDGES];
        for (std::size_t k = 0; k < EDGES; ++k) {
            edge[k] = *reinterpret_cast<const Values*>(edges[k] + lane);
            count[k] = Truths{};
        }
        for (std::size_t r = begin; r < end; ++r) {
            const Values x = *reinterpret_cast<const Values*>(group.values + r * LANES + lane);
            for (std::size_t k = 0; k < EDGES; ++k) count[k] += x >= edge[k];
        }
        for (std::size_t k = 0; k < EDGES; ++k)
            for (std::size_t l = 0; l < WIDTH; ++l) above[k][lane + l] = -std::int32_t(count[k][l]);
    }
}

// How many of a class' values are numbers.
template <class T>
void count_numbers(const Group<T>& group, std::size_t begin, std::size_t end,
                   std::int32_t* numbers) {
    for (std::size_t l = 0; l < LANES; ++l) numbers[l] = 0;
    for (std::size_t r = begin; r < end; ++r)
        for (std::size_t l = 0; l < LANES; ++l) {
            const T value = group.values[r * LANES + l];
            numbers[l] += value == value;
        }
}

template <class T>
void count_by_edges(const Group<T>& group, const Classes& classes, const Bins& bins, bool complete,
                    std::int32_t* counts) {
    const Edges<T> edges(bins, group);
    const std::size_t most = bins.most;
    for (std::size_t c = 0; c < classes.count; ++c) {
        const std::size_t begin = classes.offsets[c], end = classes.offsets[c + 1];
        std::int32_t above[MOST_COMPARED + 1][LANES];  // above[k]: at least in bin k
        if (complete)
            for (std::size_t l = 0; l < LANES; ++l) above[0][l] = std::int32_t(end - begin);
        else
            count_numbers(group, begin, end, above[0]);
        for (std::size_t k = 0; k + 1 < most; k += EDGES)
            count_above(group, begin, end, edges.at + k, above + k + 1);
        for (std::size_t l = 0; l < group.used; ++l) {
            std::int32_t* target = counts + ((group.first + l) * classes.count + c) * most;
            for (std::size_t k = 0; k + 1 < most; ++k) target[k] = above[k][l] - above[k + 1][l];
            target[most - 1] = above[most - 1][l];
        }
    }
}

// Missing values were counted in the first bin.
template <class T, class Count>
void leave_out_missing(const Group<T>& group, const Classes& classes, const Bins& bins,
                       Count* counts) {
    for (std::size_t c = 0; c < classes.count; ++c)
        for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r)
            for (std::size_t l = 0; l < group.used; ++l) {
                const T value = group.values[r * LANES + l];
                if (value != value)
                    counts[((group.first + l) * classes.count + c) * bins.most] -=
                        Count(weight<IS_WEIGHTED<Count>>(classes, r));
            }
}

// `complete` says that no value is known to be missing.
template <class T, class Count>
void group_histogram(const Group<T>& group, const Classes& classes, const Bins& bins, bool complete,
                     Count* counts) {
    constexpr std::size_t L = LANES;
    if constexpr (!IS_WEIGHTED<Count>)
        if (bins.most * sizeof(T) <= COMPARED_BYTES) {
            count_by_edges(group, classes, bins, complete, counts);
            return;
        }
    const BinLocator<L> locator(bins, group.first, group.used);
    if (!locator.reliable)
        count_bins_slowly(group, classes, bins, locator, counts);
    else if (group.used == L)
        count_bins(group, classes, bins, locator, counts, Constant<L>());
    else
        count_bins(group, classes, bins, locator, counts, group.used);
    if (!complete) leave_out_missing(group, classes, bins, counts);
}

template <class T>
void group_codes(const Group<T>& group, std::size_t rows, const Bins& bins, std::uint8_t* codes) {
    constexpr std::size_t L = LANES;
    const BinLocator<L> locator(bins, group.first, group.used);
    std::uint8_t* target = codes + group.first * rows;
    for (std::size_t r = 0; r < rows; ++r) {
        const T* x = group.values + r * L;
        std::uint32_t bin[L];
        if (locator.reliable)
            locator.locate(x, bin);
        else
            for (std::size_t l = 0; l < group.used; ++l) bin[l] = locator.bin_of(x[l], l);
        for (std::size_t l = 0; l < group.used; ++l) target[l * rows + r] = std::uint8_t(bin[l]);
    }
}

}  // namespace
}  // namespace FEATRANK_ISA
}  // namespace featrank

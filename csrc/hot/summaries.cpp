// The hot loops: compiled once for each instruction set under its own namespace. Only plain
// loops here: a library template instantiated in this file could be chosen by the linker for
// the whole module, and would then fail on processors without the instruction set.
#include "binning.hpp"
#include "doubles.hpp"
#include "tiles.hpp"

#include <cmath>

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// Adding and subtracting this rounds a double below 2^51 in magnitude to an integer.
constexpr double ROUNDER = 6755399441055744.0;

// A constant must have its own value as the mean, so that its spread is exactly nothing.
double class_mean(double sum, double minimum, double maximum, double size) {
    if (size == 0) return 0;
    const bool is_number = sum == sum;
    return is_number && minimum == maximum ? minimum : sum / size;
}

template <bool Weighted>
double class_size(const Classes& classes, std::size_t c) {
    double size = 0;
    if constexpr (!Weighted) return double(classes.offsets[c + 1] - classes.offsets[c]);
    for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r)
        size += classes.weights[r];
    return size;
}

// Whether every value of each lane is an integer. Most columns show soon that they are not.
template <class T>
void group_whole(const Group<T>& group, std::size_t rows, const Moments& out) {
    constexpr std::size_t L = LANES;
    constexpr std::size_t STRIDE = 8;
    double gap[L];
    for (std::size_t l = 0; l < L; ++l) gap[l] = 0;
    bool undecided = true;
    for (std::size_t begin = 0; begin < rows && undecided; begin += STRIDE) {
        const std::size_t end = rows - begin < STRIDE ? rows : begin + STRIDE;
        for (std::size_t r = begin; r < end; ++r)
            for (std::size_t l = 0; l < L; ++l) {
                const double value = group.values[r * L + l];
                const double off = value - ((value + ROUNDER) - ROUNDER);
                gap[l] += off < 0 ? -off : off;
            }
        undecided = false;
        for (std::size_t l = 0; l < group.used; ++l) undecided |= gap[l] == 0;
    }
    for (std::size_t l = 0; l < group.used; ++l) out.whole[group.first + l] = gap[l] == 0;
}

// Lanes whose sums are kept in registers together, as each addition waits for the one before it.
template <class T>
constexpr std::size_t TOGETHER = 64 / sizeof(T);

// One class of TOGETHER lanes: its sum and extremes, and the absolute sum of all classes.
template <bool Weighted, class T>
void add_up(const T* values, const Classes& classes, std::size_t c, double* sums, double* absolutes,
            T* minima, T* maxima) {
    typedef typename Wide<T>::Values Values;
    constexpr std::size_t WIDTH = sizeof(Values) / sizeof(T), VECTORS = TOGETHER<T> / FOUR;
    Doubles sum[VECTORS], total[VECTORS];
    for (std::size_t v = 0; v < VECTORS; ++v) {
        sum[v] = Doubles{};
        total[v] = widened(absolutes + v * FOUR);
    }
    Values minimum[2], maximum[2];
    for (std::size_t v = 0; v < 2; ++v) {
        minimum[v] = Values{} + T(INFINITY);
        maximum[v] = Values{} - T(INFINITY);
    }
    for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r) {
        const double w = weight<Weighted>(classes, r);
        const T* x = values + r * LANES;
        for (std::size_t v = 0; v < 2; ++v) {
            const Values value = *reinterpret_cast<const Values*>(x + v * WIDTH);
            minimum[v] = value < minimum[v] ? value : minimum[v];
            maximum[v] = value > maximum[v] ? value : maximum[v];
        }
        for (std::size_t v = 0; v < VECTORS; ++v) {
            const Doubles value = widened(x + v * FOUR);
            sum[v] += w * value;
            total[v] += w * absolute(value);
        }
    }
    for (std::size_t l = 0; l < TOGETHER<T>; ++l) {
        sums[l] = sum[l / FOUR][l % FOUR];
        absolutes[l] = total[l / FOUR][l % FOUR];
        minima[l] = minimum[l / WIDTH][l % WIDTH];
        maxima[l] = maximum[l / WIDTH][l % WIDTH];
    }
}

template <bool Weighted, class T>
void group_moments(const Group<T>& group, std::size_t columns, const Classes& classes,
                   const Moments& out) {
    constexpr std::size_t L = LANES;
    double sum[L], absolute[L];
    T minimum[L], maximum[L];
    for (std::size_t l = 0; l < L; ++l) absolute[l] = 0;
    for (std::size_t c = 0; c < classes.count; ++c) {
        for (std::size_t l = 0; l < L; l += TOGETHER<T>)
            add_up<Weighted>(group.values + l, classes, c, sum + l, absolute + l, minimum + l,
                             maximum + l);
        const double size = class_size<Weighted>(classes, c);
        for (std::size_t l = 0; l < group.used; ++l) {
            const std::size_t at = c * columns + group.first + l;
            out.minimum[at] = minimum[l];
            out.maximum[at] = maximum[l];
            out.mean[at] = class_mean(sum[l], minimum[l], maximum[l], size);
        }
    }
    for (std::size_t l = 0; l < group.used; ++l) out.absolute_sum[group.first + l] = absolute[l];
}

// One class of TOGETHER lanes: the sums of the deviations from given means, and of their squares.
template <bool Weighted, class T>
void add_deviations(const T* values, const Classes& classes, std::size_t c, const double* means,
                    double* sums, double* squares) {
    constexpr std::size_t VECTORS = TOGETHER<T> / FOUR;
    Doubles mean[VECTORS], sum[VECTORS], square[VECTORS];
    for (std::size_t v = 0; v < VECTORS; ++v) {
        mean[v] = widened(means + v * FOUR);
        sum[v] = square[v] = Doubles{};
    }
    for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r) {
        const double w = weight<Weighted>(classes, r);
        for (std::size_t v = 0; v < VECTORS; ++v) {
            const Doubles off = widened(values + r * LANES + v * FOUR) - mean[v];
            sum[v] += w * off;
            square[v] += w * (off * off);
        }
    }
    for (std::size_t l = 0; l < TOGETHER<T>; ++l) {
        sums[l] = sum[l / FOUR][l % FOUR];
        squares[l] = square[l / FOUR][l % FOUR];
    }
}

// Second moments about the mean, with the correction that removes the mean's own rounding.
template <bool Weighted, class T>
void group_spread(const Group<T>& group, std::size_t columns, const Classes& classes,
                  const Moments& out) {
    constexpr std::size_t L = LANES;
    double mean[L], sum[L], square[L];
    for (std::size_t c = 0; c < classes.count; ++c) {
        for (std::size_t l = 0; l < L; ++l)
            mean[l] = l < group.used ? out.mean[c * columns + group.first + l] : 0;
        for (std::size_t l = 0; l < L; l += TOGETHER<T>)
            add_deviations<Weighted>(group.values + l, classes, c, mean + l, sum + l, square + l);
        const double size = class_size<Weighted>(classes, c);
        for (std::size_t l = 0; l < group.used; ++l) {
            const double correction = size > 0 ? sum[l] * sum[l] / size : 0;
            out.m2[c * columns + group.first + l] = square[l] - correction;
        }
    }
}

template <class T>
void group_bins(const Group<T>& group, std::size_t columns, const Classes& classes,
                const Moments& moments, const Bins& bins) {
    for (std::size_t l = 0; l < group.used; ++l) {
        const std::size_t column = group.first + l;
        double low = moments.minimum[column], high = moments.maximum[column];
        for (std::size_t c = 1; c < classes.count; ++c) {
            const std::size_t at = c * columns + column;
            low = moments.minimum[at] < low ? moments.minimum[at] : low;
            high = moments.maximum[at] > high ? moments.maximum[at] : high;
        }
        choose_bins(low, high, moments.whole[column], PRECISION<T>, bins, column);
    }
}

}  // namespace

template <class T>
void moments(const Matrix<T>& X, const Classes& classes, const Moments& out, T* scratch) {
    each_group(X, classes, scratch, [&](const Group<T>& group) {
        group_whole(group, X.rows, out);
        if (classes.weights) {
            group_moments<true>(group, X.columns, classes, out);
            group_spread<true>(group, X.columns, classes, out);
        } else {
            group_moments<false>(group, X.columns, classes, out);
            group_spread<false>(group, X.columns, classes, out);
        }
    });
}

template <class T, class Count>
void histogram(const Matrix<T>& X, const Classes& classes, const Bins& bins, Count* counts,
               T* scratch) {
    each_group(X, classes, scratch,
               [&](const Group<T>& group) { group_histogram(group, classes, bins, counts); });
}

template <class T, class Count>
void summarise(const Matrix<T>& X, const Classes& classes, const Moments& out, const Bins& bins,
               Count* counts, T* scratch) {
    each_group(X, classes, scratch, [&](const Group<T>& group) {
        group_whole(group, X.rows, out);
        group_moments<IS_WEIGHTED<Count>>(group, X.columns, classes, out);
        group_spread<IS_WEIGHTED<Count>>(group, X.columns, classes, out);
        group_bins(group, X.columns, classes, out, bins);
        group_histogram(group, classes, bins, counts);
    });
}

template <class T>
void bin_codes(const Matrix<T>& X, const Classes& classes, const Bins& bins, std::uint8_t* codes,
               T* scratch) {
    each_group(X, classes, scratch,
               [&](const Group<T>& group) { group_codes(group, X.rows, bins, codes); });
}

#define FEATRANK_INSTANTIATE_COUNTS(T, Count)                                                 \
    template void histogram<T>(const Matrix<T>&, const Classes&, const Bins&, Count*, T*);    \
    template void summarise<T>(const Matrix<T>&, const Classes&, const Moments&, const Bins&, \
                               Count*, T*);
#define FEATRANK_INSTANTIATE(T)                                                                   \
    template void moments<T>(const Matrix<T>&, const Classes&, const Moments&, T*);               \
    template void bin_codes<T>(const Matrix<T>&, const Classes&, const Bins&, std::uint8_t*, T*); \
    FEATRANK_INSTANTIATE_COUNTS(T, std::int32_t)                                                  \
    FEATRANK_INSTANTIATE_COUNTS(T, double)
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace FEATRANK_ISA
}  // namespace featrank

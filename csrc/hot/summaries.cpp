// The hot loops: compiled once for each instruction set under its own namespace. Only plain
// loops here: a library template instantiated in this file could be chosen by the linker for
// the whole module, and would then fail on processors without the instruction set.
#include "summaries.hpp"

#include <cmath>

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// Adding and subtracting this rounds a double below 2^51 in magnitude to an integer.
constexpr double ROUNDER = 6755399441055744.0;

// Eight units in the last place: more than the roundings of a guess and of an edge together.
constexpr double ERROR_BOUND = 8 * 2.220446049250313e-16;

// A few neighbouring columns, rows in class order: a dense array (rows, LANES).
template <class T>
struct Group {
    const T* values;
    std::size_t first, used;  // the first of its columns, and how many of the lanes are columns
};

template <class T>
void gather_rows(const Matrix<T>& X, const Classes& classes, std::size_t first,
                 std::size_t width, T* tile) {
    constexpr std::size_t L = LANES;
    for (std::size_t r = 0; r < X.rows; ++r) {
        const T* source = X.data + classes.order[r] * X.row_stride +
                          std::ptrdiff_t(first) * X.column_stride;
        std::size_t j = 0;
        for (; j + L <= width; j += L)
            for (std::size_t l = 0; l < L; ++l) tile[(j / L * X.rows + r) * L + l] = source[j + l];
        for (; j < width; ++j) tile[(j / L * X.rows + r) * L + j % L] = source[j];
    }
}

template <class T>
void gather_strided(const Matrix<T>& X, const Classes& classes, std::size_t first,
                    std::size_t width, T* tile) {
    constexpr std::size_t L = LANES;
    for (std::size_t j = 0; j < width; ++j) {
        const T* source = X.data + std::ptrdiff_t(first + j) * X.column_stride;
        T* target = tile + j / L * X.rows * L + j % L;
        for (std::size_t r = 0; r < X.rows; ++r)
            target[r * L] = source[classes.order[r] * X.row_stride];
    }
}

// Lanes past the last column repeat zero, so that nothing undefined enters the arithmetic.
template <class T>
void clear_unused(std::size_t rows, std::size_t width, T* tile) {
    constexpr std::size_t L = LANES;
    if (width % L == 0) return;
    T* last = tile + width / L * rows * L;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t l = width % L; l < L; ++l) last[r * L + l] = 0;
}

// A constant must have its own value as the mean, so that its spread is exactly nothing.
double class_mean(double sum, double minimum, double maximum, double size) {
    if (size == 0) return 0;
    const bool is_number = sum == sum;
    return is_number && minimum == maximum ? minimum : sum / size;
}

// The weight of a row; a constant where rows have none, so that it costs nothing.
template <bool Weighted>
double weight(const Classes& classes, std::size_t row) {
    if constexpr (Weighted) return classes.weights[row];
    return 1;
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

template <bool Weighted, class T>
void group_moments(const Group<T>& group, std::size_t columns, const Classes& classes,
                   const Moments& out) {
    constexpr std::size_t L = LANES;
    double absolute[L];
    for (std::size_t l = 0; l < L; ++l) absolute[l] = 0;
    for (std::size_t c = 0; c < classes.count; ++c) {
        const std::size_t begin = classes.offsets[c], end = classes.offsets[c + 1];
        const double size = class_size<Weighted>(classes, c);
        double sum[L];
        T minimum[L], maximum[L];
        for (std::size_t l = 0; l < L; ++l) {
            sum[l] = 0;
            minimum[l] = INFINITY;
            maximum[l] = -INFINITY;
        }
        for (std::size_t r = begin; r < end; ++r) {
            const T* x = group.values + r * L;
            const double w = weight<Weighted>(classes, r);
            for (std::size_t l = 0; l < L; ++l) {
                const T value = x[l];
                minimum[l] = value < minimum[l] ? value : minimum[l];
                maximum[l] = value > maximum[l] ? value : maximum[l];
                sum[l] += w * double(value);
                absolute[l] += w * double(value < 0 ? -value : value);
            }
        }
        for (std::size_t l = 0; l < group.used; ++l) {
            const std::size_t at = c * columns + group.first + l;
            out.minimum[at] = minimum[l];
            out.maximum[at] = maximum[l];
            out.mean[at] = class_mean(sum[l], minimum[l], maximum[l], size);
        }
    }
    for (std::size_t l = 0; l < group.used; ++l) out.absolute_sum[group.first + l] = absolute[l];
}

// Second moments about the mean, with the correction that removes the mean's own rounding.
template <bool Weighted, class T>
void group_spread(const Group<T>& group, std::size_t columns, const Classes& classes,
                  const Moments& out) {
    constexpr std::size_t L = LANES;
    for (std::size_t c = 0; c < classes.count; ++c) {
        const std::size_t begin = classes.offsets[c], end = classes.offsets[c + 1];
        const double size = class_size<Weighted>(classes, c);
        double mean[L], sum[L], square[L];
        for (std::size_t l = 0; l < L; ++l) {
            mean[l] = l < group.used ? out.mean[c * columns + group.first + l] : 0;
            sum[l] = square[l] = 0;
        }
        for (std::size_t r = begin; r < end; ++r) {
            const T* x = group.values + r * L;
            const double w = weight<Weighted>(classes, r);
            for (std::size_t l = 0; l < L; ++l) {
                const double off = x[l] - mean[l];
                sum[l] += w * off;
                square[l] += w * (off * off);
            }
        }
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
        choose_bins(low, high, moments.whole[column], bins, column);
    }
}

// Weighted rows are counted in doubles, others in integers.
template <class Count>
constexpr bool IS_WEIGHTED = false;
template <>
constexpr bool IS_WEIGHTED<double> = true;

// What locates a value among the bins of its lane. `offset` leans the guess downwards by more
// than it and the edges can err, so that a guess is right or one too low, and the edge decides.
template <std::size_t L>
struct Ruler {
    double low[L], step[L], scale[L], offset[L], last[L];
    bool reliable = true;  // false where values differ by a few roundings only

    Ruler(const Bins& bins, std::size_t first, std::size_t used) {
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

    // The bins of one row's values, where the ruler is reliable.
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
                       const Ruler<L>& ruler, Count* counts) {
    for (std::size_t c = 0; c < classes.count; ++c)
        for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r)
            for (std::size_t l = 0; l < group.used; ++l) {
                const std::uint32_t bin = ruler.bin_of(group.values[r * L + l], l);
                counts[((group.first + l) * classes.count + c) * bins.most + bin] +=
                    Count(weight<IS_WEIGHTED<Count>>(classes, r));
            }
}

// `Lanes` is a constant for a full group, which lets the compiler unroll the counting.
template <class T, class Count, std::size_t L, class Lanes>
void count_bins(const Group<T>& group, const Classes& classes, const Bins& bins,
                const Ruler<L>& ruler, Count* counts, Lanes used) {
    constexpr bool WEIGHTED = IS_WEIGHTED<Count>;
    const std::uint32_t stride = classes.count * bins.most;  // between columns of counts
    for (std::size_t c = 0; c < classes.count; ++c) {
        Count* target = counts + group.first * stride + c * bins.most;
        for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r) {
            std::uint32_t cell[L];
            ruler.locate(group.values + r * L, cell);
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

template <class T, class Count>
void group_histogram(const Group<T>& group, const Classes& classes, const Bins& bins,
                     Count* counts) {
    constexpr std::size_t L = LANES;
    const Ruler<L> ruler(bins, group.first, group.used);
    if (!ruler.reliable)
        count_bins_slowly(group, classes, bins, ruler, counts);
    else if (group.used == L)
        count_bins(group, classes, bins, ruler, counts, Constant<L>());
    else
        count_bins(group, classes, bins, ruler, counts, group.used);
}

template <class T>
void group_codes(const Group<T>& group, std::size_t rows, const Bins& bins,
                 std::uint8_t* codes) {
    constexpr std::size_t L = LANES;
    const Ruler<L> ruler(bins, group.first, group.used);
    std::uint8_t* target = codes + group.first * rows;
    for (std::size_t r = 0; r < rows; ++r) {
        const T* x = group.values + r * L;
        std::uint32_t bin[L];
        if (ruler.reliable)
            ruler.locate(x, bin);
        else
            for (std::size_t l = 0; l < group.used; ++l) bin[l] = ruler.bin_of(x[l], l);
        for (std::size_t l = 0; l < group.used; ++l) target[l * rows + r] = std::uint8_t(bin[l]);
    }
}

// Calls work(group) for each group of columns, tile by tile, so that X is read once.
template <class T, class Work>
void each_group(const Matrix<T>& X, const Classes& classes, T* tile, const Work& work) {
    constexpr std::size_t L = LANES;
    const std::size_t step = tile_columns(X.rows, sizeof(T));
    for (std::size_t first = 0; first < X.columns; first += step) {
        const std::size_t width = X.columns - first < step ? X.columns - first : step;
        clear_unused(X.rows, width, tile);
        if (X.column_stride == 1)
            gather_rows(X, classes, first, width, tile);
        else
            gather_strided(X, classes, first, width, tile);
        for (std::size_t j = 0; j < width; j += L)
            work(Group<T>{tile + j * X.rows, first + j, width - j < L ? width - j : L});
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
    each_group(X, classes, scratch, [&](const Group<T>& group) {
        group_histogram(group, classes, bins, counts);
    });
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
void bin_codes(const Matrix<T>& X, const Classes& classes, const Bins& bins,
               std::uint8_t* codes, T* scratch) {
    each_group(X, classes, scratch, [&](const Group<T>& group) {
        group_codes(group, X.rows, bins, codes);
    });
}

#define FEATRANK_INSTANTIATE_COUNTS(T, Count)                                                   \
    template void histogram<T>(const Matrix<T>&, const Classes&, const Bins&, Count*, T*);      \
    template void summarise<T>(const Matrix<T>&, const Classes&, const Moments&, const Bins&,   \
                               Count*, T*);
#define FEATRANK_INSTANTIATE(T)                                                                 \
    template void moments<T>(const Matrix<T>&, const Classes&, const Moments&, T*);             \
    template void bin_codes<T>(const Matrix<T>&, const Classes&, const Bins&, std::uint8_t*,    \
                               T*);                                                             \
    FEATRANK_INSTANTIATE_COUNTS(T, std::int32_t)                                                \
    FEATRANK_INSTANTIATE_COUNTS(T, double)
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace FEATRANK_ISA
}  // namespace featrank

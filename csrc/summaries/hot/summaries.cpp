// The hot loops: compiled once for each instruction set under its own namespace. Only plain
// loops here: a library template instantiated in this file could be chosen by the linker for
// the whole module, and would then fail on processors without the instruction set.
#include "common/hot/doubles.hpp"
#include "summaries/hot/binning.hpp"
#include "summaries/hot/tiles.hpp"
#include "summaries/sums.hpp"

#include <cmath>

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// Whether every number of each lane is an integer. Most columns show soon that they are not.
template <class T>
void group_whole(const Group<T>& group, std::size_t rows, const Ranges& out) {
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
                gap[l] += off == 0 || value != value ? 0.0 : 1.0;  // infinity is none
            }
        undecided = false;
        for (std::size_t l = 0; l < group.used; ++l) undecided |= gap[l] == 0;
    }
    for (std::size_t l = 0; l < group.used; ++l) out.whole[group.first + l] = gap[l] == 0;
}

// Lanes whose extremes are kept in registers together, as each waits for the one before it.
template <class T>
constexpr std::size_t TOGETHER = 64 / sizeof(T);

// One class of TOGETHER lanes: its extremes, and how many values are numbers.
template <class T>
void class_range(const T* values, std::size_t begin, std::size_t end, T* minima, T* maxima,
                 std::int64_t* numbers) {
    typedef typename Wide<T>::Values Values;
    typedef typename Wide<T>::Truths Truths;
    constexpr std::size_t WIDTH = sizeof(Values) / sizeof(T);
    Values minimum[2], maximum[2];
    Truths number[2];
    for (std::size_t v = 0; v < 2; ++v) {
        minimum[v] = Values{} + T(INFINITY);
        maximum[v] = Values{} - T(INFINITY);
        number[v] = Truths{};
    }
    for (std::size_t r = begin; r < end; ++r)
        for (std::size_t v = 0; v < 2; ++v) {
            const Values value = *reinterpret_cast<const Values*>(values + r * LANES + v * WIDTH);
            minimum[v] = value < minimum[v] ? value : minimum[v];
            maximum[v] = value > maximum[v] ? value : maximum[v];
            number[v] -= value == value;
        }
    for (std::size_t l = 0; l < TOGETHER<T>; ++l) {
        minima[l] = minimum[l / WIDTH][l % WIDTH];
        maxima[l] = maximum[l / WIDTH][l % WIDTH];
        numbers[l] = number[l / WIDTH][l % WIDTH];
    }
}

// Whether no value of a group is missing.
template <class T>
bool is_complete(const Group<T>& group, std::size_t rows) {
    typedef typename Wide<T>::Values Values;
    constexpr std::size_t WIDTH = sizeof(Values) / sizeof(T);
    typename Wide<T>::Truths missing = {};
    for (std::size_t at = 0; at < rows * LANES; at += WIDTH) {
        const Values value = *reinterpret_cast<const Values*>(group.values + at);
        missing |= value != value;
    }
    bool complete = true;
    for (std::size_t l = 0; l < WIDTH; ++l) complete = complete && missing[l] == 0;
    return complete;
}

// The weight of those rows of a class whose value in a lane is a number.
template <class T>
double weight_present(const Group<T>& group, const Classes& classes, std::size_t c, std::size_t l) {
    double sum = 0;
    for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r) {
        const T value = group.values[r * LANES + l];
        sum += value == value ? classes.weights[r] : 0;
    }
    return sum;
}

// Whether no value is missing.
template <class T>
bool group_ranges(const Group<T>& group, std::size_t columns, const Classes& classes,
                  const Ranges& out) {
    T minimum[LANES], maximum[LANES];
    std::int64_t numbers[LANES];
    bool complete = true;
    for (std::size_t c = 0; c < classes.count; ++c) {
        const std::size_t begin = classes.offsets[c], end = classes.offsets[c + 1];
        for (std::size_t l = 0; l < LANES; l += TOGETHER<T>)
            class_range(group.values + l, begin, end, minimum + l, maximum + l, numbers + l);
        for (std::size_t l = 0; l < group.used; ++l) {
            const std::size_t at = c * columns + group.first + l;
            out.minimum[at] = minimum[l] + 0.0;  // -0 is 0, whichever came first
            out.maximum[at] = maximum[l] + 0.0;
            out.present[at] = classes.weights ? weight_present(group, classes, c, l)
                                              : double(numbers[l]);
            complete = complete && numbers[l] == std::int64_t(end - begin);
        }
    }
    return complete;
}

// What a table holds for the lanes of a group; 0 for lanes past the last column.
struct LaneValues {
    double at[LANES];

    LaneValues(const double* source, std::size_t used) {
        if (used == LANES)
            __builtin_memcpy(at, source, sizeof at);
        else
            for (std::size_t l = 0; l < LANES; ++l) at[l] = l < used ? source[l] : 0;
    }
};

// The anchors of one class, and those of the absolute sums, of each lane.
struct LaneAnchors {
    double centre[LANES], first[LANES], second[LANES];
    const double* absolute;

    LaneAnchors(const LaneValues& low, const LaneValues& high, const double* absolutes)
        : absolute(absolutes) {
        for (std::size_t l = 0; l < LANES; ++l) {
            const Anchors anchors = anchors_of(low.at[l], high.at[l]);
            centre[l] = anchors.centre;
            first[l] = anchors.first;
            second[l] = anchors.second;
        }
    }
    Anchors of(std::size_t l) const { return {centre[l], first[l], second[l]}; }
};

// Sums of the lanes of a group in units: of one class, and the absolute ones of all classes.
template <class Sum>
struct LaneSums {
    Sum first[LANES], second[LANES], absolute[LANES];
};

// Bits of doubles that are added up, and may flow over on the way.
typedef std::uint64_t Words __attribute__((vector_size(FOUR * sizeof(double))));

// Rows whose units add up within 64 bits, and lanes that fill the registers.
constexpr std::int64_t CHUNK = 1024;
constexpr std::size_t VECTORS = 2, ABREAST = VECTORS * FOUR;

// A few rows of ABREAST lanes. Missing values count as 0 units.
template <bool Complete, class T, class Sum>
void add_chunk(const T* values, std::int64_t begin, std::int64_t end, const LaneAnchors& anchors,
               std::size_t lane, LaneSums<Sum>& sums) {
    Doubles centre[VECTORS], first[VECTORS], second[VECTORS], total[VECTORS];
    Words sum[VECTORS], squares[VECTORS], absolutes[VECTORS];
    for (std::size_t v = 0; v < VECTORS; ++v) {
        centre[v] = widened(anchors.centre + lane + v * FOUR);
        first[v] = widened(anchors.first + lane + v * FOUR);
        second[v] = widened(anchors.second + lane + v * FOUR);
        total[v] = widened(anchors.absolute + lane + v * FOUR);
        sum[v] = squares[v] = absolutes[v] = Words{};
    }
    for (std::int64_t r = begin; r < end; ++r)
        for (std::size_t v = 0; v < VECTORS; ++v) {
            const Doubles value = widened(values + r * LANES + lane + v * FOUR);
            const Doubles off = value - centre[v];
            Doubles term = off + first[v], square = off * off + second[v];
            Doubles size = absolute(value) + total[v];
            if constexpr (!Complete) {
                const Bits number = value == value;
                term = number ? term : first[v];
                square = number ? square : second[v];
                size = number ? size : total[v];
            }
            sum[v] += Words(term);
            squares[v] += Words(square);
            absolutes[v] += Words(size);
        }
    const std::int64_t rows = end - begin;
    const auto less = [rows](std::uint64_t bits, double anchor) {
        return std::int64_t(bits - std::uint64_t(rows) * std::uint64_t(bits_of(anchor)));
    };
    for (std::size_t l = 0; l < ABREAST; ++l) {
        const std::size_t at = lane + l;
        sums.first[at] += less(sum[l / FOUR][l % FOUR], anchors.first[at]);
        sums.second[at] += less(squares[l / FOUR][l % FOUR], anchors.second[at]);
        sums.absolute[at] += less(absolutes[l / FOUR][l % FOUR], anchors.absolute[at]);
    }
}

// The rows of a class with weights: a row of weight 2 adds what two rows add.
template <class T>
void add_weighted(const Group<T>& group, const Classes& classes, std::size_t c,
                  const LaneAnchors& anchors, LaneSums<Total>& sums) {
    for (std::int64_t r = classes.offsets[c]; r < classes.offsets[c + 1]; ++r) {
        const Total weight = std::int64_t(classes.weights[r] / classes.weight_unit);
        for (std::size_t l = 0; l < group.used; ++l) {
            const double value = group.values[r * LANES + l];
            if (value != value) continue;
            const double off = value - anchors.centre[l], size = value < 0 ? -value : value;
            sums.first[l] += weight * units(off, anchors.first[l]);
            sums.second[l] += weight * units(off * off, anchors.second[l]);
            sums.absolute[l] += weight * units(size, anchors.absolute[l]);
        }
    }
}

template <class T, class Sum>
void add_class(const Group<T>& group, const Classes& classes, std::size_t c, bool complete,
               const LaneAnchors& anchors, LaneSums<Sum>& sums) {
    for (std::size_t l = 0; l < LANES; ++l) sums.first[l] = sums.second[l] = 0;
    if constexpr (sizeof(Sum) == sizeof(Total))
        if (classes.weights) {
            add_weighted(group, classes, c, anchors, sums);
            return;
        }
    const std::int64_t last = classes.offsets[c + 1];
    for (std::int64_t begin = classes.offsets[c]; begin < last; begin += CHUNK) {
        const std::int64_t end = last - begin < CHUNK ? last : begin + CHUNK;
        for (std::size_t lane = 0; lane < LANES; lane += ABREAST)
            if (complete)
                add_chunk<true>(group.values, begin, end, anchors, lane, sums);
            else
                add_chunk<false>(group.values, begin, end, anchors, lane, sums);
    }
}

// The smallest and the largest value of each lane over all classes.
struct LaneExtremes {
    LaneValues low, high;

    LaneExtremes(const Ranges& ranges, std::size_t columns, std::size_t classes, std::size_t first,
                 std::size_t used)
        : low(ranges.minimum + first, used), high(ranges.maximum + first, used) {
        for (std::size_t c = 1; c < classes; ++c) {
            const LaneValues least(ranges.minimum + c * columns + first, used);
            const LaneValues most(ranges.maximum + c * columns + first, used);
            for (std::size_t l = 0; l < LANES; ++l) {
                low.at[l] = least.at[l] < low.at[l] ? least.at[l] : low.at[l];
                high.at[l] = most.at[l] > high.at[l] ? most.at[l] : high.at[l];
            }
        }
    }
};

// Calls finish_class(class, anchors, sums) for the lanes of each class, then finish_absolute_sums(anchors, sums).
template <class Sum, class T, class FinishClass, class FinishAbsolute>
void group_sums(const Group<T>& group, std::size_t columns, const Classes& classes, bool complete,
                const Ranges& ranges, const FinishClass& finish_class,
                const FinishAbsolute& finish_absolute_sums) {
    LaneSums<Sum> sums;
    double absolutes[LANES];
    const LaneExtremes all(ranges, columns, classes.count, group.first, group.used);
    for (std::size_t l = 0; l < LANES; ++l) {
        absolutes[l] = absolute_anchor(all.low.at[l], all.high.at[l]);
        sums.absolute[l] = 0;
    }
    for (std::size_t c = 0; c < classes.count; ++c) {
        const std::size_t at = c * columns + group.first;
        const LaneAnchors anchors(LaneValues(ranges.minimum + at, group.used),
                                  LaneValues(ranges.maximum + at, group.used), absolutes);
        add_class(group, classes, c, complete, anchors, sums);
        finish_class(c, anchors, sums);
    }
    finish_absolute_sums(absolutes, sums);
}

// The moments of one class of the lanes.
template <class Sum>
void finish_lanes(const LaneAnchors& anchors, const LaneSums<Sum>& sums, double unit,
                  std::size_t used, const Ranges& ranges, const Moments& out, std::size_t at) {
    const LaneValues low(ranges.minimum + at, used), high(ranges.maximum + at, used);
    const LaneValues present(ranges.present + at, used);
    double mean[LANES], m2[LANES], first[LANES], second[LANES];
    for (std::size_t l = 0; l < LANES; ++l) {
        first[l] = rounded(sums.first[l]);
        second[l] = rounded(sums.second[l]);
    }
    for (std::size_t l = 0; l < LANES; ++l) {
        const MeanAndM2 found = finish(anchors.of(l), first[l], second[l], low.at[l], high.at[l],
                                       present.at[l], unit);
        mean[l] = found.mean;
        m2[l] = found.m2;
    }
    for (std::size_t l = 0; l < used; ++l) {
        out.mean[at + l] = mean[l];
        out.m2[at + l] = m2[l];
    }
}

template <class Sum, class T>
void moments_by(const Group<T>& group, std::size_t columns, const Classes& classes, bool complete,
                const Ranges& ranges, const Moments& out) {
    const double unit = classes.weight_unit;
    const auto finish_class = [&](std::size_t c, const LaneAnchors& anchors,
                                  const LaneSums<Sum>& sums) {
        finish_lanes(anchors, sums, unit, group.used, ranges, out, c * columns + group.first);
    };
    const auto finish_absolute_sums = [&](const double* absolutes, const LaneSums<Sum>& sums) {
        for (std::size_t l = 0; l < group.used; ++l)
            out.absolute_sum[group.first + l] = finish_absolute(rounded(sums.absolute[l]),
                                                                absolutes[l], unit);
    };
    group_sums<Sum>(group, columns, classes, complete, ranges, finish_class, finish_absolute_sums);
}

template <class T>
void group_moments(const Group<T>& group, std::size_t columns, const Classes& classes,
                   bool complete, const Ranges& ranges, const Moments& out) {
    if (!classes.weights && classes.offsets[classes.count] <= CHUNK)
        moments_by<std::int64_t>(group, columns, classes, complete, ranges, out);
    else
        moments_by<Total>(group, columns, classes, complete, ranges, out);
}

template <class T>
void store_sums(const Group<T>& group, std::size_t columns, const Classes& classes, bool complete,
                const Ranges& all, const UnitSums& out) {
    const auto finish_class = [&](std::size_t c, const LaneAnchors&, const LaneSums<Total>& sums) {
        const std::size_t at = 2 * (c * columns + group.first);
        for (std::size_t l = 0; l < group.used; ++l) {
            store_total(sums.first[l], out.first + at + 2 * l);
            store_total(sums.second[l], out.second + at + 2 * l);
        }
    };
    const auto finish_absolute_sums = [&](const double*, const LaneSums<Total>& sums) {
        for (std::size_t l = 0; l < group.used; ++l)
            store_total(sums.absolute[l], out.absolute + 2 * (group.first + l));
    };
    group_sums<Total>(group, columns, classes, complete, all, finish_class, finish_absolute_sums);
}

template <class T>
void group_bins(const Group<T>& group, std::size_t columns, const Classes& classes,
                const Ranges& ranges, const Bins& bins) {
    const LaneExtremes all(ranges, columns, classes.count, group.first, group.used);
    for (std::size_t l = 0; l < group.used; ++l)
        choose_bins(all.low.at[l], all.high.at[l], ranges.whole[group.first + l], PRECISION<T>,
                    bins, group.first + l);
}

}  // namespace

template <class T>
void ranges(const Matrix<T>& X, const Classes& classes, const Ranges& out, T* scratch) {
    each_group(X, classes, scratch, [&](const Group<T>& group) {
        group_whole(group, X.rows, out);
        group_ranges(group, X.columns, classes, out);
    });
}

template <class T>
void sums(const Matrix<T>& X, const Classes& classes, const Ranges& all, const UnitSums& out,
          T* scratch) {
    each_group(X, classes, scratch, [&](const Group<T>& group) {
        store_sums(group, X.columns, classes, is_complete(group, X.rows), all, out);
    });
}

template <class T, class Count>
void tally(const Matrix<T>& X, const Classes& classes, const Ranges& all, const UnitSums& out,
           const Bins& bins, Count* counts, T* scratch) {
    each_group(X, classes, scratch, [&](const Group<T>& group) {
        const bool complete = is_complete(group, X.rows);
        store_sums(group, X.columns, classes, complete, all, out);
        group_histogram(group, classes, bins, complete, counts);
    });
}

template <class T>
void moments(const Matrix<T>& X, const Classes& classes, const Ranges& range, const Moments& out,
             T* scratch) {
    each_group(X, classes, scratch, [&](const Group<T>& group) {
        group_whole(group, X.rows, range);
        const bool complete = group_ranges(group, X.columns, classes, range);
        group_moments(group, X.columns, classes, complete, range, out);
    });
}

template <class T, class Count>
void histogram(const Matrix<T>& X, const Classes& classes, const Bins& bins, Count* counts,
               T* scratch) {
    each_group(X, classes, scratch, [&](const Group<T>& group) {
        group_histogram(group, classes, bins, false, counts);
    });
}

template <class T, class Count>
void summarise(const Matrix<T>& X, const Classes& classes, const Ranges& range, const Moments& out,
               const Bins& bins, Count* counts, T* scratch) {
    each_group(X, classes, scratch, [&](const Group<T>& group) {
        group_whole(group, X.rows, range);
        const bool complete = group_ranges(group, X.columns, classes, range);
        group_moments(group, X.columns, classes, complete, range, out);
        group_bins(group, X.columns, classes, range, bins);
        group_histogram(group, classes, bins, complete, counts);
    });
}

template <class T>
void bin_codes(const Matrix<T>& X, const Classes& classes, const Bins& bins, std::uint8_t* codes,
               T* scratch) {
    each_group(X, classes, scratch,
               [&](const Group<T>& group) { group_codes(group, X.rows, bins, codes); });
}

#define FEATRANK_INSTANTIATE_COUNTS(T, Count)                                                   \
    template void histogram<T>(const Matrix<T>&, const Classes&, const Bins&, Count*, T*);      \
    template void tally<T>(const Matrix<T>&, const Classes&, const Ranges&, const UnitSums&,    \
                           const Bins&, Count*, T*);                                            \
    template void summarise<T>(const Matrix<T>&, const Classes&, const Ranges&, const Moments&, \
                               const Bins&, Count*, T*);
#define FEATRANK_INSTANTIATE(T)                                                                    \
    template void ranges<T>(const Matrix<T>&, const Classes&, const Ranges&, T*);                  \
    template void sums<T>(const Matrix<T>&, const Classes&, const Ranges&, const UnitSums&, T*);   \
    template void moments<T>(const Matrix<T>&, const Classes&, const Ranges&, const Moments&, T*); \
    template void bin_codes<T>(const Matrix<T>&, const Classes&, const Bins&, std::uint8_t*, T*);  \
    FEATRANK_INSTANTIATE_COUNTS(T, std::int32_t)                                                   \
    FEATRANK_INSTANTIATE_COUNTS(T, double)
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace FEATRANK_ISA
}  // namespace featrank

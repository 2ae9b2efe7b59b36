// Per-class moments and histograms of a block of columns.
#pragma once
#include <cstddef>
#include <cstdint>

#include "common/matrix.hpp"

namespace featrank {

// Rows grouped by class: class c owns order[offsets[c]] … order[offsets[c + 1] - 1]. Rows that
// are not listed do not take part. `weights` has an entry for each of `order`, or is null; they
// are multiples of `weight_unit`, a power of two, so that their sums are exact.
struct Classes {
    const std::int64_t* order;
    const std::int64_t* offsets;
    const double* weights;
    double weight_unit;
    std::size_t count;
};

// Outputs; those of shape (classes, columns) are row-major. Values that are not numbers are
// missing: they are passed over.
struct Ranges {
    double *minimum, *maximum, *present;  // (classes, columns); present: values, or their weight
    std::uint8_t* whole;                  // (columns): every value is an integer
};

struct Moments {
    double *mean, *m2;     // (classes, columns)
    double* absolute_sum;  // (columns)
};

// Sums in units of their anchors, as integers of 128 bits, the lower 64 first.
struct UnitSums {
    std::uint64_t *first, *second;  // (classes, columns, 2)
    std::uint64_t* absolute;        // (columns, 2)
};

// Equal-width bins [low + k·step, low + (k + 1)·step), the last one closed. `low` lies below the
// smallest value by the margin that rounding needs: see choose_bins.
struct Bins {
    double *low, *step;   // (columns)
    std::int32_t* count;  // (columns)
    std::int32_t most;    // bins asked for
};

// counts has shape (columns, classes, most): integers, or doubles for weighted rows. codes has
// shape (columns, rows), rows in class order, and holds the bin in which each value is counted.
// `sums` needs the ranges of all rows, of which these may be a few; `tally` gives sums and counts
// from one read. `summarise` and `moments` do all steps on whole columns.
#define FEATRANK_DECLARE_HOT(ISA)                                                                \
    namespace ISA {                                                                              \
    template <class T>                                                                           \
    void ranges(const Matrix<T>&, const Classes&, const Ranges&, T* scratch);                    \
    template <class T>                                                                           \
    void sums(const Matrix<T>&, const Classes&, const Ranges&, const UnitSums&, T* scratch);     \
    template <class T>                                                                           \
    void moments(const Matrix<T>&, const Classes&, const Ranges&, const Moments&, T* scratch);   \
    template <class T, class Count>                                                              \
    void histogram(const Matrix<T>&, const Classes&, const Bins&, Count* counts, T* scratch);    \
    template <class T, class Count>                                                              \
    void tally(const Matrix<T>&, const Classes&, const Ranges&, const UnitSums&, const Bins&,    \
               Count* counts, T* scratch);                                                       \
    template <class T, class Count>                                                              \
    void summarise(const Matrix<T>&, const Classes&, const Ranges&, const Moments&, const Bins&, \
                   Count* counts, T* scratch);                                                   \
    template <class T>                                                                           \
    void bin_codes(const Matrix<T>&, const Classes&, const Bins&, std::uint8_t* codes,           \
                   T* scratch);                                                                  \
    }
FEATRANK_DECLARE_HOT(baseline)
FEATRANK_DECLARE_HOT(avx2)

// Columns in one tile, and elements of scratch that a tile of this many rows needs.
std::size_t tile_columns(std::size_t rows, std::size_t element_size);
std::size_t scratch_size(std::size_t rows, std::size_t columns, std::size_t element_size);

// The moments of all rows from their ranges and sums.
void finish_moments(std::size_t classes, std::size_t columns, double weight_unit,
                    const Ranges& ranges, const UnitSums& sums, const Moments& out);

// Columns that are worked on together: enough independent sums to keep the processor busy.
constexpr std::size_t LANES = 16;

// Adding and subtracting this rounds a double below 2^51 in magnitude to an integer.
constexpr double ROUNDER = 6755399441055744.0;

// The distance between 1 and the next number of a type.
template <class T>
constexpr double PRECISION = 2.220446049250313e-16;
template <>
constexpr double PRECISION<float> = 1.1920928955078125e-07;

// How far below an edge a value may lie and still belong above it. A value that is on an edge in
// one unit is next to it in another by what rounding does to the value, the two extremes and the
// edge: less than eight units in the last place of the largest value. Integers are exact in either
// type. A quarter of a bin is the most, where values differ by a few roundings only.
static inline double edge_room(double low, double high, bool whole, double precision, double step) {
    const double above = high < 0 ? -high : high, below = low < 0 ? -low : low;
    const double largest = above > below ? above : below;
    const bool exact = whole && largest * precision < 1;
    const double margin = 8 * (exact ? PRECISION<double> : precision) * largest;
    return margin < step / 4 ? margin : step / 4;
}

// The rule that turns a column's range into bins; the only place where it is written.
// `precision` is that of the type in which the values were given.
static inline void choose_bins(double low, double high, bool whole, double precision,
                               const Bins& bins, std::size_t column) {
    const double range = high - low;
    bins.low[column] = low;
    // A range so small that its parts are 0 has no edges between its ends.
    if (!(range / bins.most > 0)) {
        bins.count[column] = 1;
        bins.step[column] = 0;
    } else if (whole && range < bins.most) {
        bins.count[column] = static_cast<std::int32_t>(range) + 1;
        bins.step[column] = 1;
    } else {
        bins.count[column] = bins.most;
        bins.step[column] = range / bins.most;
        bins.low[column] -= edge_room(low, high, whole, precision, bins.step[column]);
    }
}

}  // namespace featrank

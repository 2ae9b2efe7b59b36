// Nearest neighbours of samples, and differences of features summed over them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace featrank {

// The caller's samples; each row is contiguous, rows are `stride` elements apart.
template <class T>
struct Samples {
    const T* data;
    std::ptrdiff_t stride;
    std::size_t count, columns;
    const T* row(std::int64_t r) const { return data + r * stride; }
};

// Samples grouped by class: class c owns the positions offsets[c] … offsets[c + 1] - 1, and the
// sample at position p is row order[p]. code is the class of each row.
struct Grouping {
    const std::int64_t *order, *offsets, *code;
    std::size_t count;
};

// Samples in short, rows in the order of positions, `stride` values apart, of which those past
// the columns are zero, so that no loop has a tail: bytes for absolute differences, 16 bits for
// squares; none if both are null. `error` bounds how far a row is, in the norm that belongs to
// the metric, from the values that it approximates; `norm` is the sum of a row's squares. A unit
// of distance has `steps` steps of the sketch.
struct Sketch {
    const std::uint8_t* bytes;
    const std::int16_t* shorts;
    std::size_t stride;
    const double *error, *norm;
    double steps;
    bool empty() const { return bytes == nullptr && shorts == nullptr; }
};

// Missing values: row r lacks the columns slot[offsets[r]] … of `column`, and expected holds, for
// (slot, class, row), the scaled difference that an unknown value of the class is expected to
// have.
struct Missing {
    const std::int64_t *offsets, *slot, *column;
    const double* expected;
    std::size_t classes, rows;
    double at(std::int64_t m, std::int64_t c, std::int64_t r) const {
        return expected[(m * classes + c) * rows + r];
    }
};

// The sum over features of |a - b|·scale, or of its square.
enum class Metric { absolute, square };

// The neighbours that each row of a block has: those of rows[i] are
// neighbour[offsets[i]] … neighbour[offsets[i + 1] - 1], with a weight each.
struct Links {
    const std::int64_t *rows, *offsets, *neighbour;
    const double* weight;
    std::size_t count;
};

// Magnitude of a short, and columns of a product: 1024·1448² < 2^31.
constexpr std::int32_t MOST_SHORT = 1448;
constexpr std::size_t SKETCH_COLUMNS = 1024;

// Columns whose products are summed in single precision, and lanes that share the sum.
constexpr std::size_t GRAM_COLUMNS = 512, GRAM_LANES = 8;

// Columns of a tile, and scratch for a multiple of that many columns of all rows.
constexpr std::size_t TILE_COLUMNS = 16;
struct Tiles {
    double* scratch;
    std::size_t columns;
};

// The loops that are compiled for each instruction set.
template <class T>
struct Loops {
    // out[a·width + b] += Σ |first_a - second_b| over `columns` bytes, or the product of shorts;
    // at most SKETCH_COLUMNS, so that 32 bits suffice.
    void (*byte_distances)(const std::uint8_t* first, std::size_t firsts,
                           const std::uint8_t* second, std::size_t seconds, std::size_t stride,
                           std::size_t columns, std::size_t width, double* out);
    void (*short_products)(const std::int16_t* first, std::size_t firsts,
                           const std::int16_t* second, std::size_t seconds, std::size_t stride,
                           std::size_t columns, std::size_t width, double* out);
    // out[a·width + b] += the metric between rows[a] and others[b] over `columns` features, for
    // one or two rows; features where a value is not a number are left out, which takes time and
    // has to be asked for.
    void (*distances)(Metric metric, bool unknown, const T* const* rows, std::size_t height,
                      const T* const* others, std::size_t count, const double* scale,
                      std::size_t columns, std::size_t width, double* out);
};

// Declared for each instruction set: smallest, largest and number of unknown values of each
// column; a row in short, returning what rounding misses (its square for shorts) and the sum of
// squares; the weighted differences of each column, by rows or, with the same bits, by tiles of
// columns; the weighted squares of the links' differences and of the deviations from the mean;
// the distance over all columns for each link; the products of all rows, or their absolute
// distances, added to a table. Where squares are summed by tiles the values are scaled before they are subtracted:
// the scales have to be powers of two.
#define FEATRANK_DECLARE_NEIGHBOURS(ISA)                                                         \
    namespace ISA {                                                                              \
    template <class T>                                                                           \
    Loops<T> loops();                                                                            \
    template <class T>                                                                           \
    void ranges(const Samples<T>&, double* low, double* high, std::int64_t* missing);            \
    template <class T>                                                                           \
    double quantise(const T* row, std::size_t columns, const double* low, const double* scale,   \
                    const double* fill, const double* spread, std::uint8_t* out);                \
    template <class T>                                                                           \
    double shorten(const T* row, std::size_t columns, const double* middle, double scale,        \
                   std::int16_t* out, double* norm);                                             \
    template <class T>                                                                           \
    void differences(Metric, bool unknown, const Samples<T>&, const Links&, const double* scale, \
                     double* scratch, double* out);                                              \
    template <class T>                                                                           \
    void tiled_differences(Metric, bool unknown, const Samples<T>&, const Links&,                \
                           const double* scale, const Tiles&, double* out);                      \
    template <class T>                                                                           \
    void link_distances(Metric, const Samples<T>&, const Links&, const double* scale,            \
                        double* out);                                                            \
    template <class T>                                                                           \
    void smoothness(const Samples<T>&, const Links&, const double* weight, const double* low,    \
                    const double* scale, const Tiles&, double* near, double* overall);           \
    template <class T>                                                                           \
    void gram(Metric, const Samples<T>&, const double* middle, const double* scale,              \
              float* scratch, double* table);                                                    \
    }
FEATRANK_DECLARE_NEIGHBOURS(baseline)
FEATRANK_DECLARE_NEIGHBOURS(avx2)

// Numbers of rows or columns.
struct Selection {
    const std::int64_t* data;
    std::size_t count;
};

// The replacement for an unknown value of each class and column, and how far it may be off; the
// class of each row. Without classes, all values are known.
struct Fill {
    const double *value, *spread;
    const std::int64_t* code;
    std::size_t classes;
};

// The loops above with scratch memory of their own: the weighted differences, by tiles if there
// are enough links for all rows to be copied; the smoothness; the products; rows in short, each
// `width` values apart.
template <class T>
void sum_differences(Metric, bool unknown, const Samples<T>&, const Links&, const double* scale,
                     double* out);
template <class T>
void sum_smoothness(const Samples<T>&, const Links&, const double* weight, const double* low,
                    const double* scale, double* near, double* overall);
template <class T>
void add_gram(Metric, const Samples<T>&, const double* middle, const double* scale, double* table);
template <class T>
void quantise_rows(const Samples<T>&, const Selection&, const double* low, const double* scale,
                   const Fill&, std::size_t width, std::uint8_t* bytes, double* error);
template <class T>
void shorten_rows(const Samples<T>&, const Selection&, const double* middle, double scale,
                  std::size_t width, std::int16_t* shorts, double* error, double* norm);

// The nearest rows of the positions begin … end - 1: of each class c the slots[c + 1] - slots[c]
// nearest, by distance and then by row; never the sample itself. Without a sketch every sample
// is a candidate; missing values may be absent (offsets is null); `known` is null, or the table
// of all distances between positions.
template <class T>
struct Search {
    Samples<T> X;
    Grouping groups;
    Sketch sketch;
    Missing missing;
    Metric metric;
    const double* scale;
    const std::int64_t* slots;
    const double* known;
    Loops<T> loops;
};

template <class T>
void nearest(const Search<T>&, std::size_t begin, std::size_t end, std::int64_t* neighbour,
             double* distance);

// Fills the table of distances in for the pairs of a position begin … end - 1 and a later one.
template <class T>
void all_distances(const Search<T>&, std::size_t begin, std::size_t end, double* table);

// How far a squared distance may be from |x|² + |z|² - 2xz: relative·(|x|² + |z|²) + absolute.
struct Slack {
    double relative, absolute;
};

// Sets possible[i·rows + h] for the rows i < h of which either may be among the k nearest of the
// other, by the products of all rows (i ≤ h).
void possible_pairs(const double* products, std::size_t rows, std::size_t k, const Slack&,
                    bool* possible);

// How many of the two ends of each pair have the other among the k nearest of theirs; equally
// near rows are ordered by number. Each pair is there once.
void count_near(const Links& pairs, const double* distance, std::size_t rows, std::size_t k,
                std::int64_t* times);

// Of each of some columns, and each class: the mean of |v - x|·scale over the known values v of the class,
// for each row (classes, rows), and over those of the row's class too where x is unknown; then
// (classes) the median's place in the range, rounded to a byte's, and the mean deviation from it.
struct Expected {
    double *table, *place, *deviation;
};

template <class T>
void expect(const Samples<T>&, const Selection& columns, const double* low, const double* scale,
            const std::int64_t* code, std::size_t classes, const Expected&);

// out[slot] += Σ weight·expected difference, over the links with an unknown end in the slot's
// column.
template <class T>
void expected_differences(const Samples<T>&, const Links&, const Missing&, const std::int64_t* code,
                          double* out);

}  // namespace featrank

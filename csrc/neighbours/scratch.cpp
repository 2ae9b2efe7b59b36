// Loops over rows and columns that need scratch memory or a choice between two ways.
#include <algorithm>
#include <memory>

#include "common/dispatch.hpp"
#include "common/signals.hpp"
#include "neighbours/neighbours.hpp"

namespace featrank {
namespace {

// Scratch for tiles of as many columns as a core's cache holds of all rows, up to a page per row.
struct OwnTiles {
    std::size_t columns;
    std::unique_ptr<double[]> scratch;

    explicit OwnTiles(std::size_t rows)
        : columns(TILE_COLUMNS * std::clamp<std::size_t>(
                                     (std::size_t(1) << 16) / (rows * TILE_COLUMNS + 1), 1, 32)),
          scratch(new double[rows * columns]) {}

    Tiles view() const { return {scratch.get(), columns}; }
};

}  // namespace

template <class T>
void sum_differences(Metric metric, bool unknown, const Samples<T>& X, const Links& links,
                     const double* scale, double* out) {
    const bool copies_all_rows = std::size_t(links.offsets[links.count]) >= 4 * X.count;
    if (copies_all_rows) {
        const OwnTiles tiles(X.count);
        FEATRANK_DISPATCH(
            tiled_differences<T>(metric, unknown, X, links, scale, tiles.view(), out));
        return;
    }
    std::unique_ptr<double[]> scratch(new double[X.columns]);
    FEATRANK_DISPATCH(differences<T>(metric, unknown, X, links, scale, scratch.get(), out));
}

template <class T>
void sum_smoothness(const Samples<T>& X, const Links& links, const double* weight,
                    const double* low, const double* scale, double* near, double* overall) {
    const OwnTiles tiles(X.count);
    FEATRANK_DISPATCH(smoothness<T>(X, links, weight, low, scale, tiles.view(), near, overall));
}

template <class T>
void add_gram(Metric metric, const Samples<T>& X, const double* middle, const double* scale,
              double* table) {
    std::unique_ptr<float[]> scratch(new float[X.count * GRAM_COLUMNS]);
    FEATRANK_DISPATCH(gram<T>(metric, X, middle, scale, scratch.get(), table));
}

template <class T>
void quantise_rows(const Samples<T>& X, const Selection& rows, const double* low,
                   const double* scale, const Fill& fill, std::size_t width, std::uint8_t* bytes,
                   double* error) {
    for (std::size_t i = 0; i < rows.count; ++i) {
        look_for_signals(X.columns);
        const std::int64_t r = rows.data[i];
        const std::size_t at = fill.classes ? fill.code[r] * X.columns : 0;
        error[i] = FEATRANK_DISPATCH(
            quantise<T>(X.row(r), X.columns, low, scale, fill.classes ? fill.value + at : nullptr,
                        fill.classes ? fill.spread + at : nullptr, bytes + i * width));
    }
}

template <class T>
void shorten_rows(const Samples<T>& X, const Selection& rows, const double* middle, double scale,
                  std::size_t width, std::int16_t* shorts, double* error, double* norm) {
    for (std::size_t i = 0; i < rows.count; ++i) {
        look_for_signals(X.columns);
        error[i] = FEATRANK_DISPATCH(shorten<T>(X.row(rows.data[i]), X.columns, middle, scale,
                                                shorts + i * width, norm + i));
    }
}

#define FEATRANK_INSTANTIATE(T)                                                                    \
    template void sum_differences<T>(Metric, bool, const Samples<T>&, const Links&, const double*, \
                                     double*);                                                     \
    template void sum_smoothness<T>(const Samples<T>&, const Links&, const double*, const double*, \
                                    const double*, double*, double*);                              \
    template void add_gram<T>(Metric, const Samples<T>&, const double*, const double*, double*);   \
    template void quantise_rows<T>(const Samples<T>&, const Selection&, const double*,             \
                                   const double*, const Fill&, std::size_t, std::uint8_t*,         \
                                   double*);                                                       \
    template void shorten_rows<T>(const Samples<T>&, const Selection&, const double*, double,      \
                                  std::size_t, std::int16_t*, double*, double*);
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace featrank

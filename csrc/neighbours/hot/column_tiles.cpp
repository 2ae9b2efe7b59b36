// Hot loops over tiles of columns: see hot/summaries.cpp for what may be written here.
#include "common/signals.hpp"
#include "neighbours/hot/lanes.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// Columns first … first + columns - 1 in tiles of TILE_COLUMNS, all rows of a tile together, so
// that rows which are met in any order lie in the nearest cache. Zeros fill up the last tile.
// The values are multiplied by `scale` unless that is null.
template <bool scaled, class T>
void tile_up(const Samples<T>& X, std::size_t first, std::size_t columns,
             const double* __restrict scale, double* __restrict out) {
    if (scaled) scale += first;
    for (std::size_t r = 0; r < X.count; ++r) {
        const T* __restrict x = X.row(r) + first;
        for (std::size_t j = 0; j < columns; j += TILE_COLUMNS) {
            double* __restrict tile = out + j * X.count + r * TILE_COLUMNS;
            const std::size_t used = columns - j < TILE_COLUMNS ? columns - j : TILE_COLUMNS;
            if (used == TILE_COLUMNS)
                for (std::size_t t = 0; t < TILE_COLUMNS; ++t)
                    tile[t] = scaled ? x[j + t] * scale[j + t] : x[j + t];
            else
                for (std::size_t t = 0; t < TILE_COLUMNS; ++t)
                    tile[t] = t >= used ? 0 : scaled ? x[j + t] * scale[j + t] : x[j + t];
        }
    }
}

constexpr std::size_t GROUPS = TILE_COLUMNS / LANES;

inline void load_tile(const double* source, Lanes* out) {
    for (std::size_t g = 0; g < GROUPS; ++g) load(source + g * LANES, out[g]);
}

// Σ weight·|x_i - x_h|·scale over the links, or of the squares, for each column of a tile; the
// scale is left out if the tile is scaled.
template <Metric M, bool unknown, bool scaled>
void tile_differences(const double* tile, const Links& links, const double* scale, double* out) {
    Lanes total[GROUPS] = {}, part[GROUPS], x[GROUPS], s[GROUPS], other[GROUPS];
    if (!scaled) load_tile(scale, s);
    for (std::size_t i = 0; i < links.count; ++i) {
        load_tile(tile + links.rows[i] * TILE_COLUMNS, x);
        for (std::size_t g = 0; g < GROUPS; ++g) part[g] = Lanes{};
        for (std::int64_t e = links.offsets[i]; e < links.offsets[i + 1]; ++e) {
            load_tile(tile + links.neighbour[e] * TILE_COLUMNS, other);
            for (std::size_t g = 0; g < GROUPS; ++g) {
                const Lanes gap = x[g] - other[g];
                add_weighted<M, unknown>(scaled ? gap : gap * s[g], links.weight[e], part[g]);
            }
        }
        for (std::size_t g = 0; g < GROUPS; ++g) total[g] += part[g];
    }
    __builtin_memcpy(out, total, sizeof total);
}

// Σ weight·(z - mean)² over the rows, for z = x - low and its weighted mean.
void tile_spread(const double* tile, std::size_t rows, const double* weight, const double* low,
                 double* out) {
    Lanes sum[GROUPS] = {}, mean[GROUPS] = {}, x[GROUPS], l[GROUPS];
    double total = 0;
    load_tile(low, l);
    for (std::size_t r = 0; r < rows; ++r) {
        load_tile(tile + r * TILE_COLUMNS, x);
        total += weight[r];
        for (std::size_t g = 0; g < GROUPS; ++g) mean[g] += weight[r] * (x[g] - l[g]);
    }
    for (std::size_t g = 0; g < GROUPS; ++g) mean[g] /= total;
    for (std::size_t r = 0; r < rows; ++r) {
        load_tile(tile + r * TILE_COLUMNS, x);
        for (std::size_t g = 0; g < GROUPS; ++g)
            add_weighted<Metric::square, false>(x[g] - l[g] - mean[g], weight[r], sum[g]);
    }
    __builtin_memcpy(out, sum, sizeof sum);
}

// A vector's entries for one tile, zeros beyond.
inline void tile_of(const double* source, std::size_t used, double* out) {
    for (std::size_t t = 0; t < TILE_COLUMNS; ++t) out[t] = t < used ? source[t] : 0;
}

// Calls work(tile, its first column, columns of X in it) for all tiles of X.
template <bool scaled, class T, class Work>
void each_tile(const Samples<T>& X, const double* scale, const Tiles& tiles, const Work& work) {
    for (std::size_t first = 0; first < X.columns; first += tiles.columns) {
        const std::size_t rest = X.columns - first;
        const std::size_t columns = rest < tiles.columns ? rest : tiles.columns;
        tile_up<scaled>(X, first, columns, scale, tiles.scratch);
        for (std::size_t j = 0; j < columns; j += TILE_COLUMNS) {
            look_for_signals(X.count * TILE_COLUMNS);
            work(tiles.scratch + j * X.count, first + j,
                 columns - j < TILE_COLUMNS ? columns - j : TILE_COLUMNS);
        }
    }
}

template <Metric M, bool unknown, class T>
void tiled_differences_in(const Samples<T>& X, const Links& links, const double* scale,
                          const Tiles& tiles, double* out) {
    const auto work = [&](const double* tile, std::size_t first, std::size_t used) {
        double factor[TILE_COLUMNS], sums[TILE_COLUMNS];
        tile_of(scale + first, used, factor);
        tile_differences<M, unknown, false>(tile, links, factor, sums);
        for (std::size_t t = 0; t < used; ++t) out[first + t] += sums[t];
    };
    each_tile<false>(X, nullptr, tiles, work);
}

typedef float Singles __attribute__((vector_size(GRAM_LANES * sizeof(float))));
constexpr std::size_t GRAM_PANEL = 64, GRAM_ROWS = 6;
#if defined(__GNUC__) && defined(__AVX2__)
#define FEATRANK_IN_REGISTER(value) __asm__("" : "+x"(value))
#else
#define FEATRANK_IN_REGISTER(value)
#endif

inline double sum_of(const Singles& lanes) {
    float part[GRAM_LANES];
    __builtin_memcpy(part, &lanes, sizeof part);
    return sum_of(widened(part) + widened(part + FOUR));
}

// sum += x·y or, for absolute distances, |x - y|.
template <Metric M>
inline void add_term(const Singles& x, const Singles& y, Singles& sum) {
    if (M == Metric::square) {
        sum += x * y;
    } else {
        typedef std::int32_t Bits32 __attribute__((vector_size(sizeof(Singles))));
        sum += Singles(Bits32(x - y) & 0x7fffffff);
    }
}

// table[a·width + b] += the terms of A rows and B rows over some columns, a multiple of lanes.
template <Metric M, std::size_t A, std::size_t B>
void gram_tile(const float* first, const float* second, std::size_t columns, std::size_t width,
               double* table) {
    Singles sum[A][B] = {}, x, y[B];
    for (std::size_t j = 0; j < columns; j += GRAM_LANES) {
        for (std::size_t b = 0; b < B; ++b)
            __builtin_memcpy(&y[b], second + b * GRAM_COLUMNS + j, sizeof x);
        for (std::size_t a = 0; a < A; ++a) {
            __builtin_memcpy(&x, first + a * GRAM_COLUMNS + j, sizeof x);
            FEATRANK_IN_REGISTER(x);  // or the compiler would load it for each product
            for (std::size_t b = 0; b < B; ++b) add_term<M>(x, y[b], sum[a][b]);
        }
    }
    for (std::size_t a = 0; a < A; ++a)
        for (std::size_t b = 0; b < B; ++b) table[a * width + b] += sum_of(sum[a][b]);
}

// Rows a … a + GRAM_ROWS - 1 against rows from `begin` to `end`, those before a left out.
template <Metric M>
void gram_strip(const float* rows, std::size_t columns, std::size_t a, std::size_t begin,
                std::size_t end, std::size_t count, double* table) {
    const std::size_t firsts = count - a < GRAM_ROWS ? count - a : GRAM_ROWS;
    std::size_t b = begin < a ? a : begin;
    for (; firsts == GRAM_ROWS && b + 2 <= end; b += 2)
        gram_tile<M, GRAM_ROWS, 2>(rows + a * GRAM_COLUMNS, rows + b * GRAM_COLUMNS, columns, count,
                                   table + a * count + b);
    for (; b < end; ++b)
        for (std::size_t i = a; i < a + firsts; ++i)
            gram_tile<M, 1, 1>(rows + i * GRAM_COLUMNS, rows + b * GRAM_COLUMNS, columns, count,
                               table + i * count + b);
}

// (x - middle)·scale of some columns in single precision; zeros fill the lanes up.
template <class T>
void gram_row(const T* row, std::size_t columns, const double* __restrict middle,
              const double* __restrict scale, float* __restrict out) {
    for (std::size_t j = 0; j < columns; ++j) out[j] = float((row[j] - middle[j]) * scale[j]);
    for (std::size_t j = columns; j % GRAM_LANES != 0; ++j) out[j] = 0;
}

}  // namespace

template <class T>
void tiled_differences(Metric metric, bool unknown, const Samples<T>& X, const Links& links,
                       const double* scale, const Tiles& tiles, double* out) {
    if (metric == Metric::square)
        tiled_differences_in<Metric::square, false>(X, links, scale, tiles, out);
    else if (unknown)
        tiled_differences_in<Metric::absolute, true>(X, links, scale, tiles, out);
    else
        tiled_differences_in<Metric::absolute, false>(X, links, scale, tiles, out);
}

template <class T>
void smoothness(const Samples<T>& X, const Links& links, const double* weight, const double* low,
                const double* scale, const Tiles& tiles, double* near, double* overall) {
    const auto work = [&](const double* tile, std::size_t first, std::size_t used) {
        double start[TILE_COLUMNS], sums[2][TILE_COLUMNS];
        for (std::size_t t = 0; t < TILE_COLUMNS; ++t)
            start[t] = t < used ? low[first + t] * scale[first + t] : 0;
        tile_differences<Metric::square, false, true>(tile, links, nullptr, sums[0]);
        tile_spread(tile, X.count, weight, start, sums[1]);
        for (std::size_t t = 0; t < used; ++t) {
            near[first + t] = sums[0][t];
            overall[first + t] = sums[1][t];
        }
    };
    each_tile<true>(X, scale, tiles, work);
}

template <class T>
void gram(Metric metric, const Samples<T>& X, const double* middle, const double* scale,
          float* scratch, double* table) {
    for (std::size_t first = 0; first < X.columns; first += GRAM_COLUMNS) {
        const std::size_t rest = X.columns - first, count = X.count;
        const std::size_t columns = rest < GRAM_COLUMNS ? rest : GRAM_COLUMNS;
        const std::size_t padded = (columns + GRAM_LANES - 1) / GRAM_LANES * GRAM_LANES;
        for (std::size_t r = 0; r < count; ++r)
            gram_row(X.row(r) + first, columns, middle + first, scale + first,
                     scratch + r * GRAM_COLUMNS);
        const auto strip = metric == Metric::square ? gram_strip<Metric::square>
                                                    : gram_strip<Metric::absolute>;
        for (std::size_t b = 0; b < count; b += GRAM_PANEL) {
            const std::size_t end = count - b < GRAM_PANEL ? count : b + GRAM_PANEL;
            for (std::size_t a = 0; a < end; a += GRAM_ROWS) {
                look_for_signals(GRAM_ROWS * (end - b) * padded);
                strip(scratch, padded, a, b, end, count, table);
            }
        }
    }
}

#define FEATRANK_INSTANTIATE(T)                                                                \
    template void tiled_differences<T>(Metric, bool, const Samples<T>&, const Links&,          \
                                       const double*, const Tiles&, double*);                  \
    template void smoothness<T>(const Samples<T>&, const Links&, const double*, const double*, \
                                const double*, const Tiles&, double*, double*);                \
    template void gram<T>(Metric, const Samples<T>&, const double*, const double*, float*, double*);
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace FEATRANK_ISA
}  // namespace featrank

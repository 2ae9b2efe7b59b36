// Hot loops of the neighbour search: see hot/summaries.cpp for what may be written here.
#include <cmath>

#include "common/signals.hpp"
#include "neighbours/hot/lanes.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// Columns over which all links are measured at a time: their rows fit into a near cache.
constexpr std::size_t LINK_COLUMNS = 512;

struct Gap {
    std::uint32_t operator()(std::int32_t a, std::int32_t b) const { return std::abs(a - b); }
};

struct Product {
    std::int32_t operator()(std::int32_t a, std::int32_t b) const { return a * b; }
};

// out_n += Σ_j term(first_j, second_nj) for N rows: plain sums, which the compiler turns into
// the instructions for sums of absolute differences and of products.
template <std::size_t N, class Term, class Value, class Sum>
void short_strip(Term term, const Value* a, const Value* b, std::size_t stride, std::size_t columns,
                 double* out, Sum) {
    const Value *c = b + (N > 1 ? stride : 0), *d = b + (N > 2 ? 2 * stride : 0),
                *e = b + (N > 3 ? 3 * stride : 0);
    Sum w = 0, x = 0, y = 0, z = 0;
    for (std::size_t j = 0; j < columns; ++j) {
        w += term(a[j], b[j]);
        if (N > 1) x += term(a[j], c[j]);
        if (N > 2) y += term(a[j], d[j]);
        if (N > 3) z += term(a[j], e[j]);
    }
    out[0] += w;
    if (N > 1) out[1] += x;
    if (N > 2) out[2] += y;
    if (N > 3) out[3] += z;
}

template <class Term, class Sum, class Value>
void short_tile(const Value* first, std::size_t firsts, const Value* second, std::size_t seconds,
                std::size_t stride, std::size_t columns, std::size_t width, double* out) {
    std::size_t b = 0;
    for (; b + 4 <= seconds; b += 4)
        for (std::size_t a = 0; a < firsts; ++a)
            short_strip<4>(Term(), first + a * stride, second + b * stride, stride, columns,
                           out + a * width + b, Sum());
    for (; b < seconds; ++b)
        for (std::size_t a = 0; a < firsts; ++a)
            short_strip<1>(Term(), first + a * stride, second + b * stride, stride, columns,
                           out + a * width + b, Sum());
}

// out[a·width + n] += the distance of row a and another one, for A rows and N others. The features
// come in groups of four lanes, each with its own sum; zeros fill up the last group.
template <Metric M, bool unknown, std::size_t A, std::size_t N, class T>
void strip(const T* const* rows, const T* const* others, const double* scale, std::size_t columns,
           std::size_t width, double* out) {
    Lanes sum[A][N] = {};
    Lanes x[A], other, s;
    std::size_t j = 0;
    for (; j + LANES <= columns; j += LANES) {
        load(scale + j, s);
        for (std::size_t a = 0; a < A; ++a) load(rows[a] + j, x[a]);
        for (std::size_t n = 0; n < N; ++n) {
            load(others[n] + j, other);
            for (std::size_t a = 0; a < A; ++a) add_size<M, unknown>((x[a] - other) * s, sum[a][n]);
        }
    }
    const std::size_t rest = columns - j;
    for (std::size_t a = 0; a < A; ++a)
        for (std::size_t n = 0; n < N; ++n) {
            load_some(rows[a] + j, rest, x[a]), load_some(scale + j, rest, s);
            load_some(others[n] + j, rest, other);
            add_size<M, unknown>((x[a] - other) * s, sum[a][n]);
            const Lanes& lanes = sum[a][n];
            out[a * width + n] += (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
        }
}

// The same for one row and up to four others.
template <Metric M, bool unknown, class T>
void row_distances(const T* const* row, const T* const* others, std::size_t count,
                   const double* scale, std::size_t columns, double* out) {
    if (count == 4) strip<M, unknown, 1, 4>(row, others, scale, columns, 0, out);
    if (count == 3) strip<M, unknown, 1, 3>(row, others, scale, columns, 0, out);
    if (count == 2) strip<M, unknown, 1, 2>(row, others, scale, columns, 0, out);
    if (count == 1) strip<M, unknown, 1, 1>(row, others, scale, columns, 0, out);
}

template <Metric M, bool unknown, class T>
void distances_in(const T* const* rows, std::size_t height, const T* const* others,
                  std::size_t count, const double* scale, std::size_t columns, std::size_t width,
                  double* out) {
    for (std::size_t c = 0; c < count; c += 4) {
        const std::size_t some = count - c < 4 ? count - c : 4;
        if (height == 2 && some == 4)
            strip<M, unknown, 2, 4>(rows, others + c, scale, columns, width, out + c);
        else
            for (std::size_t a = 0; a < height; ++a)
                row_distances<M, unknown>(rows + a, others + c, some, scale, columns,
                                          out + a * width + c);
    }
}

template <class T>
void distances(Metric metric, bool unknown, const T* const* rows, std::size_t height,
               const T* const* others, std::size_t count, const double* scale, std::size_t columns,
               std::size_t width, double* out) {
    if (metric == Metric::square)
        distances_in<Metric::square, false>(rows, height, others, count, scale, columns, width,
                                            out);
    else if (unknown)
        distances_in<Metric::absolute, true>(rows, height, others, count, scale, columns, width,
                                             out);
    else
        distances_in<Metric::absolute, false>(rows, height, others, count, scale, columns, width,
                                              out);
}

// The distances of the links of row i, over columns first … first + columns - 1.
template <Metric M, class T>
void measure_links(const Samples<T>& X, const Links& links, std::size_t i, const double* scale,
                   std::size_t first, std::size_t columns, double* out) {
    const T *x = X.row(links.rows[i]) + first, *others[4];
    const std::int64_t end = links.offsets[i + 1];
    for (std::int64_t e = links.offsets[i]; e < end; e += 4) {
        const std::size_t count = end - e < 4 ? end - e : 4;
        for (std::size_t n = 0; n < count; ++n) others[n] = X.row(links.neighbour[e + n]) + first;
        row_distances<M, false>(&x, others, count, scale + first, columns, out + e);
    }
}

// part_j += Σ_n weight_n·|x_j - other_nj|·scale_j, or of the squares, for N neighbours.
template <Metric M, bool unknown, std::size_t N, class T>
void add_gaps(const Samples<T>& X, const T* x, const std::int64_t* neighbour, const double* weight,
              const double* scale, double* part) {
    const T* others[N];
    for (std::size_t n = 0; n < N; ++n) others[n] = X.row(neighbour[n]);
    Lanes a, b, s, p;
    std::size_t j = 0;
    for (; j + LANES <= X.columns; j += LANES) {
        load(x + j, a), load(scale + j, s), load(part + j, p);
        for (std::size_t n = 0; n < N; ++n) {
            load(others[n] + j, b);
            add_weighted<M, unknown>((a - b) * s, weight[n], p);
        }
        __builtin_memcpy(part + j, &p, sizeof p);
    }
    const std::size_t rest = X.columns - j;
    load_some(x + j, rest, a), load_some(scale + j, rest, s), load_some(part + j, rest, p);
    for (std::size_t n = 0; n < N; ++n) {
        load_some(others[n] + j, rest, b);
        add_weighted<M, unknown>((a - b) * s, weight[n], p);
    }
    for (std::size_t l = 0; l < rest; ++l) part[j + l] = p[l];
}

template <Metric M, bool unknown, class T>
void differences_in(const Samples<T>& X, const Links& links, const double* scale, double* part,
                    double* out) {
    for (std::size_t i = 0; i < links.count; ++i) {
        const T* x = X.row(links.rows[i]);
        const std::int64_t *neighbour = links.neighbour, end = links.offsets[i + 1];
        std::int64_t e = links.offsets[i];
        look_for_signals(X.columns * std::size_t(end - e + 1));
        for (std::size_t j = 0; j < X.columns; ++j) part[j] = 0;
        for (; e + 4 <= end; e += 4)
            add_gaps<M, unknown, 4>(X, x, neighbour + e, links.weight + e, scale, part);
        for (; e < end; ++e)
            add_gaps<M, unknown, 1>(X, x, neighbour + e, links.weight + e, scale, part);
        for (std::size_t j = 0; j < X.columns; ++j) out[j] += part[j];
    }
}

// To whole numbers, none above MOST_SHORT in magnitude.
inline void round_lanes(const Lanes& place, Lanes& whole) {
    typedef std::int32_t Places __attribute__((vector_size(LANES * sizeof(std::int32_t))));
    const Lanes most = Lanes{} + MOST_SHORT;
    Lanes within = place < most ? place : most;
    within = within > -most ? within : -most;
    const Places shifted = __builtin_convertvector(within + (MOST_SHORT + 0.5), Places);
    whole = __builtin_convertvector(shifted, Lanes) - MOST_SHORT;
}

// The places of four values in steps of a byte, rounded into `byte`; what the bytes miss of the
// places is added to `error`. An unknown value has a place and an error of its own.
template <bool unknown>
inline void quantise_lanes(const Lanes& steps, const Lanes& fill, const Lanes& spread, Lanes& error,
                           std::int32_t* byte) {
    typedef std::int32_t Places __attribute__((vector_size(LANES * sizeof(std::int32_t))));
    const Lanes nothing = {}, most = nothing + 255;
    const Bits known = Bits(steps == steps);
    Lanes place = unknown ? (known ? steps : fill) : steps;
    place = place > nothing ? place : nothing;
    place = place < most ? place : most;
    const Places whole = __builtin_convertvector(place + 0.5, Places);
    __builtin_memcpy(byte, &whole, sizeof whole);
    Lanes off = {};
    add_size<Metric::absolute, false>(steps - __builtin_convertvector(whole, Lanes), off);
    error += unknown ? (known ? off : spread) : off;
}

template <bool unknown, class T>
double quantise_in(const T* row, std::size_t columns, const double* low, const double* scale,
                   const double* fill, const double* spread, std::uint8_t* out) {
    Lanes error = {}, x, l, s, f = {}, d = {};
    std::int32_t byte[LANES];
    std::size_t j = 0;
    for (; j + LANES <= columns; j += LANES) {
        load(row + j, x), load(low + j, l), load(scale + j, s);
        if (unknown) load(fill + j, f), load(spread + j, d);
        quantise_lanes<unknown>((x - l) * s, f, d, error, byte);
        for (std::size_t t = 0; t < LANES; ++t) out[j + t] = std::uint8_t(byte[t]);
    }
    const std::size_t rest = columns - j;
    load_some(row + j, rest, x), load_some(low + j, rest, l), load_some(scale + j, rest, s);
    if (unknown) load_some(fill + j, rest, f), load_some(spread + j, rest, d);
    quantise_lanes<unknown>((x - l) * s, f, d, error, byte);
    for (std::size_t t = 0; t < rest; ++t) out[j + t] = std::uint8_t(byte[t]);
    return (error[0] + error[1]) + (error[2] + error[3]);
}

}  // namespace

template <class T>
Loops<T> loops() {
    return {short_tile<Gap, std::uint32_t, std::uint8_t>,
            short_tile<Product, std::int32_t, std::int16_t>, distances<T>};
}

template <class T>
void ranges(const Samples<T>& X, double* __restrict low, double* __restrict high,
            std::int64_t* __restrict missing) {
    for (std::size_t j = 0; j < X.columns; ++j) {
        low[j] = INFINITY;
        high[j] = -INFINITY;
        missing[j] = 0;
    }
    for (std::size_t r = 0; r < X.count; ++r) {
        look_for_signals(X.columns);
        const T* __restrict x = X.row(r);
        for (std::size_t j = 0; j < X.columns; ++j) {
            const double value = x[j];
            low[j] = value < low[j] ? value : low[j];
            high[j] = value > high[j] ? value : high[j];
            missing[j] += value != value;
        }
    }
}

template <class T>
double quantise(const T* row, std::size_t columns, const double* low, const double* scale,
                const double* fill, const double* spread, std::uint8_t* out) {
    return fill == nullptr ? quantise_in<false>(row, columns, low, scale, fill, spread, out)
                           : quantise_in<true>(row, columns, low, scale, fill, spread, out);
}

template <class T>
double shorten(const T* row, std::size_t columns, const double* middle, double scale,
               std::int16_t* out, double* norm) {
    Lanes error = {}, square = {}, x, m, whole = {};
    for (std::size_t j = 0; j < columns; j += LANES) {
        const std::size_t used = columns - j < LANES ? columns - j : LANES;
        used == LANES ? load(row + j, x) : load_some(row + j, used, x);
        used == LANES ? load(middle + j, m) : load_some(middle + j, used, m);
        const Lanes place = (x - m) * scale;
        round_lanes(place, whole);
        for (std::size_t l = 0; l < used; ++l) out[j + l] = std::int16_t(whole[l]);
        error += (place - whole) * (place - whole);
        square += whole * whole;
    }
    *norm = (square[0] + square[1]) + (square[2] + square[3]);
    return (error[0] + error[1]) + (error[2] + error[3]);
}

template <class T>
void link_distances(Metric metric, const Samples<T>& X, const Links& links, const double* scale,
                    double* out) {
    const auto measure = metric == Metric::square ? measure_links<Metric::square, T>
                                                  : measure_links<Metric::absolute, T>;
    for (std::int64_t e = 0; e < links.offsets[links.count]; ++e) out[e] = 0;
    for (std::size_t first = 0; first < X.columns; first += LINK_COLUMNS) {
        const std::size_t rest = X.columns - first;
        const std::size_t columns = rest < LINK_COLUMNS ? rest : LINK_COLUMNS;
        for (std::size_t i = 0; i < links.count; ++i) {
            look_for_signals(columns * std::size_t(links.offsets[i + 1] - links.offsets[i]));
            measure(X, links, i, scale, first, columns, out);
        }
    }
}

template <class T>
void differences(Metric metric, bool unknown, const Samples<T>& X, const Links& links,
                 const double* scale, double* scratch, double* out) {
    if (metric == Metric::square)
        differences_in<Metric::square, false>(X, links, scale, scratch, out);
    else if (unknown)
        differences_in<Metric::absolute, true>(X, links, scale, scratch, out);
    else
        differences_in<Metric::absolute, false>(X, links, scale, scratch, out);
}

#define FEATRANK_INSTANTIATE(T)                                                                \
    template Loops<T> loops<T>();                                                              \
    template void ranges<T>(const Samples<T>&, double*, double*, std::int64_t*);               \
    template double quantise<T>(const T*, std::size_t, const double*, const double*,           \
                                const double*, const double*, std::uint8_t*);                  \
    template double shorten<T>(const T*, std::size_t, const double*, double, std::int16_t*,    \
                               double*);                                                       \
    template void link_distances<T>(Metric, const Samples<T>&, const Links&, const double*,    \
                                    double*);                                                  \
    template void differences<T>(Metric, bool, const Samples<T>&, const Links&, const double*, \
                                 double*, double*);
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace FEATRANK_ISA
}  // namespace featrank

// Products of dense matrices and vectors. Sums run in eight lanes in a fixed order, so that
// every instruction set gives the same bits, and equal columns equal weights.
#include "solvers/dense_loops.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

constexpr std::size_t LANES = 8;
constexpr std::size_t TOGETHER = 4;  // rows, which gives the processor enough sums to overlap

// Half of the lanes, which is what the widest registers in use hold: sums of longer vectors took
// nearly twice as long. Loose ones lie anywhere in memory; they are read here at once, since through a reference
// Clang takes them for aligned.
constexpr std::size_t HALF = LANES / 2;
typedef double Lanes __attribute__((vector_size(8 * HALF)));
typedef double Loose __attribute__((vector_size(8 * HALF), aligned(8), may_alias));

inline Lanes lanes(const double* x) { return *reinterpret_cast<const Loose*>(x); }

// Dot products of ROWS rows with x at once, each summed in its own lanes.
template <std::size_t ROWS>
void dots(const double* const* rows, const double* x, std::size_t size, double* out) {
    Lanes low[ROWS] = {}, high[ROWS] = {};
    std::size_t i = 0;
    for (; i + LANES <= size; i += LANES) {
        const Lanes first = lanes(x + i), second = lanes(x + i + HALF);
        for (std::size_t r = 0; r < ROWS; ++r) {
            low[r] += lanes(rows[r] + i) * first;
            high[r] += lanes(rows[r] + i + HALF) * second;
        }
    }
    for (std::size_t r = 0; r < ROWS; ++r) {
        for (std::size_t l = 0; i + l < size; ++l)
            (l < HALF ? low[r][l] : high[r][l - HALF]) += rows[r][i + l] * x[i + l];
        const Lanes s = low[r] + high[r];
        out[r] = (s[0] + s[1]) + (s[2] + s[3]);
    }
}

double dot(const double* a, const double* b, std::size_t size) {
    double result;
    dots<1>(&a, b, size, &result);
    return result;
}

void times(const DenseRows& A, const double* x, double* out) {
    std::size_t r = 0;
    for (; r + TOGETHER <= A.count; r += TOGETHER) {
        const double* rows[TOGETHER];
        for (std::size_t k = 0; k < TOGETHER; ++k) rows[k] = A.row(r + k);
        dots<TOGETHER>(rows, x, A.columns, out + r);
    }
    for (; r < A.count; ++r) out[r] = dot(A.row(r), x, A.columns);
}

// Of a symmetric matrix: HALF rows and the columns that mirror them, as far as column `first`.
// Each number is read once and counts for both.
void add_block(const double* a, std::size_t stride, std::size_t first, const double* x,
               double* __restrict__ out) {
    static_assert(HALF == 4);
    const double *b = a + stride, *c = b + stride, *d = c + stride, *f = x + first;
    Lanes sums[HALF] = {};
    for (std::size_t i = 0; i < first; i += HALF) {
        const Lanes p = lanes(a + i), q = lanes(b + i), s = lanes(c + i), t = lanes(d + i);
        const Lanes v = lanes(x + i);
        sums[0] += p * v;
        sums[1] += q * v;
        sums[2] += s * v;
        sums[3] += t * v;
        *reinterpret_cast<Loose*>(out + i) = ((lanes(out + i) + f[0] * p) + f[1] * q) +
                                             (f[2] * s + f[3] * t);
    }
    for (std::size_t k = 0; k < HALF; ++k)
        out[first + k] += (sums[k][0] + sums[k][1]) + (sums[k][2] + sums[k][3]);
}

// The same with one row.
void add_row(const double* row, std::size_t r, std::size_t first, const double* x,
             double* __restrict__ out) {
    out[r] += dot(row, x, first);
    for (std::size_t i = 0; i < first; ++i) out[i] += x[r] * row[i];
}

void times_symmetric(const double* A, std::size_t stride, std::size_t size, const double* x,
                     double* __restrict__ out) {
    for (std::size_t r = 0; r < size; ++r) out[r] = 0;
    for (std::size_t first = 0; first < size; first += HALF) {
        const std::size_t end = first + HALF < size ? first + HALF : size;
        if (end == first + HALF)
            add_block(A + first * stride, stride, first, x, out);
        else
            for (std::size_t r = first; r < end; ++r) add_row(A + r * stride, r, first, x, out);
        for (std::size_t r = first; r < end; ++r) {
            const double* row = A + r * stride;
            for (std::size_t i = first; i < r; ++i) {
                out[r] += row[i] * x[i];
                out[i] += row[i] * x[r];
            }
            out[r] += row[r] * x[r];
        }
    }
}

// The same sums, row after row, as one row at a time.
void add_times(const DenseRows& A, const double* factors, double* __restrict__ y) {
    std::size_t r = 0;
    for (; r + TOGETHER <= A.count; r += TOGETHER) {
        const double *a = A.row(r), *b = A.row(r + 1), *c = A.row(r + 2), *d = A.row(r + 3);
        const double* f = factors + r;
        for (std::size_t i = 0; i < A.columns; ++i)
            y[i] = (((y[i] + f[0] * a[i]) + f[1] * b[i]) + f[2] * c[i]) + f[3] * d[i];
    }
    for (; r < A.count; ++r) {
        const double* a = A.row(r);
        for (std::size_t i = 0; i < A.columns; ++i) y[i] += factors[r] * a[i];
    }
}

void add_outer(double factor, const double* __restrict__ v, std::size_t size, std::size_t stride,
               double* __restrict__ A) {
    for (std::size_t r = 0; r < size; ++r) {
        const double scaled = factor * v[r];
        double* row = A + r * stride;
        for (std::size_t c = 0; c < size; ++c) row[c] += scaled * v[c];
    }
}

// Adds TERMS terms, from the first one of V on, to two rows of A at once, as far as the diagonal:
// their sums have the order of one term at a time.
template <std::size_t TERMS>
void add_pair(const DenseRows& V, std::size_t first, const double* factors, double* __restrict__ a,
              double* __restrict__ b, std::size_t r) {
    const double* v[TERMS];
    double s[TERMS], t[TERMS];
    for (std::size_t k = 0; k < TERMS; ++k) {
        v[k] = V.row(first + k);
        s[k] = factors[first + k] * v[k][r];
        t[k] = factors[first + k] * v[k][r + 1];
    }
    for (std::size_t c = 0; c < r + 2; ++c) {
        double one = a[c], two = b[c];
        for (std::size_t k = 0; k < TERMS; ++k) {
            one += s[k] * v[k][c];
            two += t[k] * v[k][c];
        }
        a[c] = one;
        b[c] = two;
    }
}

template <std::size_t TERMS>
void add_one(const DenseRows& V, std::size_t first, const double* factors, double* __restrict__ a,
             std::size_t r) {
    for (std::size_t k = first; k < first + TERMS; ++k) {
        const double* v = V.row(k);
        const double scaled = factors[k] * v[r];
        for (std::size_t c = 0; c < V.columns; ++c) a[c] += scaled * v[c];
    }
}

template <std::size_t TERMS>
void add_some(const DenseRows& V, std::size_t first, const double* factors, std::size_t stride,
              double* A) {
    std::size_t r = 0;
    for (; r + 2 <= V.columns; r += 2)
        add_pair<TERMS>(V, first, factors, A + r * stride, A + (r + 1) * stride, r);
    if (r < V.columns) add_one<TERMS>(V, first, factors, A + r * stride, r);
}

void add_outers(const DenseRows& V, const double* factors, std::size_t stride, double* A) {
    std::size_t k = 0;
    for (; k + TOGETHER <= V.count; k += TOGETHER) add_some<TOGETHER>(V, k, factors, stride, A);
    for (; k < V.count; ++k) add_some<1>(V, k, factors, stride, A);
}

constexpr DenseLoops LOOPS{dot, times, times_symmetric, add_times, add_outer, add_outers};

}  // namespace

const DenseLoops& dense_loops() { return LOOPS; }

}  // namespace FEATRANK_ISA
}  // namespace featrank

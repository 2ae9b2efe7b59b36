// The hot loops of the support vector machine. Sums run in eight lanes in a fixed order, so that
// every instruction set gives the same bits, and equal columns equal weights.
#include "svm.hpp"

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

void times(const SvmRows& A, const double* x, double* out) {
    std::size_t r = 0;
    for (; r + TOGETHER <= A.count; r += TOGETHER) {
        const double* rows[TOGETHER];
        for (std::size_t k = 0; k < TOGETHER; ++k) rows[k] = A.row(r + k);
        dots<TOGETHER>(rows, x, A.columns, out + r);
    }
    for (; r < A.count; ++r) out[r] = dot(A.row(r), x, A.columns);
}

// The same sums, row after row, as one row at a time.
void add_times(const SvmRows& A, const double* factors, double* __restrict__ y) {
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

constexpr SvmLoops LOOPS{dot, times, add_times, add_outer};

}  // namespace

const SvmLoops& svm_loops() { return LOOPS; }

}  // namespace FEATRANK_ISA
}  // namespace featrank

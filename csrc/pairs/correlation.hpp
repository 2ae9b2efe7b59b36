// Rank correlation of features: ranks of columns, and products with a symmetric matrix of
// absolute correlations, stored as an upper triangle.
#pragma once
#include <cstddef>
#include <cstdint>

#include "common/matrix.hpp"

namespace featrank {

// For each column of X: average ranks, centred and scaled to length 1, as a row of `out`
// (columns, rows); zeros for a constant. The sign is such that the first rank that is not 0 is
// positive. Rows that are equal have equal keys.
template <class T, class Out>
void unit_ranks(const Matrix<T>& X, Out* out, std::uint64_t* keys);

// `panel` (rows, columns) holds the rows of a symmetric matrix R from the diagonal on:
// panel(i, j) is R(i, j) for j ≥ i, and what is left of the diagonal is not read.
// result_i += Σ_{j ≥ i} |R_ij|·vector_j and result_j += |R_ij|·vector_i for j > i.
#define FEATRANK_DECLARE_CORRELATION(ISA)                                         \
    namespace ISA {                                                               \
    template <class T>                                                            \
    void add_absolute_half(const T* panel, std::size_t rows, std::size_t columns, \
                           const double* vector, double* result);                 \
    }
FEATRANK_DECLARE_CORRELATION(baseline)
FEATRANK_DECLARE_CORRELATION(avx2)

}  // namespace featrank

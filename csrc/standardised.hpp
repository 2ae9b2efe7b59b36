// Standardised features, one a row, and their correlations.
#pragma once
#include <cstddef>
#include <cstdint>

#include "summaries.hpp"

namespace featrank {

// Standardised features as a matrix (features, rows), and whose correlations are wanted.
template <class T>
struct Correlations {
    const T* values;
    std::size_t rows;
    double least;  // an absolute correlation counts as this much at least
    const std::int64_t* chosen;
    std::size_t n_chosen;
    const std::int64_t* candidates;
    std::size_t count;
};

// total[j] is candidate j's sum of absolute correlations with the first n_known[j] chosen ones;
// both are brought up to date. The lanes of a product are fixed, so that equal features give
// equal bits. standardised[j·rows + r] = (X[r, j] - mean[j])·scale[j].
#define FEATRANK_DECLARE_STANDARDISED(ISA)                                                     \
    namespace ISA {                                                                           \
    template <class T>                                                                        \
    void correlation_sums(const Correlations<T>&, std::int64_t* n_known, double* total);      \
    template <class T>                                                                        \
    void standardise(const Matrix<T>& X, const double* mean, const double* scale,             \
                     T* standardised);                                                        \
    }
FEATRANK_DECLARE_STANDARDISED(baseline)
FEATRANK_DECLARE_STANDARDISED(avx2)

}  // namespace featrank

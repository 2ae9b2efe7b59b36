// Standardised features, one per row, and their correlations.
#pragma once
#include <cstddef>
#include <cstdint>

#include "common/matrix.hpp"
#include "pairs/best_candidate.hpp"

namespace featrank {

// Standardised features as a matrix (features, rows), and the quotient of a statistic of each and
// its mean absolute correlation with the chosen ones. For every feature, `excess` holds what the
// correlations with the first n_known chosen ones have above `least`, added up.
template <class T>
struct Quotients {
    const T* values;
    std::size_t rows;
    double least;  // an absolute correlation counts as this much at least
    const double* statistic;
    const std::int64_t* chosen;
    std::size_t n_chosen;
    std::int64_t* n_known;
    double* excess;
};

// The quotient where all correlations are known, and not less than it elsewhere.
template <class T>
static inline double quotient_bound(const Quotients<T>& all, std::size_t feature) {
    return all.statistic[feature] / (all.excess[feature] / double(all.n_chosen) + all.least);
}

// quotient brings a feature up to date, or gives it up once its bound is below the floor, and
// returns the bound. The lanes of a product are fixed, so that equal features give equal bits.
// standardised[j·rows + r] = (X[r, j] - mean[j])·scale[j].
#define FEATRANK_DECLARE_STANDARDISED(ISA)                                        \
    namespace ISA {                                                               \
    template <class T>                                                            \
    double quotient(const Quotients<T>&, std::size_t feature, double floor);      \
    template <class T>                                                            \
    void standardise(const Matrix<T>& X, const double* mean, const double* scale, \
                     T* standardised);                                            \
    }
FEATRANK_DECLARE_STANDARDISED(baseline)
FEATRANK_DECLARE_STANDARDISED(avx2)

// The candidate with the largest quotient.
template <class T>
Best best_quotient(const Quotients<T>& all, const Candidates& candidates);

}  // namespace featrank

// Sums of products of each column with one more vector, which do not depend on the order of rows.
#pragma once
#include <cstdint>

#include "common/matrix.hpp"

namespace featrank {

// What columns are multiplied by: a factor of at most 1 in magnitude for each listed row. Other
// rows take no part.
struct Factors {
    const std::int64_t* rows;
    const double* values;
    std::size_t count;
};

// Where a column is measured from, and a bound on how far from there its values lie.
struct Origins {
    const double *centre, *reach;
};

// sums[j] = Σ factor·(x_j - centre_j), each term rounded to a unit that the reach defines: see
// sums.hpp.
#define FEATRANK_DECLARE_PRODUCTS(ISA)                                             \
    namespace ISA {                                                                \
    template <class T>                                                             \
    void products(const Matrix<T>&, const Factors&, const Origins&, double* sums); \
    }
FEATRANK_DECLARE_PRODUCTS(baseline)
FEATRANK_DECLARE_PRODUCTS(avx2)

}  // namespace featrank

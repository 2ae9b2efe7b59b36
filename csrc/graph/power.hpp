// Steps of the power iteration on a graph whose products are running sums, in one pass each.
#pragma once
#include "graph/graph.hpp"

namespace featrank {

// A_ij = Σ_t weight_t·left_ti·right_tj + weight·max(level_i, level_j), with ascending levels.
struct Levelled {
    const double *left, *right;  // (terms, size)
    const double* level;
    const double* weights;  // of the terms, then of the levels
    std::size_t terms, size;
};

constexpr std::size_t MOST_TERMS = 2;

// The unit vector of the iteration is factor·vector. `products` has right_t·vector for each
// term, then level·vector; `eigenvalue` is a guess from the step before.
struct Iterate {
    double* vector;
    double* products;
    double factor, shift, eigenvalue;
};

// The same step as `advance`, where vector becomes image + shift·factor·vector, not scaled, and
// `products` are those of the new vector.
#define FEATRANK_DECLARE_POWER(ISA)                      \
    namespace ISA {                                      \
    Step levelled_step(const Levelled&, const Iterate&); \
    }
FEATRANK_DECLARE_POWER(baseline)
FEATRANK_DECLARE_POWER(avx2)

}  // namespace featrank

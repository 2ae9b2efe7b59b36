// Products of a feature graph's matrix with a vector.
#pragma once
#include <cstddef>

namespace featrank {

// result_i = Σ_j max(level_i, level_j)·vector_j, for levels in ascending order, in O(n).
// Equal levels get equal bits.
void largest_of_two(const double* level, const double* vector, std::size_t size, double* result);

}  // namespace featrank

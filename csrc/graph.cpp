#include "graph.hpp"

namespace featrank {

// For ascending levels, Σ_j max(level_i, level_j)·v_j = level_i·Σ_{j ≤ i} v_j + Σ_{j > i} level_j·v_j.
// Both sums are taken at the last member of each run of equal levels.
void largest_of_two(const double* level, const double* vector, std::size_t size, double* result) {
    double below = 0;
    for (std::size_t i = 0; i < size; ++i) result[i] = below += vector[i];
    double above = 0, run = 0, value = 0;
    for (std::size_t i = size; i-- > 0;) {
        if (i + 1 == size || level[i] != level[i + 1]) {
            above += run;
            run = 0;
            value = level[i] * result[i] + above;
        }
        run += level[i] * vector[i];
        result[i] = value;
    }
}

}  // namespace featrank

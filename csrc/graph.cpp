#include "graph.hpp"

#include <cmath>

namespace featrank {

double dot(const double* a, const double* b, std::size_t size) {
    double part[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 8 <= size; i += 8)
        for (std::size_t l = 0; l < 8; ++l) part[l] += a[i + l] * b[i + l];
    for (std::size_t l = 0; i < size; ++i, ++l) part[l] += a[i] * b[i];
    return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
}

void add_scaled(double factor, const double* vector, std::size_t size, double* result) {
    for (std::size_t i = 0; i < size; ++i) result[i] += factor * vector[i];
}

// The smallest level has Σ_j level_j·v_j; from each level to the next, all nodes below gain the
// difference: value_{i+1} = value_i + (level_{i+1} - level_i)·Σ_{j ≤ i} v_j.
void add_largest_of_two(const double* level, const double* vector, double weight,
                        std::size_t size, double* result) {
    if (size == 0) return;
    double value = dot(level, vector, size), below = 0, previous = level[0];
    for (std::size_t i = 0; i < size; ++i) {
        value += (level[i] - previous) * below;
        previous = level[i];
        below += vector[i];
        result[i] += weight * value;
    }
}

Step measure(const double* image, const double* vector, std::size_t size) {
    const double eigenvalue = dot(image, vector, size);
    double part[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (std::size_t i = 0; i < size; ++i) {
        const double gap = image[i] - eigenvalue * vector[i];
        part[i % 8] += gap * gap;
    }
    double residual = 0;
    for (double p : part) residual += p;
    return {eigenvalue, std::sqrt(dot(image, image, size)), std::sqrt(residual)};
}

}  // namespace featrank

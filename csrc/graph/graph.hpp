// Products of a feature graph's matrix with a vector, and steps of the power iteration.
// All sums run in one fixed order, so that results do not depend on threads.
#pragma once
#include <cstddef>

namespace featrank {

double dot(const double* a, const double* b, std::size_t size);

// result_i += factor·vector_i
void add_scaled(double factor, const double* vector, std::size_t size, double* result);

// result_i += weight·Σ_j max(level_i, level_j)·vector_j, for levels in ascending order, in O(n).
// Equal levels get equal bits.
void add_largest_of_two(const double* level, const double* vector, double weight, std::size_t size,
                        double* result);

struct Step {
    double eigenvalue, length, residual;
};

// A step of the power iteration on A + shift·1, for a vector of length 1 and image = A·vector:
// λ = vector·image, |image + shift·vector| and |image - λ·vector|; then vector becomes
// image + shift·vector, scaled to length 1, and image becomes 0. Where they are 0 already, the
// vector stays.
Step advance(double* image, double* vector, double shift, std::size_t size);

// result_i = source[order_i]
void gather(const double* source, const long long* order, std::size_t size, double* result);

// result[order_i] = source_i
void scatter(const double* source, const long long* order, std::size_t size, double* result);

// result[order_i] = i + 1
void places(const long long* order, std::size_t size, long long* result);

// The positions of the values in ascending order; equal values keep their order. Scratch is as
// long as the order.
void argsort(const double* values, std::size_t size, long long* scratch, long long* order);

}  // namespace featrank

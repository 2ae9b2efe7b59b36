#include "graph/graph.hpp"

#include <cmath>

namespace featrank {

double dot(const double* a, const double* b, std::size_t size) {
    double part[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 8 <= size; i += 8)
        for (std::size_t l = 0; l < 8; ++l) part[l] += a[i + l] * b[i + l];
    for (std::size_t l = 0; i < size; ++i, ++l) part[l] += a[i] * b[i];
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7]));
}

void add_scaled(double factor, const double* vector, std::size_t size, double* result) {
    for (std::size_t i = 0; i < size; ++i) result[i] += factor * vector[i];
}

// The smallest level has Σ_j level_j·v_j; from each level to the next, all nodes below gain the
// difference: value_{i+1} = value_i + (level_{i+1} - level_i)·Σ_{j ≤ i} v_j.
void add_largest_of_two(const double* level, const double* vector, double weight, std::size_t size,
                        double* result) {
    if (size == 0) return;
    double value = dot(level, vector, size), below = 0, previous = level[0];
    for (std::size_t i = 0; i < size; ++i) {
        value += (level[i] - previous) * below;
        previous = level[i];
        below += vector[i];
        result[i] += weight * value;
    }
}

namespace {

struct Sums {
    double own = 0, with_vector = 0;
};

// For image + shift·vector: its square, and its product with the vector.
Sums sums(const double* image, const double* vector, double shift, std::size_t size) {
    double own[4] = {0, 0, 0, 0}, with_vector[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    const auto add = [&](std::size_t at, std::size_t l) {
        const double shifted = image[at] + shift * vector[at];
        own[l] += shifted * shifted;
        with_vector[l] += shifted * vector[at];
    };
    for (; i + 4 <= size; i += 4)
        for (std::size_t l = 0; l < 4; ++l) add(i + l, l);
    for (std::size_t l = 0; i < size; ++i, ++l) add(i, l);
    return {(own[0] + own[1]) + (own[2] + own[3]),
            (with_vector[0] + with_vector[1]) + (with_vector[2] + with_vector[3])};
}

// Returns |image - λ·vector|², and moves vector on to factor·(image + shift·vector).
double replace(double* image, double* vector, double eigenvalue, double shift, double factor,
               std::size_t size) {
    double part[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    const auto step = [&](std::size_t at, std::size_t l) {
        const double gap = image[at] - eigenvalue * vector[at];
        part[l] += gap * gap;
        vector[at] = factor * (image[at] + shift * vector[at]);
        image[at] = 0;
    };
    for (; i + 4 <= size; i += 4)
        for (std::size_t l = 0; l < 4; ++l) step(i + l, l);
    for (std::size_t l = 0; i < size; ++i, ++l) step(i, l);
    return (part[0] + part[1]) + (part[2] + part[3]);
}

}  // namespace

Step advance(double* image, double* vector, double shift, std::size_t size) {
    const Sums sum = sums(image, vector, shift, size);
    const double length = std::sqrt(sum.own), eigenvalue = sum.with_vector - shift;
    if (length == 0) return {0, 0, 0};
    const double gap = replace(image, vector, eigenvalue, shift, 1 / length, size);
    return {eigenvalue, length, std::sqrt(gap)};
}

// Places between asking for a value and using it.
constexpr std::size_t AHEAD = 32;

void gather(const double* source, const long long* order, std::size_t size, double* result) {
    for (std::size_t i = 0; i < size; ++i) {
        if (i + AHEAD < size) __builtin_prefetch(source + order[i + AHEAD]);
        result[i] = source[order[i]];
    }
}

void scatter(const double* source, const long long* order, std::size_t size, double* result) {
    for (std::size_t i = 0; i < size; ++i) {
        if (i + AHEAD < size) __builtin_prefetch(result + order[i + AHEAD], 1);
        result[order[i]] = source[i];
    }
}

void places(const long long* order, std::size_t size, long long* result) {
    for (std::size_t i = 0; i < size; ++i) {
        if (i + AHEAD < size) __builtin_prefetch(result + order[i + AHEAD], 1);
        result[order[i]] = (long long)(i) + 1;
    }
}

}  // namespace featrank

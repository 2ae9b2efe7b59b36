// Dot products of long rows, for the hot loops.
#pragma once
#include <cstddef>

namespace featrank {
namespace FEATRANK_ISA {
namespace {

constexpr std::size_t WIDTH = 16;

// The lanes are fixed, so that equal rows give equal bits.
template <class T>
double dot(const T* a, const T* b, std::size_t size) {
    double lane[WIDTH] = {};
    std::size_t r = 0;
    for (; r + WIDTH <= size; r += WIDTH)
        for (std::size_t l = 0; l < WIDTH; ++l) lane[l] += double(a[r + l]) * double(b[r + l]);
    for (std::size_t l = 0; r < size; ++r, ++l) lane[l] += double(a[r]) * double(b[r]);
    for (std::size_t half = WIDTH / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l) lane[l] += lane[l + half];
    return lane[0];
}

}  // namespace
}  // namespace FEATRANK_ISA
}  // namespace featrank

// X tile by tile, so that it is read from memory once: part of the hot loops.
#pragma once
#include "common/signals.hpp"
#include "summaries/summaries.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// A few neighbouring columns, rows in class order: a dense array (rows, LANES).
template <class T>
struct Group {
    const T* values;
    std::size_t first, used;  // the first of its columns, and how many of the lanes are columns
};

template <class T>
void gather_rows(const Matrix<T>& X, const Classes& classes, std::size_t first, std::size_t width,
                 T* tile) {
    constexpr std::size_t L = LANES;
    for (std::size_t r = 0; r < X.rows; ++r) {
        const T* source = X.data + classes.order[r] * X.row_stride +
                          std::ptrdiff_t(first) * X.column_stride;
        std::size_t j = 0;
        for (; j + L <= width; j += L)
            __builtin_memcpy(tile + (j / L * X.rows + r) * L, source + j, L * sizeof(T));
        for (; j < width; ++j) tile[(j / L * X.rows + r) * L + j % L] = source[j];
    }
}

template <class T>
void gather_strided(const Matrix<T>& X, const Classes& classes, std::size_t first,
                    std::size_t width, T* tile) {
    constexpr std::size_t L = LANES;
    for (std::size_t j = 0; j < width; ++j) {
        const T* source = X.data + std::ptrdiff_t(first + j) * X.column_stride;
        T* target = tile + j / L * X.rows * L + j % L;
        for (std::size_t r = 0; r < X.rows; ++r)
            target[r * L] = source[classes.order[r] * X.row_stride];
    }
}

// Lanes past the last column repeat zero, so that nothing undefined enters the arithmetic.
template <class T>
void clear_unused(std::size_t rows, std::size_t width, T* tile) {
    constexpr std::size_t L = LANES;
    if (width % L == 0) return;
    T* last = tile + width / L * rows * L;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t l = width % L; l < L; ++l) last[r * L + l] = 0;
}

// Calls work(group) for each group of columns, tile by tile, so that X is read once.
template <class T, class Work>
void each_group(const Matrix<T>& X, const Classes& classes, T* tile, const Work& work) {
    constexpr std::size_t L = LANES;
    const std::size_t step = tile_columns(X.rows, sizeof(T));
    for (std::size_t first = 0; first < X.columns; first += step) {
        const std::size_t width = X.columns - first < step ? X.columns - first : step;
        look_for_signals(X.rows * width);
        clear_unused(X.rows, width, tile);
        if (X.column_stride == 1)
            gather_rows(X, classes, first, width, tile);
        else
            gather_strided(X, classes, first, width, tile);
        for (std::size_t j = 0; j < width; j += L)
            work(Group<T>{tile + j * X.rows, first + j, width - j < L ? width - j : L});
    }
}

// The weight of a row; a constant where rows have none, so that it costs nothing.
template <bool Weighted>
double weight(const Classes& classes, std::size_t row) {
    if constexpr (Weighted) return classes.weights[row];
    return 1;
}

}  // namespace
}  // namespace FEATRANK_ISA
}  // namespace featrank

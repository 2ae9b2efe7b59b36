// The caller's matrix.
#pragma once
#include <cstddef>

namespace featrank {

// A two-dimensional view; strides are in elements.
template <class T>
struct Matrix {
    const T* data;
    std::ptrdiff_t row_stride, column_stride;
    std::size_t rows, columns;
};

}  // namespace featrank

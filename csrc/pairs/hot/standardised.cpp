// Standardised features and their quotients: compiled once for each instruction set, plain loops
// only.
#include "pairs/standardised.hpp"

#include "common/hot/dot.hpp"
#include "common/signals.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// A square of this many rows and columns is read by rows and written by columns.
constexpr std::size_t SQUARE = 8;

// In vectors: rows lie together in X, columns in the result, `stride` apart.
template <class T>
void whole_square(const Matrix<T>& X, const double* mean, const double* scale, T* out,
                  std::size_t stride) {
    T square[SQUARE][SQUARE];
    for (std::size_t r = 0; r < SQUARE; ++r)
        for (std::size_t j = 0; j < SQUARE; ++j)
            square[r][j] =
                T((X.data[std::ptrdiff_t(r) * X.row_stride + std::ptrdiff_t(j)] - mean[j]) *
                  scale[j]);
    for (std::size_t j = 0; j < SQUARE; ++j)
        for (std::size_t r = 0; r < SQUARE; ++r) out[j * stride + r] = square[r][j];
}

template <class T>
void some_values(const Matrix<T>& X, const double* mean, const double* scale, T* out,
                 std::size_t stride) {
    for (std::size_t j = 0; j < X.columns; ++j)
        for (std::size_t r = 0; r < X.rows; ++r) {
            const double value =
                X.data[std::ptrdiff_t(r) * X.row_stride + std::ptrdiff_t(j) * X.column_stride];
            out[j * stride + r] = T((value - mean[j]) * scale[j]);
        }
}

}  // namespace

template <class T>
double quotient(const Quotients<T>& all, std::size_t feature, double floor) {
    const T* own = all.values + feature * all.rows;
    std::int64_t& known = all.n_known[feature];
    double bound = quotient_bound(all, feature);
    for (; std::size_t(known) < all.n_chosen && bound >= floor; ++known) {
        look_for_signals(all.rows);
        double size = dot(all.values + all.chosen[known] * all.rows, own, all.rows);
        size = size < 0 ? -size : size;
        if (size > all.least) all.excess[feature] += size - all.least;
        bound = quotient_bound(all, feature);
    }
    return bound;
}

template <class T>
void standardise(const Matrix<T>& X, const double* mean, const double* scale, T* standardised) {
    for (std::size_t top = 0; top < X.rows; top += SQUARE) {
        const std::size_t rows = X.rows - top < SQUARE ? X.rows - top : SQUARE;
        look_for_signals(rows * X.columns);
        for (std::size_t left = 0; left < X.columns; left += SQUARE) {
            const std::size_t columns = X.columns - left < SQUARE ? X.columns - left : SQUARE;
            const Matrix<T> part{X.data + std::ptrdiff_t(top) * X.row_stride +
                                     std::ptrdiff_t(left) * X.column_stride,
                                 X.row_stride, X.column_stride, rows, columns};
            T* out = standardised + left * X.rows + top;
            if (rows == SQUARE && columns == SQUARE && X.column_stride == 1)
                whole_square(part, mean + left, scale + left, out, X.rows);
            else
                some_values(part, mean + left, scale + left, out, X.rows);
        }
    }
}

#define FEATRANK_INSTANTIATE(T)                                            \
    template double quotient<T>(const Quotients<T>&, std::size_t, double); \
    template void standardise<T>(const Matrix<T>&, const double*, const double*, T*);
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace FEATRANK_ISA
}  // namespace featrank

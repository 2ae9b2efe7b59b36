// Dot products of long rows: compiled once for each instruction set, plain loops only.
#include "standardised.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

constexpr std::size_t WIDTH = 16;

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

template <class T>
void correlation_sums(const Correlations<T>& all, std::int64_t* n_known, double* total) {
    for (std::size_t j = 0; j < all.count; ++j) {
        const T* candidate = all.values + all.candidates[j] * all.rows;
        for (; std::size_t(n_known[j]) < all.n_chosen; ++n_known[j]) {
            const T* chosen = all.values + all.chosen[n_known[j]] * all.rows;
            double size = dot(chosen, candidate, all.rows);
            size = size < 0 ? -size : size;
            total[j] += size > all.least ? size : all.least;
        }
    }
}

// A square of this many rows and columns is read by rows and written by columns.
constexpr std::size_t SQUARE = 8;

template <class T>
void standardise(const Matrix<T>& X, const double* mean, const double* scale, T* standardised) {
    for (std::size_t top = 0; top < X.rows; top += SQUARE) {
        const std::size_t bottom = X.rows - top < SQUARE ? X.rows : top + SQUARE;
        for (std::size_t left = 0; left < X.columns; left += SQUARE) {
            const std::size_t right = X.columns - left < SQUARE ? X.columns : left + SQUARE;
            for (std::size_t j = left; j < right; ++j)
                for (std::size_t r = top; r < bottom; ++r) {
                    const double value = X.data[std::ptrdiff_t(r) * X.row_stride +
                                                std::ptrdiff_t(j) * X.column_stride];
                    standardised[j * X.rows + r] = T((value - mean[j]) * scale[j]);
                }
        }
    }
}

#define FEATRANK_INSTANTIATE(T)                                                               \
    template void correlation_sums<T>(const Correlations<T>&, std::int64_t*, double*);        \
    template void standardise<T>(const Matrix<T>&, const double*, const double*, T*);
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace FEATRANK_ISA
}  // namespace featrank

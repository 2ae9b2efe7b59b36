// The product with half a symmetric matrix: compiled once for each instruction set. Only plain
// loops here, see summaries.cpp. Sums are in double and in one fixed order.
#include "pairs/correlation.hpp"
#include "common/signals.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// Four doubles that the compiler keeps in one wide register, or in two narrow ones: left to
// itself it does not see that these loops fit.
constexpr std::size_t ROWS = 4, LANES = 4;
typedef double Pack __attribute__((vector_size(LANES * sizeof(double))));
typedef float Narrow __attribute__((vector_size(LANES * sizeof(float))));
typedef std::int64_t Bits __attribute__((vector_size(LANES * sizeof(double))));

inline void load(const double* source, Pack& pack) { __builtin_memcpy(&pack, source, sizeof pack); }

inline void load(const float* source, Pack& pack) {
    Narrow narrow;
    __builtin_memcpy(&narrow, source, sizeof narrow);
    pack = __builtin_convertvector(narrow, Pack);
}

inline void clear_signs(Pack& pack) {
    const Bits magnitude = Bits{} + INT64_MAX;
    pack = (Pack)((Bits)pack & magnitude);
}

inline double absolute(double value) { return __builtin_fabs(value); }

template <class T>
void one_row(const T* row, std::size_t i, std::size_t end, const double* vector, double* result) {
    double sum = absolute(row[i]) * vector[i];
    for (std::size_t j = i + 1; j < end; ++j) {
        const double weight = absolute(row[j]);
        sum += weight * vector[j];
        result[j] += weight * vector[i];
    }
    result[i] += sum;
}

// Four rows at once, so that the result is read and written once for the four.
template <class T>
void four_rows(const T* panel, std::size_t columns, std::size_t i, const double* vector,
               double* result) {
    const T* row = panel + i * columns;
    Pack part[ROWS] = {}, own[ROWS];
    for (std::size_t r = 0; r < ROWS; ++r) own[r] = Pack{} + vector[i + r];
    std::size_t j = i + ROWS;
    for (; j + LANES <= columns; j += LANES) {
        Pack right, gain, weight;
        load(vector + j, right);
        load(result + j, gain);
        for (std::size_t r = 0; r < ROWS; ++r) {
            load(row + r * columns + j, weight);
            clear_signs(weight);
            part[r] += weight * right;
            gain += weight * own[r];
        }
        __builtin_memcpy(result + j, &gain, sizeof gain);
    }
    for (std::size_t r = 0; r < ROWS; ++r) {
        double sum = (part[r][0] + part[r][1]) + (part[r][2] + part[r][3]);
        for (std::size_t k = j; k < columns; ++k) {
            sum += absolute(row[r * columns + k]) * vector[k];
            result[k] += absolute(row[r * columns + k]) * vector[i + r];
        }
        one_row(row + r * columns, i + r, i + ROWS, vector, result);
        result[i + r] += sum;
    }
}

}  // namespace

template <class T>
void add_absolute_half(const T* panel, std::size_t rows, std::size_t columns, const double* vector,
                       double* result) {
    std::size_t i = 0;
    for (; i + ROWS <= rows; i += ROWS) {
        look_for_signals(ROWS * columns);
        four_rows(panel, columns, i, vector, result);
    }
    for (; i < rows; ++i) one_row(panel + i * columns, i, columns, vector, result);
}

template void add_absolute_half<float>(const float*, std::size_t, std::size_t, const double*,
                                       double*);
template void add_absolute_half<double>(const double*, std::size_t, std::size_t, const double*,
                                        double*);

}  // namespace FEATRANK_ISA
}  // namespace featrank

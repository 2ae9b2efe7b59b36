// Products of columns with a vector: compiled once for each instruction set, plain loops only.
#include "summaries/products.hpp"

#include "common/hot/doubles.hpp"
#include "common/signals.hpp"
#include "summaries/sums.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// Columns whose sums stay in the nearest cache, rows whose units add up within 64 bits, and rows
// that are added at a time.
constexpr std::size_t PANEL = 1024, CHUNK = 1024, ABREAST = 4;

typedef std::uint64_t Words __attribute__((vector_size(FOUR * sizeof(double))));

struct Panel {
    double centre[PANEL], anchor[PANEL];
    std::uint64_t bits[PANEL];
    Total totals[PANEL];

    void start(const Origins& origins, std::size_t first, std::size_t width) {
        for (std::size_t j = 0; j < width; ++j) {
            centre[j] = origins.centre[first + j];
            anchor[j] = product_anchor(origins.reach[first + j]);
            bits[j] = 0;
            totals[j] = 0;
        }
    }
    // Moves the bits that the last terms have added to the totals.
    void settle(std::size_t rows, std::size_t width) {
        for (std::size_t j = 0; j < width; ++j) {
            const std::uint64_t anchors = std::uint64_t(rows) * std::uint64_t(bits_of(anchor[j]));
            totals[j] += std::int64_t(bits[j] - anchors);
            bits[j] = 0;
        }
    }
};

// Adds R rows, whose values lie side by side.
template <std::size_t R, class T>
void add_rows(const T* const* rows, const double* factors, std::size_t width, Panel& panel) {
    std::size_t j = 0;
    for (; j + FOUR <= width; j += FOUR) {
        const Doubles centre = widened(panel.centre + j), anchor = widened(panel.anchor + j);
        Words sum;
        __builtin_memcpy(&sum, panel.bits + j, sizeof sum);
        for (std::size_t r = 0; r < R; ++r)
            sum += Words((widened(rows[r] + j) - centre) * factors[r] + anchor);
        __builtin_memcpy(panel.bits + j, &sum, sizeof sum);
    }
    for (; j < width; ++j)
        for (std::size_t r = 0; r < R; ++r)
            panel.bits[j] += std::uint64_t(
                bits_of((rows[r][j] - panel.centre[j]) * factors[r] + panel.anchor[j]));
}

template <class T>
void add_by_rows(const Matrix<T>& X, const Factors& factors, std::size_t begin, std::size_t end,
                 std::size_t first, std::size_t width, Panel& panel) {
    const auto row = [&](std::size_t r) { return X.data + factors.rows[r] * X.row_stride + first; };
    std::size_t r = begin;
    for (; r + ABREAST <= end; r += ABREAST) {
        const T* rows[ABREAST] = {row(r), row(r + 1), row(r + 2), row(r + 3)};
        add_rows<ABREAST>(rows, factors.values + r, width, panel);
    }
    for (; r < end; ++r) {
        const T* rows[1] = {row(r)};
        add_rows<1>(rows, factors.values + r, width, panel);
    }
}

// One column, whose values are anywhere: value(r) is that of the r-th listed row.
template <class Value>
std::uint64_t column_bits(const Value& value, const double* factors, std::size_t begin,
                          std::size_t end, double centre, double anchor) {
    std::uint64_t bits = 0;
    for (std::size_t r = begin; r < end; ++r)
        bits += std::uint64_t(bits_of((value(r) - centre) * factors[r] + anchor));
    return bits;
}

template <class T>
void add_by_columns(const Matrix<T>& X, const Factors& factors, std::size_t begin, std::size_t end,
                    std::size_t first, std::size_t width, Panel& panel) {
    const bool side_by_side = X.row_stride == 1 && factors.count == X.rows;  // all rows, in order
    for (std::size_t j = 0; j < width; ++j) {
        const T* column = X.data + std::ptrdiff_t(first + j) * X.column_stride;
        const auto next = [&](std::size_t r) { return double(column[r]); };
        const auto listed = [&](std::size_t r) {
            return double(column[factors.rows[r] * X.row_stride]);
        };
        const double centre = panel.centre[j], anchor = panel.anchor[j];
        panel.bits[j] = side_by_side
                            ? column_bits(next, factors.values, begin, end, centre, anchor)
                            : column_bits(listed, factors.values, begin, end, centre, anchor);
    }
}

}  // namespace

template <class T>
void products(const Matrix<T>& X, const Factors& factors, const Origins& origins, double* sums) {
    Panel panel;
    const auto add = X.column_stride == 1 ? add_by_rows<T> : add_by_columns<T>;
    for (std::size_t first = 0; first < X.columns; first += PANEL) {
        const std::size_t width = X.columns - first < PANEL ? X.columns - first : PANEL;
        panel.start(origins, first, width);
        for (std::size_t begin = 0; begin < factors.count; begin += CHUNK) {
            const std::size_t rest = factors.count - begin, rows = rest < CHUNK ? rest : CHUNK;
            look_for_signals(rows * width);
            add(X, factors, begin, begin + rows, first, width, panel);
            panel.settle(rows, width);
        }
        for (std::size_t j = 0; j < width; ++j)
            sums[first + j] = rounded(panel.totals[j]) * unit_of(panel.anchor[j]);
    }
}

template void products(const Matrix<float>&, const Factors&, const Origins&, double*);
template void products(const Matrix<double>&, const Factors&, const Origins&, double*);

}  // namespace FEATRANK_ISA
}  // namespace featrank

// Values of one byte: how often each occurs in each class.
#pragma once
#include <cstdint>

#include "common/matrix.hpp"

namespace featrank {

constexpr std::size_t BYTE_VALUES = 256;

// Bytes that are compared at once; a line has one byte from each of BYTE_LANES columns.
constexpr std::size_t BYTE_LANES = 32;
// Lines whose equal values a byte can count.
constexpr std::size_t BYTE_LINES = 255;
// Tiles that are read together: stretches of a row that memory gives at once.
constexpr std::size_t BYTE_TILES = 8;
// Values that are looked for together, as their counts fit the registers.
constexpr std::size_t BYTE_SOUGHT = 8;
// Rows that are put in the order of their classes, and whose equal values 16 bits can count.
constexpr std::size_t BYTE_ROWS = 16384;

typedef std::uint8_t ByteLine[BYTE_LANES];
typedef std::uint16_t ByteCells[BYTE_LANES];

// Where the kernel works; it holds zeros before. A search that begins at one of the last
// values goes beyond them.
struct ByteScratch {
    alignas(64) ByteLine lines[BYTE_TILES][BYTE_LINES];
    alignas(64) ByteCells tables[BYTE_TILES][BYTE_VALUES + BYTE_SOUGHT];
    std::uint32_t order[BYTE_ROWS];
};

// Adds to counts of shape (columns, classes, 256). codes[r] < classes is the class of row r. Rows
// with a negative code are ignored.
template <class Count>
void add_byte_counts(const Matrix<std::uint8_t>& X, const std::int32_t* codes, std::size_t classes,
                     Count* counts);

// The same; `starts` has space for classes + 1 numbers.
#define FEATRANK_DECLARE_BYTE_COUNTS(ISA)                                                         \
    namespace ISA {                                                                               \
    template <class Count>                                                                        \
    void byte_counts(const Matrix<std::uint8_t>&, const std::int32_t* codes, std::size_t classes, \
                     std::size_t* starts, ByteScratch&, Count* counts);                           \
    }
FEATRANK_DECLARE_BYTE_COUNTS(baseline)
FEATRANK_DECLARE_BYTE_COUNTS(avx2)

}  // namespace featrank

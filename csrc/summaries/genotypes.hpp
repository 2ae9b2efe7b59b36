// Genotypes of two bits: how often each code occurs in each class.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace featrank {

// Codes of a variant and class: 0, 1, 2 and 3.
constexpr std::size_t GENOTYPES = 4;

// Rows are read in blocks of this many bytes.
constexpr std::size_t STRETCH_BYTES = 32;

// A row of `bytes` bytes a variant, four samples a byte, the first in the lowest bits.
struct Packed {
    const std::uint8_t* rows;
    std::size_t variants, bytes;
};

// Which samples are of a class: rows like those of variants, of 1 where a sample is of the class
// and else 0, filled up with zeros to `width` bytes, whole stretches; and how many they are.
struct ClassMasks {
    std::vector<std::uint8_t> masks;
    std::vector<std::int32_t> sizes;
    std::size_t width;

    // classes[t] < count is the class of sample t; negative: it takes no part.
    ClassMasks(const std::int32_t* classes, std::size_t samples, std::size_t count);
};

struct Members {
    const std::uint8_t* masks;
    const std::int32_t* sizes;
    std::size_t classes, width;
};

// counts has shape (variants, classes, 4); `scratch` holds a row of `width` bytes.
#define FEATRANK_DECLARE_GENOTYPES(ISA)                                        \
    namespace ISA {                                                            \
    void genotype_counts(const Packed&, const Members&, std::uint8_t* scratch, \
                         std::int32_t* counts);                                \
    }
FEATRANK_DECLARE_GENOTYPES(baseline)
FEATRANK_DECLARE_GENOTYPES(avx2)

}  // namespace featrank

// Genotypes of two bits: how often each code occurs in each class.
#pragma once
#include <cstddef>
#include <cstdint>

namespace featrank {

// Codes of a variant and class: 0, 1, 2 and 3.
constexpr std::size_t GENOTYPES = 4;

// Rows are read in blocks of this many bytes.
constexpr std::size_t PIECE_BYTES = 32;

// A row of `bytes` bytes per variant, four samples per byte, the first in the lowest bits.
struct Packed {
    const std::uint8_t* rows;
    std::size_t variants, bytes;
};

// Which samples are of a class: per class a row like that of a variant, with 1 for a sample of the
// class and 0 for others, padded with zeros to `width` bytes; and the number of samples.
struct Members {
    const std::uint8_t* masks;
    const std::int32_t* sizes;
    std::size_t classes, width;
};

// counts has shape (variants, n_classes, 4). classes[t] < n_classes is the class of sample t.
// Samples with a negative class are ignored.
void genotype_counts(const Packed& packed, const std::int32_t* classes, std::size_t samples,
                     std::size_t n_classes, std::int32_t* counts);

// The same; `scratch` holds a row of `width` bytes.
#define FEATRANK_DECLARE_GENOTYPES(ISA)                                        \
    namespace ISA {                                                            \
    void genotype_counts(const Packed&, const Members&, std::uint8_t* scratch, \
                         std::int32_t* counts);                                \
    }
FEATRANK_DECLARE_GENOTYPES(baseline)
FEATRANK_DECLARE_GENOTYPES(avx2)

}  // namespace featrank

// Counts of genotypes. All samples of a piece are counted at once, in fields of two bits, then of a
// byte.
#include "summaries/genotypes.hpp"
#include "common/signals.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

typedef std::uint64_t Words __attribute__((vector_size(PIECE_BYTES)));
constexpr std::size_t LANES = PIECE_BYTES / sizeof(std::uint64_t);

// Pieces that a field of two bits can count, and a byte, with four samples each.
constexpr std::size_t THREE = 3;
constexpr std::size_t MOST = 63;

inline Words loaded(const std::uint8_t* source) {
    Words words;
    __builtin_memcpy(&words, source, sizeof words);
    return words;
}

// Samples with the low bit set, with the high bit set, and with both.
struct Sums {
    Words low{}, high{}, both{};
};

inline void count(const std::uint8_t* row, const std::uint8_t* mask, Sums& pairs) {
    const Words codes = loaded(row), own = loaded(mask);
    const Words low = codes & own, high = (codes >> 1) & own;
    pairs.low += low;
    pairs.high += high;
    pairs.both += low & high;
}

inline Words of_bytes(Words pairs) {
    const std::uint64_t two_of_four = 0x3333333333333333, four_of_eight = 0x0f0f0f0f0f0f0f0f;
    const Words fours = (pairs & two_of_four) + ((pairs >> 2) & two_of_four);
    return (fours + (fours >> 4)) & four_of_eight;
}

inline void add(const Sums& pairs, Sums& bytes) {
    bytes.low += of_bytes(pairs.low);
    bytes.high += of_bytes(pairs.high);
    bytes.both += of_bytes(pairs.both);
}

inline std::int32_t total(Words bytes) {
    const std::uint64_t every_other = 0x00ff00ff00ff00ff;
    const Words sixteens = (bytes & every_other) + ((bytes >> 8) & every_other);
    std::uint64_t sum = 0;
    for (std::size_t l = 0; l < LANES; ++l) sum += sixteens[l];
    return std::int32_t((sum * 0x0001000100010001) >> 48);
}

// Adds the samples of a class in at most MOST pieces of a row.
void add_pieces(const std::uint8_t* row, const std::uint8_t* mask, std::size_t pieces,
                std::int32_t* counts) {
    Sums bytes;
    std::size_t s = 0;
    for (; s + THREE <= pieces; s += THREE) {
        Sums pairs;
        for (std::size_t k = 0; k < THREE; ++k)
            count(row + (s + k) * PIECE_BYTES, mask + (s + k) * PIECE_BYTES, pairs);
        add(pairs, bytes);
    }
    if (s < pieces) {
        Sums pairs;
        for (; s < pieces; ++s) count(row + s * PIECE_BYTES, mask + s * PIECE_BYTES, pairs);
        add(pairs, bytes);
    }
    const std::int32_t both = total(bytes.both);
    counts[1] += total(bytes.low) - both;
    counts[2] += total(bytes.high) - both;
    counts[3] += both;
}

void count_row(const std::uint8_t* row, const Members& members, std::int32_t* counts) {
    const std::size_t pieces = members.width / PIECE_BYTES;
    for (std::size_t k = 0; k < members.classes * GENOTYPES; ++k) counts[k] = 0;
    for (std::size_t s = 0; s < pieces; s += MOST) {
        const std::size_t some = pieces - s < MOST ? pieces - s : MOST;
        for (std::size_t c = 0; c < members.classes; ++c)
            add_pieces(row + s * PIECE_BYTES, members.masks + c * members.width + s * PIECE_BYTES,
                       some, counts + c * GENOTYPES);
    }
    for (std::size_t c = 0; c < members.classes; ++c) {
        std::int32_t* own = counts + c * GENOTYPES;
        own[0] = members.sizes[c] - own[1] - own[2] - own[3];
    }
}

}  // namespace

void genotype_counts(const Packed& packed, const Members& members, std::uint8_t* scratch,
                     std::int32_t* counts) {
    std::size_t remaining = packed.variants * packed.bytes;
    for (std::size_t j = 0; j < packed.variants; ++j, remaining -= packed.bytes) {
        look_for_signals(packed.bytes);
        const std::uint8_t* row = packed.rows + j * packed.bytes;
        // A piece may reach into the next rows, where masks are 0, but not beyond the last.
        if (remaining < members.width) {
            for (std::size_t k = 0; k < members.width; ++k)
                scratch[k] = k < packed.bytes ? row[k] : 0;
            row = scratch;
        }
        count_row(row, members, counts + j * members.classes * GENOTYPES);
    }
}

}  // namespace FEATRANK_ISA
}  // namespace featrank

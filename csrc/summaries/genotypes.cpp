#include "summaries/genotypes.hpp"

#include <vector>

#include "common/dispatch.hpp"

namespace featrank {
namespace {

struct ClassMasks {
    std::vector<std::uint8_t> masks;
    std::vector<std::int32_t> sizes;
    std::size_t width;

    ClassMasks(const std::int32_t* classes, std::size_t samples, std::size_t count)
        : sizes(count), width((samples + 4 * PIECE_BYTES - 1) / (4 * PIECE_BYTES) * PIECE_BYTES) {
        masks.resize(count * width);
        for (std::size_t t = 0; t < samples; ++t) {
            if (classes[t] < 0) continue;
            masks[std::size_t(classes[t]) * width + t / 4] |= std::uint8_t(1u << 2 * (t % 4));
            ++sizes[std::size_t(classes[t])];
        }
    }
};

}  // namespace

void genotype_counts(const Packed& packed, const std::int32_t* classes, std::size_t samples,
                     std::size_t n_classes, std::int32_t* counts) {
    const ClassMasks of(classes, samples, n_classes);
    const Members members{of.masks.data(), of.sizes.data(), n_classes, of.width};
    std::vector<std::uint8_t> padded(of.width);
    FEATRANK_DISPATCH(genotype_counts(packed, members, padded.data(), counts));
}

}  // namespace featrank

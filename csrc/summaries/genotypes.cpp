#include "summaries/genotypes.hpp"

namespace featrank {

ClassMasks::ClassMasks(const std::int32_t* classes, std::size_t samples, std::size_t count)
    : sizes(count), width((samples + 4 * STRETCH_BYTES - 1) / (4 * STRETCH_BYTES) * STRETCH_BYTES) {
    masks.resize(count * width);
    for (std::size_t t = 0; t < samples; ++t) {
        if (classes[t] < 0) continue;
        masks[std::size_t(classes[t]) * width + t / 4] |= std::uint8_t(1u << 2 * (t % 4));
        ++sizes[std::size_t(classes[t])];
    }
}

}  // namespace featrank

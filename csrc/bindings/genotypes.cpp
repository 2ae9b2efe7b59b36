#include "summaries/genotypes.hpp"
#include "bindings/bindings.hpp"

namespace featrank {

void bind_genotypes(nb::module_& m) {
    define(m, "genotype_counts",
           [](Table<const std::uint8_t> packed, Vector<const std::int32_t> classes,
              Cube<std::int32_t> counts) {
        const std::size_t samples = classes.shape(0), n_classes = counts.shape(1);
        require(packed.shape(1) == (samples + 3) / 4, "a byte for four samples");
        require(counts.shape(0) == packed.shape(0) && counts.shape(2) == GENOTYPES,
                "shape of the counts");
        require(samples <= INT32_MAX, "samples that 32 bits can count");
        for (std::size_t t = 0; t < samples; ++t)
            require(classes.data()[t] < std::int64_t(n_classes),
                    "classes must be below their number");
        nb::gil_scoped_release release;
        const ClassMasks of(classes.data(), samples, n_classes);
        std::vector<std::uint8_t> scratch(of.width);
        FEATRANK_DISPATCH(
            genotype_counts(Packed{packed.data(), packed.shape(0), packed.shape(1)},
                            Members{of.masks.data(), of.sizes.data(), n_classes, of.width},
                            scratch.data(), counts.data()));
    });
}

}  // namespace featrank

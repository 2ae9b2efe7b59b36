#include "bindings/bindings.hpp"
#include "summaries/byte_counts.hpp"
#include "summaries/genotypes.hpp"

namespace featrank {
namespace {

using ClassCodes = Vector<const std::int32_t>;

// Rows with a negative class are ignored.
void check_classes(const ClassCodes& classes, std::size_t n_classes, const char* what) {
    for (std::size_t r = 0; r < classes.shape(0); ++r)
        require(classes.data()[r] < std::int64_t(n_classes), what);
}

template <class Count>
void bind_byte_counts(nb::module_& m) {
    define(m, "byte_counts", [](Input<std::uint8_t> X, ClassCodes classes, Cube<Count> counts) {
        require_length(X.shape(0), "a code for each row", classes);
        require(counts.shape(0) == X.shape(1) && counts.shape(2) == BYTE_VALUES,
                "shape of the counts");
        check_classes(classes, counts.shape(1), "codes of classes");
        nb::gil_scoped_release release;
        add_byte_counts(matrix_of(X), classes.data(), counts.shape(1), counts.data());
    });
}

}  // namespace

void bind_counts(nb::module_& m) {
    bind_byte_counts<std::int32_t>(m);
    bind_byte_counts<std::int64_t>(m);
    define(m, "genotype_counts",
           [](Table<const std::uint8_t> packed, ClassCodes classes, Cube<std::int32_t> counts) {
        const std::size_t samples = classes.shape(0);
        require(packed.shape(1) == (samples + 3) / 4, "a byte for four samples");
        require(counts.shape(0) == packed.shape(0) && counts.shape(2) == GENOTYPES,
                "shape of the counts");
        require(samples <= INT32_MAX, "samples that 32 bits can count");
        check_classes(classes, counts.shape(1), "classes must be below their number");
        nb::gil_scoped_release release;
        genotype_counts({packed.data(), packed.shape(0), packed.shape(1)}, classes.data(), samples,
                        counts.shape(1), counts.data());
    });
}

}  // namespace featrank

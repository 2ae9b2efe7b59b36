#include "contingency.hpp"

#include <vector>

#include "bindings.hpp"
#include "standardised.hpp"

namespace featrank {
namespace {

using Index = Vector<const std::int64_t>;
using Sums = Vector<std::int64_t>;

Codes codes_of(const Table<const std::uint8_t>& codes, std::size_t bins, const Index& n_log_n) {
    require(bins >= 1 && bins <= 256, "bins that a byte can tell");
    require(n_log_n.shape(0) == codes.shape(1) + 1, "n·log(n) of every count");
    return {codes.data(), codes.shape(1), bins, n_log_n.data()};
}

void check_codes(const Codes& all, std::size_t feature) {
    const std::uint8_t* code = all.codes + feature * all.rows;
    std::uint8_t largest = 0;
    for (std::size_t r = 0; r < all.rows; ++r) largest = code[r] > largest ? code[r] : largest;
    require(largest < all.bins, "codes must be below the number of bins");
}

void check_candidates(const Codes& all, std::size_t features, const Index& candidates) {
    for (std::size_t j = 0; j < candidates.shape(0); ++j) {
        const std::int64_t feature = candidates.data()[j];
        require(feature >= 0 && std::size_t(feature) < features, "candidates must be features");
        check_codes(all, feature);
    }
}

// A code that is too large would be counted outside of the table.
Pairs pairs_of(const Codes& all, std::size_t features, std::size_t chosen,
               const Index& candidates) {
    require(chosen < features, "chosen must be a feature");
    check_codes(all, chosen);
    check_candidates(all, features, candidates);
    return {chosen, candidates.data(), candidates.shape(0)};
}

Segments segments_of(const Codes& all, const Index& offsets) {
    require(offsets.shape(0) >= 1, "offsets must not be empty");
    const std::size_t count = offsets.shape(0) - 1;
    for (std::size_t c = 0; c < count; ++c)
        require(offsets.data()[c] <= offsets.data()[c + 1], "offsets must ascend");
    require(offsets.data()[0] == 0 && std::size_t(offsets.data()[count]) == all.rows,
            "offsets must span the rows");
    return {offsets.data(), count};
}

struct Tables {
    std::vector<std::uint32_t> counts;

    explicit Tables(const Codes& all) : counts(3 * all.bins * all.bins) {}
    Room room() {
        const std::size_t cells = counts.size() / 3;
        return {counts.data(), counts.data() + cells, counts.data() + 2 * cells};
    }
};

void check_minima(const Minima& minima, std::size_t features) {
    for (std::size_t i = 0; i < minima.n_chosen; ++i)
        require(minima.chosen[i] >= 0 && std::size_t(minima.chosen[i]) < features,
                "chosen must be features");
    for (std::size_t j = 0; j < minima.count; ++j)
        require(minima.n_known[j] >= 0, "n_known must not be negative");
}

template <class T>
void bind_standardised(nb::module_& m) {
    define(m, "correlation_sums", [](Table<const T> values, double least, Index chosen,
                                 Index candidates, Sums n_known, Vector<double> total) {
        const std::size_t features = values.shape(0);
        require(n_known.shape(0) == candidates.shape(0) && total.shape(0) == candidates.shape(0),
                "one value a candidate");
        for (const Index* features_of : {&chosen, &candidates})
            for (std::size_t j = 0; j < features_of->shape(0); ++j)
                require(features_of->data()[j] >= 0 &&
                        std::size_t(features_of->data()[j]) < features, "features must exist");
        for (std::size_t j = 0; j < n_known.shape(0); ++j)
            require(n_known.data()[j] >= 0, "n_known must not be negative");
        const Correlations<T> all{values.data(), values.shape(1), least, chosen.data(),
                                  chosen.shape(0), candidates.data(), candidates.shape(0)};
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(correlation_sums<T>(all, n_known.data(), total.data()));
    });
    define(m, "standardise", [](Input<T> X, Vector<const double> mean, Vector<const double> scale,
                            Table<T> standardised) {
        require(standardised.shape(0) == X.shape(1) && standardised.shape(1) == X.shape(0),
                "shape of the standardised features");
        require(mean.shape(0) == X.shape(1) && scale.shape(0) == X.shape(1), "vectors' length");
        const Matrix<T> view{X.data(), X.stride(0), X.stride(1), X.shape(0), X.shape(1)};
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(standardise<T>(view, mean.data(), scale.data(), standardised.data()));
    });
}

}  // namespace

void bind_contingency(nb::module_& m) {
    bind_standardised<float>(m);
    bind_standardised<double>(m);
    define(m, "pair_sums", [](Table<const std::uint8_t> codes, std::size_t bins, Index n_log_n,
                          std::size_t chosen, Index candidates, Sums pair) {
        require(pair.shape(0) == candidates.shape(0), "one sum a candidate");
        const Codes all = codes_of(codes, bins, n_log_n);
        nb::gil_scoped_release release;
        const Pairs pairs = pairs_of(all, codes.shape(0), chosen, candidates);
        Tables tables(all);
        FEATRANK_DISPATCH(pair_sums(all, pairs, tables.room(), pair.data()));
    });
    define(m, "class_sums", [](Table<const std::uint8_t> codes, std::size_t bins, Index n_log_n,
                           Index offsets, std::size_t chosen, Index candidates, Sums pair,
                           Sums triple) {
        require(pair.shape(0) == candidates.shape(0) && triple.shape(0) == candidates.shape(0),
                "one sum a candidate");
        const Codes all = codes_of(codes, bins, n_log_n);
        const Segments classes = segments_of(all, offsets);
        nb::gil_scoped_release release;
        const Pairs pairs = pairs_of(all, codes.shape(0), chosen, candidates);
        Tables tables(all);
        FEATRANK_DISPATCH(class_sums(all, pairs, classes, tables.room(), pair.data(),
                                     triple.data()));
    });
    define(m, "smallest_relevance", [](Table<const std::uint8_t> codes, std::size_t bins,
                                   Index n_log_n, Index offsets, Index given, double factor,
                                   double floor, Index chosen, Index candidates, Sums n_known,
                                   Vector<double> smallest) {
        require(n_known.shape(0) == candidates.shape(0) &&
                smallest.shape(0) == candidates.shape(0), "one value a candidate");
        require(given.shape(0) == codes.shape(0), "one value a feature");
        const Codes all = codes_of(codes, bins, n_log_n);
        const Segments classes = segments_of(all, offsets);
        const Minima minima{chosen.data(), chosen.shape(0), candidates.data(),
                            candidates.shape(0), given.data(), factor, floor, n_known.data(),
                            smallest.data()};
        nb::gil_scoped_release release;
        check_minima(minima, codes.shape(0));
        check_candidates(all, codes.shape(0), chosen);
        check_candidates(all, codes.shape(0), candidates);
        Tables tables(all);
        FEATRANK_DISPATCH(smallest_relevance(all, minima, classes, tables.room()));
    });
    define(m, "state_sums", [](Table<const std::uint8_t> codes, std::size_t bins, Index n_log_n,
                           Index offsets, Vector<const std::uint32_t> states,
                           std::size_t n_states, Index candidates, Sums pair, Sums triple) {
        require(pair.shape(0) == candidates.shape(0) && triple.shape(0) == candidates.shape(0),
                "one sum a candidate");
        const Codes all = codes_of(codes, bins, n_log_n);
        const Segments classes = segments_of(all, offsets);
        require(states.shape(0) == all.rows, "one state a row");
        for (std::size_t r = 0; r < all.rows; ++r)
            require(states.data()[r] < n_states, "states must be below their number");
        nb::gil_scoped_release release;
        check_candidates(all, codes.shape(0), candidates);
        state_sums(all, {states.data(), n_states}, classes, candidates.data(),
                   candidates.shape(0), pair.data(), triple.data());
    });
}

}  // namespace featrank

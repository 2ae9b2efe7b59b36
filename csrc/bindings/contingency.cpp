#include "pairs/contingency.hpp"

#include <vector>

#include "bindings/bindings.hpp"
#include "common/signals.hpp"
#include "pairs/best_candidate.hpp"
#include "pairs/standardised.hpp"

namespace featrank {
namespace {

using Index = Vector<const std::int64_t>;
using Sums = Vector<std::int64_t>;

// Codes that are checked together, in vectors.
constexpr std::size_t CODES_A_STEP = 16;

Codes codes_of(const Table<const std::uint8_t>& codes, std::size_t bins, const Index& n_log_n) {
    require(bins >= 1 && bins <= 256, "bins that a byte can tell");
    require(n_log_n.shape(0) == codes.shape(1) + 1, "n·log(n) of every count");
    return {codes.data(), codes.shape(1), bins, n_log_n.data()};
}

void check_codes(const Codes& all, std::size_t feature) {
    look_for_signals(all.rows / CODES_A_STEP);
    const std::uint8_t* code = all.codes + feature * all.rows;
    std::uint8_t largest = 0;
    for (std::size_t r = 0; r < all.rows; ++r) largest = code[r] > largest ? code[r] : largest;
    require(largest < all.bins, "codes must be below the number of bins");
}

void check_features(const Index& some, std::size_t features) {
    for (std::size_t j = 0; j < some.shape(0); ++j)
        require(some.data()[j] >= 0 && std::size_t(some.data()[j]) < features,
                "chosen and candidates must be features");
}

void check_candidates(const Codes& all, std::size_t features, const Index& candidates) {
    check_features(candidates, features);
    for (std::size_t j = 0; j < candidates.shape(0); ++j) check_codes(all, candidates.data()[j]);
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
    Scratch scratch() {
        const std::size_t cells = counts.size() / 3;
        return {counts.data(), counts.data() + cells, counts.data() + 2 * cells};
    }
};

// Candidates, each of which knows the first n_known of the chosen features.
Candidates candidates_of(std::size_t features, const Index& chosen, const Index& candidates,
                         const Vector<const double>& relevance, const Sums& n_known,
                         const Vector<double>& gathered) {
    require(relevance.shape(0) == features && n_known.shape(0) == features &&
                gathered.shape(0) == features,
            "one value a feature");
    require(chosen.shape(0) > 0 && candidates.shape(0) > 0, "something chosen, and candidates");
    check_features(chosen, features);
    check_features(candidates, features);
    for (std::size_t j = 0; j < candidates.shape(0); ++j)
        require(n_known.data()[candidates.data()[j]] >= 0, "n_known must not be negative");
    return {candidates.data(), candidates.shape(0), relevance.data()};
}

template <class Criterion>
nb::tuple found(const Criterion& criterion, const Candidates& candidates) {
    Best best;
    {
        nb::gil_scoped_release release;
        best = best_of(criterion, candidates);
    }
    return nb::make_tuple(best.place, best.value);
}

template <class T>
struct Quotient {
    Quotients<T> all;

    double bound(std::size_t feature) const { return quotient_bound(all, feature); }
    double value(std::size_t feature, double floor) const {
        return FEATRANK_DISPATCH(quotient(all, feature, floor));
    }
};

struct Smallest {
    Codes all;
    Minima minima;
    Segments classes;
    Scratch scratch;

    double bound(std::size_t feature) const { return minima.smallest[feature]; }
    double value(std::size_t feature, double floor) const {
        check_codes(all, feature);
        return FEATRANK_DISPATCH(smallest_relevance(all, minima, classes, scratch, feature, floor));
    }
};

template <class T>
void bind_standardised(nb::module_& m) {
    define(m, "best_quotient",
           [](Table<const T> values, double least, Vector<const double> statistic, Index chosen,
              Index candidates, Sums n_known, Vector<double> excess) {
        const Candidates own = candidates_of(values.shape(0), chosen, candidates, statistic,
                                             n_known, excess);
        const Quotients<T> all{values.data(), values.shape(1), least,          statistic.data(),
                               chosen.data(), chosen.shape(0), n_known.data(), excess.data()};
        return found(Quotient<T>{all}, own);
    });
    define(m, "standardise",
           [](Input<T> X, Vector<const double> mean, Vector<const double> scale,
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
    define(m, "pair_sums",
           [](Table<const std::uint8_t> codes, std::size_t bins, Index n_log_n, std::size_t chosen,
              Index candidates, Sums pair) {
        require(pair.shape(0) == candidates.shape(0), "one sum a candidate");
        const Codes all = codes_of(codes, bins, n_log_n);
        nb::gil_scoped_release release;
        const Pairs pairs = pairs_of(all, codes.shape(0), chosen, candidates);
        Tables tables(all);
        FEATRANK_DISPATCH(pair_sums(all, pairs, tables.scratch(), pair.data()));
    });
    define(m, "class_sums",
           [](Table<const std::uint8_t> codes, std::size_t bins, Index n_log_n, Index offsets,
              std::size_t chosen, Index candidates, Sums pair, Sums triple) {
        require(pair.shape(0) == candidates.shape(0) && triple.shape(0) == candidates.shape(0),
                "one sum a candidate");
        const Codes all = codes_of(codes, bins, n_log_n);
        const Segments classes = segments_of(all, offsets);
        nb::gil_scoped_release release;
        const Pairs pairs = pairs_of(all, codes.shape(0), chosen, candidates);
        Tables tables(all);
        FEATRANK_DISPATCH(
            class_sums(all, pairs, classes, tables.scratch(), pair.data(), triple.data()));
    });
    define(m, "class_tables",
           [](Table<const std::uint8_t> codes, std::size_t bins, Index offsets,
              Vector<const std::uint8_t> first, std::size_t n_first,
              nb::ndarray<std::int64_t, nb::ndim<4>, nb::c_contig, nb::device::cpu> tables) {
        const std::size_t features = codes.shape(0), rows = codes.shape(1);
        require(bins >= 1 && bins <= 256, "bins that a byte can tell");
        require(n_first >= 1 && n_first <= bins, "no more bins than the features have");
        const Codes all{codes.data(), rows, bins, nullptr};
        const Segments classes = segments_of(all, offsets);
        require(first.shape(0) == rows, "one code a row");
        require(tables.shape(0) == features && tables.shape(1) == classes.count &&
                    tables.shape(2) == n_first && tables.shape(3) == bins,
                "shape of the tables");
        nb::gil_scoped_release release;
        check_codes({first.data(), rows, n_first, nullptr}, 0);
        Tables counts(all);
        const std::size_t size = classes.count * n_first * bins;
        for (std::size_t j = 0; j < features; ++j) {
            check_codes(all, j);
            FEATRANK_DISPATCH(class_tables(all, j, first.data(), n_first, classes, counts.scratch(),
                                           tables.data() + j * size));
        }
    });
    define(m, "best_smallest",
           [](Table<const std::uint8_t> codes, std::size_t bins, Index n_log_n, Index offsets,
              Index given, double factor, Vector<const double> relevance, Index chosen,
              Index candidates, Sums n_known, Vector<double> smallest) {
        const Candidates own = candidates_of(codes.shape(0), chosen, candidates, relevance, n_known,
                                             smallest);
        require(given.shape(0) == codes.shape(0), "one value a feature");
        const Codes all = codes_of(codes, bins, n_log_n);
        check_candidates(all, codes.shape(0), chosen);
        Tables tables(all);
        const Minima minima{chosen.data(), chosen.shape(0), given.data(),
                            factor,        n_known.data(),  smallest.data()};
        return found(Smallest{all, minima, segments_of(all, offsets), tables.scratch()}, own);
    });
    define(m, "state_sums",
           [](Table<const std::uint8_t> codes, std::size_t bins, Index n_log_n, Index offsets,
              Vector<const std::uint32_t> states, std::size_t n_states, Index candidates, Sums pair,
              Sums triple) {
        require(pair.shape(0) == candidates.shape(0) && triple.shape(0) == candidates.shape(0),
                "one sum a candidate");
        const Codes all = codes_of(codes, bins, n_log_n);
        const Segments classes = segments_of(all, offsets);
        require(states.shape(0) == all.rows, "one state a row");
        for (std::size_t r = 0; r < all.rows; ++r)
            require(states.data()[r] < n_states, "states must be below their number");
        nb::gil_scoped_release release;
        check_candidates(all, codes.shape(0), candidates);
        state_sums(all, {states.data(), n_states}, classes, candidates.data(), candidates.shape(0),
                   pair.data(), triple.data());
    });
}

}  // namespace featrank

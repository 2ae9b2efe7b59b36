#include "pairs/contingency.hpp"

#include "bindings/candidates.hpp"
#include "pairs/standardised.hpp"

namespace featrank {
namespace {

using CodeTable = Table<const std::uint8_t>;

Codes codes_of(const CodeTable& codes, std::size_t bins, const Indices& n_log_n) {
    require(bins >= 1 && bins <= 256, "bins that a byte can tell");
    require_length(codes.shape(1) + 1, "n·log(n) of every count", n_log_n);
    return {codes.data(), codes.shape(1), bins, n_log_n.data()};
}

Pairs pairs_of(std::size_t features, std::size_t chosen, const Indices& candidates) {
    require(chosen < features, "chosen must be a feature");
    require_indices(candidates, features, "chosen and candidates must be features");
    return {chosen, candidates.data(), candidates.shape(0)};
}

Segments segments_of(std::size_t rows, const Indices& offsets) {
    return {offsets.data(), require_offsets(offsets, rows)};
}

Candidates checked_candidates(std::size_t features, const Indices& chosen,
                              const Indices& candidates, const Reals& relevance,
                              const Counters& n_known, const Vector<double>& gathered) {
    const char* what = "chosen and candidates must be features";
    require_indices(chosen, features, what);
    return candidates_of(features, chosen.shape(0), candidates, relevance, n_known, gathered, what);
}

template <class T>
void bind_standardised(nb::module_& m) {
    define(m, "best_quotient",
           [](Table<const T> values, double least, Reals statistic, Indices chosen,
              Indices candidates, Counters n_known, Vector<double> excess) {
        const Candidates own = checked_candidates(values.shape(0), chosen, candidates, statistic,
                                                  n_known, excess);
        const Quotients<T> all{values.data(), values.shape(1), least,          statistic.data(),
                               chosen.data(), chosen.shape(0), n_known.data(), excess.data()};
        return found([&] { return best_quotient(all, own); });
    });
    define(m, "standardise", [](Input<T> X, Reals mean, Reals scale, Table<T> standardised) {
        require_shape(X.shape(1), X.shape(0), "shape of the standardised features", standardised);
        require_length(X.shape(1), "vectors' length", mean, scale);
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(
            standardise<T>(matrix_of(X), mean.data(), scale.data(), standardised.data()));
    });
}

}  // namespace

void bind_contingency(nb::module_& m) {
    bind_standardised<float>(m);
    bind_standardised<double>(m);
    define(m, "pair_sums",
           [](CodeTable codes, std::size_t bins, Indices n_log_n, std::size_t chosen,
              Indices candidates, Counters pair) {
        require_length(candidates.shape(0), "one sum a candidate", pair);
        const Codes all = codes_of(codes, bins, n_log_n);
        const Pairs pairs = pairs_of(codes.shape(0), chosen, candidates);
        nb::gil_scoped_release release;
        pair_sums(all, pairs, pair.data());
    });
    define(m, "class_sums",
           [](CodeTable codes, std::size_t bins, Indices n_log_n, Indices offsets,
              std::size_t chosen, Indices candidates, Counters pair, Counters triple) {
        require_length(candidates.shape(0), "one sum a candidate", pair, triple);
        const Codes all = codes_of(codes, bins, n_log_n);
        const Segments classes = segments_of(all.rows, offsets);
        const Pairs pairs = pairs_of(codes.shape(0), chosen, candidates);
        nb::gil_scoped_release release;
        class_sums(all, pairs, classes, pair.data(), triple.data());
    });
    define(m, "class_tables",
           [](CodeTable codes, std::size_t bins, Indices offsets, Vector<const std::uint8_t> first,
              std::size_t n_first,
              nb::ndarray<std::int64_t, nb::ndim<4>, nb::c_contig, nb::device::cpu> tables) {
        require(bins >= 1 && bins <= 256, "bins that a byte can tell");
        require(n_first >= 1 && n_first <= bins, "no more bins than the features have");
        const Codes all{codes.data(), codes.shape(1), bins, nullptr};
        const Segments classes = segments_of(all.rows, offsets);
        require_length(all.rows, "one code a row", first);
        require_shape(codes.shape(0), classes.count, "shape of the tables", tables);
        require(tables.shape(2) == n_first && tables.shape(3) == bins, "shape of the tables");
        nb::gil_scoped_release release;
        class_tables(all, codes.shape(0), first.data(), n_first, classes, tables.data());
    });
    define(m, "best_smallest",
           [](CodeTable codes, std::size_t bins, Indices n_log_n, Indices offsets, Indices given,
              double factor, Reals relevance, Indices chosen, Indices candidates, Counters n_known,
              Vector<double> smallest) {
        const Candidates own = checked_candidates(codes.shape(0), chosen, candidates, relevance,
                                                  n_known, smallest);
        require_length(codes.shape(0), "one value a feature", given);
        const Codes all = codes_of(codes, bins, n_log_n);
        const Segments classes = segments_of(all.rows, offsets);
        const Minima minima{chosen.data(), chosen.shape(0), given.data(),
                            factor,        n_known.data(),  smallest.data()};
        return found([&] { return best_smallest(all, minima, classes, own); });
    });
    define(m, "state_sums",
           [](CodeTable codes, std::size_t bins, Indices n_log_n, Indices offsets,
              Vector<const std::uint32_t> states, std::size_t n_states, Indices candidates,
              Counters pair, Counters triple) {
        require_length(candidates.shape(0), "one sum a candidate", pair, triple);
        const Codes all = codes_of(codes, bins, n_log_n);
        const Segments classes = segments_of(all.rows, offsets);
        require_length(all.rows, "one state a row", states);
        require_indices(states, n_states, "states must be below their number");
        require_indices(candidates, codes.shape(0), "chosen and candidates must be features");
        nb::gil_scoped_release release;
        state_sums(all, {states.data(), n_states}, classes, candidates.data(), candidates.shape(0),
                   pair.data(), triple.data());
    });
}

}  // namespace featrank

#include "pairs/sparse_pairs.hpp"

#include "bindings/candidates.hpp"
#include "bindings/sparse.hpp"

namespace featrank {
namespace {

using Bytes = Vector<const std::uint8_t>;
using Rows = Vector<const std::uint32_t>;
using Sizes = Table<const std::uint32_t>;

std::size_t features_of(const Indices& begin, std::size_t row, std::size_t other) {
    require(row == other, "a row for each entry");
    check_begin(begin, row);
    return begin.shape(0) - 1;
}

SparseCodes codes_of(const Indices& begin, const Rows& row, const Bytes& code, const Bytes& zero,
                     std::size_t bins, const Indices& n_log_n) {
    require(zero.shape(0) == features_of(begin, row.shape(0), code.shape(0)),
            "one bin of zero a feature");
    require(bins >= 1 && bins <= 256, "bins that a byte can tell");
    require(n_log_n.shape(0) >= 1 && n_log_n.data()[0] == 0, "n·log(n) of every count");
    return {begin.data(),         row.data(), code.data(),   zero.data(),
            n_log_n.shape(0) - 1, bins,       n_log_n.data()};
}

template <class S>
ChosenStates<S> states_of(const Table<const S>& state, const Sizes& size, const Sizes& whole,
                          const Indices& pair, const Indices& triple, std::size_t rows) {
    const std::size_t count = state.shape(0), states = size.shape(1), width = whole.shape(1);
    require(state.shape(1) == rows, "one state a row");
    require(width >= 1 && states % width == 0, "states of each class");
    require_length(count, "one entry a chosen feature", size, whole, pair, triple);
    for (const auto* sizes : {&size, &whole})
        for (std::size_t i = 0; i < count * sizes->shape(1); ++i)
            require(sizes->data()[i] <= rows, "states must not have more rows than there are");
    return {state.data(), size.data(), whole.data(), pair.data(), triple.data(),
            count,        rows,        states,       width};
}

template <class S>
void bind_sums(nb::module_& m) {
    define(m, "sparse_sums",
           [](Indices begin, Rows row, Bytes code, Bytes zero, std::size_t bins, Indices n_log_n,
              Table<const S> state, Sizes size, Sizes whole, Indices own_pair, Indices own_triple,
              Indices candidates, Counters pair, Counters triple) {
        const SparseCodes all = codes_of(begin, row, code, zero, bins, n_log_n);
        const auto chosen = states_of(state, size, whole, own_pair, own_triple, all.rows);
        require(chosen.count == 1, "one chosen feature");
        require_length(candidates.shape(0), "one sum a candidate", pair, triple);
        require_indices(candidates, zero.shape(0), "candidates must be features");
        nb::gil_scoped_release release;
        sparse_sums(all, chosen, candidates.data(), candidates.shape(0), pair.data(),
                    triple.data());
    });
    define(m, "sparse_best_smallest",
           [](Indices begin, Rows row, Bytes code, Bytes zero, std::size_t bins, Indices n_log_n,
              Table<const S> state, Sizes size, Sizes whole, Indices own_pair, Indices own_triple,
              double factor, Reals relevance, Indices candidates, Counters n_known,
              Vector<double> smallest) {
        const SparseCodes all = codes_of(begin, row, code, zero, bins, n_log_n);
        const auto chosen = states_of(state, size, whole, own_pair, own_triple, all.rows);
        const Candidates own = candidates_of(zero.shape(0), chosen.count, candidates, relevance,
                                             n_known, smallest);
        const SparseMinima minima{factor, n_known.data(), smallest.data()};
        return found([&] { return sparse_best_smallest(all, chosen, minima, own); });
    });
}

template <class T>
void bind_quotient(nb::module_& m) {
    define(m, "sparse_best_quotient",
           [](Indices begin, Rows row, Vector<const T> values, Reals mean, Reals scale,
              Table<const T> chosen, Reals chosen_sum, double least, Reals statistic,
              Indices candidates, Counters n_known, Vector<double> excess) {
        const std::size_t features = features_of(begin, row.shape(0), values.shape(0));
        require_length(features, "one value a feature", mean, scale);
        require_length(chosen.shape(0), "one sum a chosen feature", chosen_sum);
        const Candidates own = candidates_of(features, chosen.shape(0), candidates, statistic,
                                             n_known, excess);
        const SparseQuotients<T> all{
            begin.data(),     row.data(),        values.data(),   mean.data(),     scale.data(),
            chosen.data(),    chosen_sum.data(), chosen.shape(1), chosen.shape(0), least,
            statistic.data(), n_known.data(),    excess.data()};
        return found([&] { return sparse_best_quotient(all, own); });
    });
}

}  // namespace

void bind_sparse_pairs(nb::module_& m) {
    bind_sums<std::uint8_t>(m);
    bind_sums<std::uint16_t>(m);
    bind_sums<std::uint32_t>(m);
    bind_quotient<float>(m);
    bind_quotient<double>(m);
}

}  // namespace featrank

#include <cmath>
#include <vector>

#include "bindings/sparse.hpp"
#include "pairs/best_candidate.hpp"
#include "pairs/sparse_pairs.hpp"

namespace featrank {
namespace {

using Index = Vector<const std::int64_t>;
using Bytes = Vector<const std::uint8_t>;
using Rows = Vector<const std::uint32_t>;
using Reals = Vector<const double>;

std::size_t features_of(const Index& begin, std::size_t row, std::size_t other) {
    require(row == other, "a row for each entry");
    check_begin(begin, row);
    return begin.shape(0) - 1;
}

SparseCodes codes_of(const Index& begin, const Rows& row, const Bytes& code, const Bytes& zero,
                     std::size_t bins, const Index& n_log_n) {
    require(zero.shape(0) == features_of(begin, row.shape(0), code.shape(0)),
            "one bin of zero a feature");
    require(bins >= 1 && bins <= 256, "bins that a byte can tell");
    require(n_log_n.shape(0) >= 1 && n_log_n.data()[0] == 0, "n·log(n) of every count");
    return {begin.data(),         row.data(), code.data(),   zero.data(),
            n_log_n.shape(0) - 1, bins,       n_log_n.data()};
}

// Rows of a feature must exist.
void check_rows(const std::int64_t* begin, const std::uint32_t* row, std::size_t rows,
                std::size_t feature) {
    const std::int64_t count = begin[feature + 1] - begin[feature];
    require(std::size_t(count) <= rows, "at most one entry a row");
    std::uint32_t largest = 0;
    for (std::int64_t e = begin[feature]; e < begin[feature + 1]; ++e)
        largest = row[e] > largest ? row[e] : largest;
    require(count == 0 || largest < rows, "rows must be below their number");
}

// A code that is too large would be counted outside of the table. The entries stay in the cache
// for the kernel.
void check_codes(const SparseCodes& all, std::size_t feature) {
    check_rows(all.begin, all.row, all.rows, feature);
    std::uint8_t largest = all.zero[feature];
    for (std::int64_t e = all.begin[feature]; e < all.begin[feature + 1]; ++e)
        largest = all.code[e] > largest ? all.code[e] : largest;
    require(largest < all.bins, "codes must be below the number of bins");
}

void check_features(const Index& some, std::size_t features) {
    for (std::size_t j = 0; j < some.shape(0); ++j)
        require(some.data()[j] >= 0 && std::size_t(some.data()[j]) < features,
                "candidates must be features");
}

// Chosen features, one a row of `state`.
template <class S>
struct ChosenColumns {
    Table<const S> state;
    Table<const std::uint32_t> size, whole;
    Vector<const std::int64_t> pair, triple;

    void check(std::size_t rows) const {
        const std::size_t count = state.shape(0);
        require(state.shape(1) == rows, "one state a row");
        require(whole.shape(1) >= 1 && size.shape(1) % whole.shape(1) == 0, "states of each class");
        for (std::size_t length : {size.shape(0), whole.shape(0), pair.shape(0), triple.shape(0)})
            require(length == count, "one entry a chosen feature");
        for (const auto* sizes : {&size, &whole})
            for (std::size_t i = 0; i < count * sizes->shape(1); ++i)
                require(sizes->data()[i] <= rows, "states must not have more rows than there are");
    }
    Chosen<S> at(std::size_t k) const {
        return {state.data() + k * state.shape(1), size.data() + k * size.shape(1),
                whole.data() + k * whole.shape(1), pair.data()[k], triple.data()[k]};
    }
    void check_states(std::size_t k) const {
        const S* own = state.data() + k * state.shape(1);
        S largest = 0;
        for (std::size_t r = 0; r < state.shape(1); ++r)
            largest = own[r] > largest ? own[r] : largest;
        require(state.shape(1) == 0 || largest < size.shape(1),
                "states must be below their number");
    }
};

class SparseTables {
public:
    SparseTables(std::size_t states, std::size_t width, std::size_t bins)
        : cells(states * bins),
          counts(2 * cells + width * bins + states + width),
          code_of(states),
          width(width) {
        for (std::size_t s = 0; s < states; ++s) code_of[s] = std::uint32_t(s % width);
    }
    SparseScratch scratch() {
        std::uint32_t *first = counts.data(), *end = first + counts.size();
        const std::size_t states = code_of.size();
        return {first,
                first + cells,
                first + 2 * cells,
                end - width - states,
                end - width,
                code_of.data(),
                states,
                width};
    }

private:
    std::size_t cells;
    std::vector<std::uint32_t> counts, code_of;
    std::size_t width;
};

template <class S>
struct SparseSmallest {
    SparseCodes all;
    const ChosenColumns<S>& chosen;
    const std::int64_t* given;  // for each chosen feature
    double factor;
    std::int64_t* n_known;
    double* smallest;
    SparseScratch scratch;
    std::vector<char>& checked;

    double bound(std::size_t feature) const { return smallest[feature]; }
    double value(std::size_t feature, double floor) const {
        check_codes(all, feature);
        std::int64_t& known = n_known[feature];
        double& least = smallest[feature];
        for (; std::size_t(known) < checked.size() && least >= floor; ++known) {
            if (!checked[known]) chosen.check_states(known);
            checked[known] = 1;
            const double term = relevance_given(feature, known);
            least = term < least ? term : least;
        }
        return least;
    }
    double relevance_given(std::size_t feature, std::size_t k) const {
        const PairSums sums = FEATRANK_DISPATCH(sparse_sums(all, chosen.at(k), scratch, feature));
        const std::int64_t units = sums.triple - sums.pair - given[k];
        // What rounding alone can make is nothing.
        return units > std::int64_t(all.rows) ? double(units) * factor : 0;
    }
};

Candidates candidates_of(std::size_t features, std::size_t n_chosen, const Index& candidates,
                         const Reals& relevance, const Vector<std::int64_t>& n_known,
                         const Vector<double>& gathered) {
    require(relevance.shape(0) == features && n_known.shape(0) == features &&
                gathered.shape(0) == features,
            "one value a feature");
    require(n_chosen > 0 && candidates.shape(0) > 0, "something chosen, and candidates");
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

template <class S>
void bind_sums(nb::module_& m) {
    define(m, "sparse_sums",
           [](Index begin, Rows row, Bytes code, Bytes zero, std::size_t bins, Index n_log_n,
              Table<const S> state, Table<const std::uint32_t> size,
              Table<const std::uint32_t> whole, Index own_pair, Index own_triple, Index candidates,
              Vector<std::int64_t> pair, Vector<std::int64_t> triple) {
        const SparseCodes all = codes_of(begin, row, code, zero, bins, n_log_n);
        const ChosenColumns<S> chosen{state, size, whole, own_pair, own_triple};
        chosen.check(all.rows);
        require(state.shape(0) == 1, "one chosen feature");
        require(pair.shape(0) == candidates.shape(0) && triple.shape(0) == candidates.shape(0),
                "one sum a candidate");
        check_features(candidates, zero.shape(0));
        nb::gil_scoped_release release;
        chosen.check_states(0);
        SparseTables tables(size.shape(1), whole.shape(1), bins);
        for (std::size_t j = 0; j < candidates.shape(0); ++j) {
            const std::size_t feature = candidates.data()[j];
            check_codes(all, feature);
            const PairSums sums =
                FEATRANK_DISPATCH(sparse_sums(all, chosen.at(0), tables.scratch(), feature));
            pair.data()[j] = sums.pair;
            triple.data()[j] = sums.triple;
        }
    });
    define(
        m, "sparse_best_smallest",
        [](Index begin, Rows row, Bytes code, Bytes zero, std::size_t bins, Index n_log_n,
           Table<const S> state, Table<const std::uint32_t> size, Table<const std::uint32_t> whole,
           Index own_pair, Index own_triple, double factor, Reals relevance, Index candidates,
           Vector<std::int64_t> n_known, Vector<double> smallest) {
        const SparseCodes all = codes_of(begin, row, code, zero, bins, n_log_n);
        const ChosenColumns<S> chosen{state, size, whole, own_pair, own_triple};
        chosen.check(all.rows);
        const Candidates own = candidates_of(zero.shape(0), state.shape(0), candidates, relevance,
                                             n_known, smallest);
        SparseTables tables(size.shape(1), whole.shape(1), bins);
        std::vector<char> checked(state.shape(0));
        std::vector<std::int64_t> given(state.shape(0));
        for (std::size_t k = 0; k < given.size(); ++k)
            given[k] = own_triple.data()[k] - own_pair.data()[k];
        return found(SparseSmallest<S>{all, chosen, given.data(), factor, n_known.data(),
                                       smallest.data(), tables.scratch(), checked},
                     own);
    });
}

// The quotient of a statistic and the mean absolute correlation with the chosen features; see
// standardised.hpp.
template <class T>
struct SparseQuotient {
    const std::int64_t* begin;
    const std::uint32_t* row;
    const T* values;
    const double *mean, *scale;
    const T* chosen;  // standardised, one a row
    const double* chosen_sum;
    std::size_t rows, n_chosen;
    double least;
    const double* statistic;
    std::int64_t* n_known;
    double* excess;

    double bound(std::size_t feature) const {
        return statistic[feature] / (excess[feature] / double(n_chosen) + least);
    }
    double value(std::size_t feature, double floor) const {
        check_rows(begin, row, rows, feature);
        std::int64_t& known = n_known[feature];
        double highest = bound(feature);
        for (; std::size_t(known) < n_chosen && highest >= floor; ++known) {
            const double size = std::fabs(correlation(feature, known));
            if (size > least) excess[feature] += size - least;
            highest = bound(feature);
        }
        return highest;
    }
    double correlation(std::size_t feature, std::size_t k) const {
        const std::int64_t first = begin[feature];
        const double product = FEATRANK_DISPATCH(
            sparse_product(values + first, row + first, std::size_t(begin[feature + 1] - first),
                           mean[feature], chosen + k * rows, chosen_sum[k]));
        return product * scale[feature];
    }
};

template <class T>
void bind_quotient(nb::module_& m) {
    define(m, "sparse_best_quotient",
           [](Index begin, Rows row, Vector<const T> values, Reals mean, Reals scale,
              Table<const T> chosen, Reals chosen_sum, double least, Reals statistic,
              Index candidates, Vector<std::int64_t> n_known, Vector<double> excess) {
        const std::size_t features = features_of(begin, row.shape(0), values.shape(0));
        require(mean.shape(0) == features && scale.shape(0) == features, "one value a feature");
        require(chosen_sum.shape(0) == chosen.shape(0), "one sum a chosen feature");
        const Candidates own = candidates_of(features, chosen.shape(0), candidates, statistic,
                                             n_known, excess);
        return found(
            SparseQuotient<T>{begin.data(), row.data(), values.data(), mean.data(), scale.data(),
                              chosen.data(), chosen_sum.data(), chosen.shape(1), chosen.shape(0),
                              least, statistic.data(), n_known.data(), excess.data()},
            own);
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

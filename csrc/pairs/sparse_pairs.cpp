#include "pairs/sparse_pairs.hpp"

#include <cmath>
#include <vector>

#include "common/checks.hpp"
#include "common/dispatch.hpp"

namespace featrank {
namespace {

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

template <class S>
void check_states(const ChosenStates<S>& chosen, std::size_t k) {
    const S* own = chosen.state + k * chosen.rows;
    S largest = 0;
    for (std::size_t r = 0; r < chosen.rows; ++r) largest = own[r] > largest ? own[r] : largest;
    require(chosen.rows == 0 || largest < chosen.states, "states must be below their number");
}

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
    const SparseCodes& all;
    const ChosenStates<S>& chosen;
    const SparseMinima& minima;
    SparseScratch scratch;
    std::vector<char>& checked;  // whether the states of a chosen feature are

    double bound(std::size_t feature) const { return minima.smallest[feature]; }
    double value(std::size_t feature, double floor) const {
        check_codes(all, feature);
        std::int64_t& known = minima.n_known[feature];
        double& least = minima.smallest[feature];
        for (; std::size_t(known) < chosen.count && least >= floor; ++known) {
            if (!checked[known]) check_states(chosen, known);
            checked[known] = 1;
            const double term = relevance_given(feature, known);
            least = term < least ? term : least;
        }
        return least;
    }
    double relevance_given(std::size_t feature, std::size_t k) const {
        const PairSums sums = FEATRANK_DISPATCH(sparse_sums(all, chosen.at(k), scratch, feature));
        const std::int64_t given = chosen.triple[k] - chosen.pair[k];
        const std::int64_t units = sums.triple - sums.pair - given;
        // What rounding alone can produce counts as 0.
        return units > std::int64_t(all.rows) ? double(units) * minima.factor : 0;
    }
};

template <class T>
struct SparseQuotient {
    const SparseQuotients<T>& all;

    double bound(std::size_t feature) const {
        return all.statistic[feature] / (all.excess[feature] / double(all.n_chosen) + all.least);
    }
    double value(std::size_t feature, double floor) const {
        check_rows(all.begin, all.row, all.rows, feature);
        std::int64_t& known = all.n_known[feature];
        double highest = bound(feature);
        for (; std::size_t(known) < all.n_chosen && highest >= floor; ++known) {
            const double size = std::fabs(correlation(feature, known));
            if (size > all.least) all.excess[feature] += size - all.least;
            highest = bound(feature);
        }
        return highest;
    }
    double correlation(std::size_t feature, std::size_t k) const {
        const std::int64_t first = all.begin[feature];
        const std::size_t count = std::size_t(all.begin[feature + 1] - first);
        const double product = FEATRANK_DISPATCH(
            sparse_product(all.values + first, all.row + first, count, all.mean[feature],
                           all.chosen + k * all.rows, all.chosen_sum[k]));
        return product * all.scale[feature];
    }
};

}  // namespace

template <class S>
void sparse_sums(const SparseCodes& all, const ChosenStates<S>& chosen,
                 const std::int64_t* candidates, std::size_t count, std::int64_t* pair,
                 std::int64_t* triple) {
    check_states(chosen, 0);
    SparseTables tables(chosen.states, chosen.width, all.bins);
    for (std::size_t j = 0; j < count; ++j) {
        const std::size_t feature = std::size_t(candidates[j]);
        check_codes(all, feature);
        const PairSums sums =
            FEATRANK_DISPATCH(sparse_sums(all, chosen.at(0), tables.scratch(), feature));
        pair[j] = sums.pair;
        triple[j] = sums.triple;
    }
}

template <class S>
Best sparse_best_smallest(const SparseCodes& all, const ChosenStates<S>& chosen,
                          const SparseMinima& minima, const Candidates& candidates) {
    SparseTables tables(chosen.states, chosen.width, all.bins);
    std::vector<char> checked(chosen.count);
    return best_of(SparseSmallest<S>{all, chosen, minima, tables.scratch(), checked}, candidates);
}

template <class T>
Best sparse_best_quotient(const SparseQuotients<T>& all, const Candidates& candidates) {
    return best_of(SparseQuotient<T>{all}, candidates);
}

#define FEATRANK_INSTANTIATE(S)                                                                \
    template void sparse_sums(const SparseCodes&, const ChosenStates<S>&, const std::int64_t*, \
                              std::size_t, std::int64_t*, std::int64_t*);                      \
    template Best sparse_best_smallest(const SparseCodes&, const ChosenStates<S>&,             \
                                       const SparseMinima&, const Candidates&);
FEATRANK_INSTANTIATE(std::uint8_t)
FEATRANK_INSTANTIATE(std::uint16_t)
FEATRANK_INSTANTIATE(std::uint32_t)
template Best sparse_best_quotient(const SparseQuotients<float>&, const Candidates&);
template Best sparse_best_quotient(const SparseQuotients<double>&, const Candidates&);

}  // namespace featrank

// Entropies and correlations of pairs of sparse features, in time proportional to the stored
// entries of one of the two; the other, which is chosen, has one state or value per row.
#pragma once
#include <cstddef>
#include <cstdint>

#include "pairs/best_candidate.hpp"

namespace featrank {

// Bins of all features, where they are not that of 0: those of feature j are
// row[begin[j]] … row[begin[j + 1] - 1] and their codes, at most one per row.
struct SparseCodes {
    const std::int64_t* begin;
    const std::uint32_t* row;
    const std::uint8_t* code;
    const std::uint8_t* zero;  // the bin of 0 of each feature
    std::size_t rows, bins;
    const std::int64_t* n_log_n;  // n·log(n) for each count up to `rows`; nothing for 0
};

// A chosen feature and the class: state[r] = class·width + code. `size` holds the number of rows
// of each state, `whole` that of each code, and pair and triple Σ n·log(n) over `whole` and `size`.
template <class S>
struct Chosen {
    const S* state;
    const std::uint32_t *size, *whole;
    std::int64_t pair, triple;
};

// Tables of counts: two over (state, bin), one over (code, bin), and rows taken of each state and
// of each code. They are empty before and after each call.
struct SparseScratch {
    std::uint32_t *table, *other, *all, *taken, *taken_all;
    const std::uint32_t* code_of;  // of each state
    std::size_t states, width;
};

struct PairSums {
    std::int64_t pair, triple;
};

// Σ n·log(n) over the cells of (chosen, feature) and of (chosen, feature, class).
#define FEATRANK_DECLARE_SPARSE_PAIRS(ISA)                                              \
    namespace ISA {                                                                     \
    template <class S>                                                                  \
    PairSums sparse_sums(const SparseCodes&, const Chosen<S>&, const SparseScratch&,    \
                         std::size_t feature);                                          \
    template <class T>                                                                  \
    double sparse_product(const T* values, const std::uint32_t* row, std::size_t count, \
                          double mean, const T* chosen, double chosen_sum);             \
    }
FEATRANK_DECLARE_SPARSE_PAIRS(baseline)
FEATRANK_DECLARE_SPARSE_PAIRS(avx2)

// Chosen features, one per row of `state`, with the same arrays as Chosen for each.
template <class S>
struct ChosenStates {
    const S* state;                     // (count, rows)
    const std::uint32_t *size, *whole;  // (count, states) and (count, width)
    const std::int64_t *pair, *triple;
    std::size_t count, rows, states, width;

    Chosen<S> at(std::size_t k) const {
        return {state + k * rows, size + k * states, whole + k * width, pair[k], triple[k]};
    }
};

// The smallest I(f; class | s) of a feature f over the chosen features s, as Minima holds it.
struct SparseMinima {
    double factor;  // nats per unit
    std::int64_t* n_known;
    double* smallest;
};

// Entries of features, and the quotient of a statistic and the mean absolute correlation with the
// chosen features. See standardised.hpp.
template <class T>
struct SparseQuotients {
    const std::int64_t* begin;
    const std::uint32_t* row;
    const T* values;
    const double *mean, *scale;
    const T* chosen;  // standardised, one per row
    const double* chosen_sum;
    std::size_t rows, n_chosen;
    double least;
    const double* statistic;
    std::int64_t* n_known;
    double* excess;
};

// All functions throw if a row, a code or a state is out of range.
// The sums of the only chosen feature and each candidate.
template <class S>
void sparse_sums(const SparseCodes& all, const ChosenStates<S>& chosen,
                 const std::int64_t* candidates, std::size_t count, std::int64_t* pair,
                 std::int64_t* triple);
// The candidate with the largest smallest relevance.
template <class S>
Best sparse_best_smallest(const SparseCodes& all, const ChosenStates<S>& chosen,
                          const SparseMinima& minima, const Candidates& candidates);
// The candidate with the largest quotient.
template <class T>
Best sparse_best_quotient(const SparseQuotients<T>& all, const Candidates& candidates);

}  // namespace featrank

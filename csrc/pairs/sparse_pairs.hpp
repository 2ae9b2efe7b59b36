// Entropies and correlations of pairs of sparse features, in time proportional to the stored
// entries of one of the two; the other, which is chosen, has one state or value a row.
#pragma once
#include <cstddef>
#include <cstdint>

namespace featrank {

// Bins of all features, where they are not that of 0: those of feature j are
// row[begin[j]] … row[begin[j + 1] - 1] and their codes, at most one a row.
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

}  // namespace featrank

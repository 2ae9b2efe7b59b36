// Entropies of pairs of features, alone and within classes, from tables of counts.
// Sums of n·log(n) are integers in units that the caller chooses, so that they are exact: they
// depend neither on the order of the cells nor on which of two features comes first.
#pragma once
#include <cstddef>
#include <cstdint>

#include "pairs/best_candidate.hpp"

namespace featrank {

// Bins of all features: codes has shape (features, rows), rows grouped by class; every code is
// below `bins`.
struct Codes {
    const std::uint8_t* codes;
    std::size_t rows, bins;
    const std::int64_t* n_log_n;  // n·log(n) for each count up to `rows`
};

// Which pairs are asked for: one feature against each of the candidates.
struct Pairs {
    std::size_t chosen;
    const std::int64_t* candidates;
    std::size_t count;
};

// Rows of class c are offsets[c] … offsets[c + 1] - 1.
struct Segments {
    const std::int64_t* offsets;
    std::size_t count;
};

// Tables of counts that the kernels need, of bins·bins cells each.
struct Scratch {
    std::uint32_t *table, *other, *all;
};

// The smallest I(f; class | s) of a feature f over the chosen features s, in nats: for every f,
// `smallest` holds it over the first n_known ones.
struct Minima {
    const std::int64_t* chosen;
    std::size_t n_chosen;
    const std::int64_t* given;  // for each feature s, Σ over (s, class) less Σ over (s)
    double factor;              // nats per unit
    std::int64_t* n_known;
    double* smallest;
};

// pair[j] = Σ n·log(n) over the cells of (chosen, candidate j), and triple[j] the same over the
// cells of (chosen, candidate j, class). smallest_relevance brings a feature up to date, or gives
// it up once it is below the floor, and returns its smallest value so far. class_tables gives the
// counts themselves: of a feature with the codes `first`, which are below n_first and n_first at
// most `bins`, as tables of shape (classes, n_first, bins).
#define FEATRANK_DECLARE_CONTINGENCY(ISA)                                                          \
    namespace ISA {                                                                                \
    void pair_sums(const Codes&, const Pairs&, const Scratch&, std::int64_t* pair);                \
    void class_sums(const Codes&, const Pairs&, const Segments&, const Scratch&,                   \
                    std::int64_t* pair, std::int64_t* triple);                                     \
    double smallest_relevance(const Codes&, const Minima&, const Segments&, const Scratch&,        \
                              std::size_t feature, double floor);                                  \
    void class_tables(const Codes&, std::size_t feature, const std::uint8_t* first,                \
                      std::size_t n_first, const Segments&, const Scratch&, std::int64_t* tables); \
    }
FEATRANK_DECLARE_CONTINGENCY(baseline)
FEATRANK_DECLARE_CONTINGENCY(avx2)

// The same kernels for the processor's instruction set, with scratch of their own. They throw if a
// code is not below the number of bins, as it would be counted outside of the tables.
void pair_sums(const Codes& all, const Pairs& pairs, std::int64_t* pair);
void class_sums(const Codes& all, const Pairs& pairs, const Segments& classes, std::int64_t* pair,
                std::int64_t* triple);
// Tables of all features, of shape (features, classes, n_first, bins).
void class_tables(const Codes& all, std::size_t features, const std::uint8_t* first,
                  std::size_t n_first, const Segments& classes, std::int64_t* tables);
// The candidate with the largest smallest relevance.
Best best_smallest(const Codes& all, const Minima& minima, const Segments& classes,
                   const Candidates& candidates);

// The same two sums where one of the pair is a joint state of many features: states[r] < count.
struct States {
    const std::uint32_t* states;
    std::size_t count;
};
void state_sums(const Codes& all, const States& states, const Segments& classes,
                const std::int64_t* candidates, std::size_t count, std::int64_t* pair,
                std::int64_t* triple);

}  // namespace featrank

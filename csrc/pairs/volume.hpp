// Greedy volume: it selects the feature that the selected ones explain least.
#pragma once
#include <cstddef>
#include <cstdint>

#include "pairs/best_candidate.hpp"

namespace featrank {

// Features of `rows` values each, one after the other in memory, the reciprocals of their lengths,
// and a row of `steps` numbers for each: its part of a Cholesky factor of the matrix ρ².
template <class T, class Number>
struct Factored {
    const T* values;
    const double* reciprocal;
    Number* factor;
    std::size_t steps;
};

// Candidates. Each knows the first n_known of the chosen features: `rest` is what these
// leave unexplained of it, and `gain` is relevance·rest^diversity. A rest below `least` is
// rounding and counts as 0.
template <class T>
struct Remainders {
    std::size_t rows;
    Factored<T, double> own;
    const double* relevance;
    std::int64_t* n_known;
    double* rest;
    double* gain;
    Factored<T, const double> chosen;
    std::size_t n_chosen;
    double diversity, least;
};

// volume_gain brings a candidate up to date, or gives it up once its gain, which only falls, is
// below the floor, and returns the gain. reciprocal_lengths writes 1/|v| for each feature v, and 0
// for one without length.
#define FEATRANK_DECLARE_VOLUME(ISA)                                                 \
    namespace ISA {                                                                  \
    template <class T>                                                               \
    double volume_gain(const Remainders<T>&, std::size_t candidate, double floor);   \
    template <class T>                                                               \
    void reciprocal_lengths(const T* values, std::size_t features, std::size_t rows, \
                            double* reciprocal);                                     \
    }
FEATRANK_DECLARE_VOLUME(baseline)
FEATRANK_DECLARE_VOLUME(avx2)

// The candidate with the largest gain.
template <class T>
Best best_gain(const Remainders<T>& all, const Candidates& candidates);

}  // namespace featrank

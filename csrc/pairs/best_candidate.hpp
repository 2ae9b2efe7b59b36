// The best of many candidates, where values are expensive and bounds are cheap.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>

namespace featrank {

struct Candidates {
    const std::int64_t* features;
    std::size_t count;
    const double* relevance;  // of every feature; decides between equal values
};

struct Best {
    std::size_t place;  // among the candidates
    double value;
};

inline bool precedes(const Candidates& all, std::size_t one, std::size_t other) {
    const double a = all.relevance[all.features[one]], b = all.relevance[all.features[other]];
    return a > b || (a == b && one < other);
}

template <class Criterion>
std::size_t largest_bound(const Criterion& criterion, const Candidates& candidates) {
    std::size_t first = 0;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t place = 0; place < candidates.count; ++place) {
        const double bound = criterion.bound(candidates.features[place]);
        if (bound <= largest) continue;
        largest = bound;
        first = place;
    }
    return first;
}

// criterion.bound(f) is not less than the value of feature f, and criterion.value(f, floor) is
// the value, or something below the floor where the value is. The value of the candidate with the
// largest bound rules most others out, which are then taken in order, as they lie in memory.
// Equal values: the more relevant candidate, then the first.
template <class Criterion>
Best best_of(const Criterion& criterion, const Candidates& candidates) {
    const std::size_t first = largest_bound(criterion, candidates);
    Best best{first, criterion.value(candidates.features[first],
                                     -std::numeric_limits<double>::infinity())};
    for (std::size_t place = 0; place < candidates.count; ++place) {
        const std::int64_t feature = candidates.features[place];
        if (place == first || criterion.bound(feature) < best.value) continue;
        const double value = criterion.value(feature, best.value);
        if (value > best.value || (value == best.value && precedes(candidates, place, best.place)))
            best = {place, value};
    }
    return best;
}

}  // namespace featrank

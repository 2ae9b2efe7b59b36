// Shared by the bindings of kernels that choose one of many candidates.
#pragma once
#include "bindings/bindings.hpp"
#include "pairs/best_candidate.hpp"

namespace featrank {

// Candidates. Each knows the first n_known of the chosen features.
inline Candidates candidates_of(std::size_t features, std::size_t n_chosen,
                                const Indices& candidates, const Reals& relevance,
                                const Counters& n_known, const Vector<double>& gathered,
                                const char* what = "candidates must be features") {
    require_length(features, "one value a feature", relevance, n_known, gathered);
    require(n_chosen > 0 && candidates.shape(0) > 0, "something chosen, and candidates");
    require_indices(candidates, features, what);
    for (std::size_t j = 0; j < candidates.shape(0); ++j)
        require(n_known.data()[candidates.data()[j]] >= 0, "n_known must not be negative");
    return {candidates.data(), candidates.shape(0), relevance.data()};
}

// The best candidate for Python: its place and value.
template <class Search>
std::tuple<std::size_t, double> found(const Search& search) {
    nb::gil_scoped_release release;
    const Best best = search();
    return {best.place, best.value};
}

}  // namespace featrank

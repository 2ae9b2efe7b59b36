#include "pairs/volume.hpp"

#include "bindings/candidates.hpp"

namespace featrank {
namespace {

using Numbers = Vector<double>;
using Given = Vector<const double>;

void check_candidates(const Vector<const std::int64_t>& candidates,
                      const Vector<std::int64_t>& n_known) {
    require(candidates.shape(0) > 0, "candidates");
    require_indices(candidates, n_known.shape(0), "candidates must be features");
    for (std::size_t j = 0; j < candidates.shape(0); ++j)
        require(n_known.data()[candidates.data()[j]] >= 0, "n_known must not be negative");
}

template <class T>
void bind_volume_of(nb::module_& m) {
    define(m, "best_gain",
           [](Table<const T> values, Given reciprocal, Given relevance,
              Vector<std::int64_t> n_known, Numbers rest, Numbers gain, Table<double> factor,
              Table<const T> chosen, Given chosen_reciprocal, Table<const double> chosen_factor,
              Vector<const std::int64_t> candidates, double diversity, double least) {
        const std::size_t features = values.shape(0), n_chosen = chosen.shape(0);
        require_length(features, "one value a feature", reciprocal, relevance, n_known, rest, gain,
                       factor);
        require(chosen.shape(1) == values.shape(1), "values of the same rows");
        require_length(n_chosen, "one value a chosen feature", chosen_reciprocal, chosen_factor);
        require(factor.shape(1) >= n_chosen && chosen_factor.shape(1) >= n_chosen,
                "room for every step");
        check_candidates(candidates, n_known);
        const Remainders<T> all{
            values.shape(1),
            {values.data(), reciprocal.data(), factor.data(), factor.shape(1)},
            relevance.data(),
            n_known.data(),
            rest.data(),
            gain.data(),
            {chosen.data(), chosen_reciprocal.data(), chosen_factor.data(), chosen_factor.shape(1)},
            n_chosen,
            diversity,
            least};
        const Candidates own{candidates.data(), candidates.shape(0), relevance.data()};
        return found([&] { return best_gain(all, own); });
    });
    define(m, "reciprocal_lengths", [](Table<const T> values, Numbers reciprocal) {
        require(reciprocal.shape(0) == values.shape(0), "one length a feature");
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(
            reciprocal_lengths(values.data(), values.shape(0), values.shape(1), reciprocal.data()));
    });
}

}  // namespace

void bind_volume(nb::module_& m) {
    bind_volume_of<float>(m);
    bind_volume_of<double>(m);
}

}  // namespace featrank

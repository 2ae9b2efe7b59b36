#include <cmath>

#include "bindings/bindings.hpp"
#include "graph/replicator.hpp"

namespace featrank {
namespace {

Weights weights_of(const Table<const double>& weights) {
    require(weights.shape(0) == weights.shape(1), "weights of every pair");
    return {weights.data(), weights.shape(0)};
}

// The search for the vertex that earns most, or least, must find it.
void check_population(const Vector<double>& shares, const Vector<double>& payoff,
                      std::size_t size) {
    require(shares.shape(0) == size && payoff.shape(0) == size, "one value a vertex");
    bool some = false, finite = true;
    for (std::size_t j = 0; j < size; ++j) {
        some |= shares.data()[j] > 0;
        finite &= std::isfinite(payoff.data()[j]) && std::isfinite(shares.data()[j]);
    }
    require(some && finite, "shares, and finite payoffs");
}

}  // namespace

void bind_replicator(nb::module_& m) {
    define(m, "add_product",
           [](Table<const double> weights, Vector<const double> shares, std::size_t begin,
              std::size_t end, Vector<double> result) {
        const Weights all = weights_of(weights);
        require(shares.shape(0) == all.size && result.shape(0) == all.size, "one value a vertex");
        require(begin <= end && end <= all.size, "vertices must exist");
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(product(all, shares.data(), begin, end, result.data()));
    });
    define(m, "exchange",
           [](Table<const double> weights, Vector<double> shares, Vector<double> payoff,
              double coherence, double tol, std::size_t most) {
        const Weights all = weights_of(weights);
        std::size_t moves;
        {
            nb::gil_scoped_release release;
            check_population(shares, payoff, all.size);
            const Population population{shares.data(), payoff.data(), &coherence};
            moves = FEATRANK_DISPATCH(exchange(all, population, tol, most));
        }
        return nb::make_tuple(moves, coherence);
    });
}

}  // namespace featrank

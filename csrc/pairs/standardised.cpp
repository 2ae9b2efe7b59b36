#include "pairs/standardised.hpp"

#include "common/dispatch.hpp"

namespace featrank {
namespace {

template <class T>
struct Quotient {
    const Quotients<T>& all;

    double bound(std::size_t feature) const { return quotient_bound(all, feature); }
    double value(std::size_t feature, double floor) const {
        return FEATRANK_DISPATCH(quotient(all, feature, floor));
    }
};

}  // namespace

template <class T>
Best best_quotient(const Quotients<T>& all, const Candidates& candidates) {
    return best_of(Quotient<T>{all}, candidates);
}

template Best best_quotient(const Quotients<float>&, const Candidates&);
template Best best_quotient(const Quotients<double>&, const Candidates&);

}  // namespace featrank

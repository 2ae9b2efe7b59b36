#include "pairs/volume.hpp"

#include "common/dispatch.hpp"

namespace featrank {
namespace {

template <class T>
struct Gain {
    const Remainders<T>& all;

    double bound(std::size_t candidate) const { return all.gain[candidate]; }
    double value(std::size_t candidate, double floor) const {
        return FEATRANK_DISPATCH(volume_gain(all, candidate, floor));
    }
};

}  // namespace

template <class T>
Best best_gain(const Remainders<T>& all, const Candidates& candidates) {
    return best_of(Gain<T>{all}, candidates);
}

template Best best_gain(const Remainders<float>&, const Candidates&);
template Best best_gain(const Remainders<double>&, const Candidates&);

}  // namespace featrank

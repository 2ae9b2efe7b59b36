// Steps of a pivoted Cholesky factorisation: compiled once for each instruction set, plain loops
// only.
#include "pairs/volume.hpp"

#include "common/hot/dot.hpp"
#include "common/signals.hpp"

namespace featrank {
namespace FEATRANK_ISA {

template <class T>
double volume_gain(const Remainders<T>& all, std::size_t candidate, double floor) {
    const T* values = all.own.values + candidate * all.rows;
    double* factor = all.own.factor + candidate * all.own.steps;
    std::int64_t& known = all.n_known[candidate];
    double &rest = all.rest[candidate], &gain = all.gain[candidate];
    for (; std::size_t(known) < all.n_chosen && gain >= floor && rest > 0; ++known) {
        look_for_signals(all.rows);
        const double* pivot = all.chosen.factor + std::size_t(known) * all.chosen.steps;
        const double correlation = dot(values, all.chosen.values + std::size_t(known) * all.rows,
                                       all.rows) *
                                   all.own.reciprocal[candidate] * all.chosen.reciprocal[known];
        const double part =
            (correlation * correlation - dot<double>(factor, pivot, std::size_t(known))) /
            pivot[known];
        factor[known] = part;
        rest -= part * part;
        if (rest < all.least) rest = 0;
        const double power = all.diversity == 1 ? rest : __builtin_pow(rest, all.diversity);
        gain = all.relevance[candidate] * power;
    }
    return gain;
}

template <class T>
void reciprocal_lengths(const T* values, std::size_t features, std::size_t rows,
                        double* reciprocal) {
    for (std::size_t j = 0; j < features; ++j) {
        look_for_signals(rows);
        const double square = dot(values + j * rows, values + j * rows, rows);
        reciprocal[j] = square > 0 ? 1 / __builtin_sqrt(square) : 0;
    }
}

#define FEATRANK_INSTANTIATE(T)                                                \
    template double volume_gain<T>(const Remainders<T>&, std::size_t, double); \
    template void reciprocal_lengths<T>(const T*, std::size_t, std::size_t, double*);
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace FEATRANK_ISA
}  // namespace featrank

// Differences of four numbers at a time, for the hot loops of the neighbour search.
#pragma once
#include "common/hot/doubles.hpp"
#include "neighbours/neighbours.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

constexpr std::size_t LANES = FOUR;
typedef Doubles Lanes;

template <class T>
inline void load(const T* source, Lanes& out) {
    out = widened(source);
}

// The last columns, where zeros fill up the group.
template <class T>
inline void load_some(const T* source, std::size_t count, Lanes& out) {
    out = Lanes{};
    for (std::size_t l = 0; l < count; ++l) out[l] = source[l];
}

// The absolute difference, or its square. With `unknown`, NaN differences are left out.
template <Metric M, bool unknown>
inline void size_of(const Lanes& gap, Lanes& size) {
    if (M == Metric::square) {
        size = gap * gap;
        return;
    }
    Bits keep = {MAGNITUDE, MAGNITUDE, MAGNITUDE, MAGNITUDE};
    if (unknown) keep &= Bits(gap == gap);
    size = Lanes(Bits(gap) & keep);
}

template <Metric M, bool unknown>
inline void add_size(const Lanes& gap, Lanes& sum) {
    Lanes size;
    size_of<M, unknown>(gap, size);
    sum += size;
}

template <Metric M, bool unknown>
inline void add_weighted(const Lanes& gap, double weight, Lanes& sum) {
    Lanes size;
    size_of<M, unknown>(gap, size);
    sum += weight * size;
}

}  // namespace
}  // namespace FEATRANK_ISA
}  // namespace featrank

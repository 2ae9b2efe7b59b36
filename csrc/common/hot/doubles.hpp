// Four doubles at a time, for the hot loops.
#pragma once
#include <cstddef>
#include <cstdint>
#ifdef __AVX__
#include <immintrin.h>
#endif

namespace featrank {
namespace FEATRANK_ISA {
namespace {

constexpr std::size_t FOUR = 4;
typedef double Doubles __attribute__((vector_size(FOUR * sizeof(double))));
typedef std::int64_t Bits __attribute__((vector_size(FOUR * sizeof(double))));
constexpr std::int64_t MAGNITUDE = 0x7fffffffffffffff;

// Values anywhere in memory.
template <class T>
struct Loose {
    typedef T Values __attribute__((vector_size(FOUR * sizeof(T)), aligned(sizeof(T))));
};

inline Doubles widened(const double* values) {
    return *reinterpret_cast<const Loose<double>::Values*>(values);
}
inline Doubles widened(const float* values) {
#ifdef __AVX__  // where GCC makes a detour through memory of the general way
    return Doubles(_mm256_cvtps_pd(_mm_loadu_ps(values)));
#else
    return __builtin_convertvector(*reinterpret_cast<const Loose<float>::Values*>(values), Doubles);
#endif
}

inline void store(Doubles values, double* target) {
    *reinterpret_cast<Loose<double>::Values*>(target) = values;
}

inline Doubles absolute(Doubles values) { return Doubles(Bits(values) & MAGNITUDE); }

inline double sum_of(Doubles values) { return (values[0] + values[1]) + (values[2] + values[3]); }

}  // namespace
}  // namespace FEATRANK_ISA
}  // namespace featrank

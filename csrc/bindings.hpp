// What every file of bindings shares: array types, checks, and the choice of instruction set.
// A file of bindings checks shapes, releases the GIL and calls kernels; kernels know no Python.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace nb = nanobind;

namespace featrank {

template <class T>
using Input = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Cube = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

inline void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(std::string("featrank kernel: ") + what);
}

// Whether the hot kernels compiled for wide vectors are in use.
extern bool use_wide;

#ifdef FEATRANK_HAS_avx2
#define FEATRANK_DISPATCH(call) (use_wide ? avx2::call : baseline::call)
#else
#define FEATRANK_DISPATCH(call) (baseline::call)
#endif

void bind_summaries(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_contingency(nb::module_& m);
void bind_correlation(nb::module_& m);
void bind_neighbours(nb::module_& m);
void bind_svm(nb::module_& m);
void bind_svm_path(nb::module_& m);

}  // namespace featrank

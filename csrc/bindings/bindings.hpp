// What every file of bindings shares: array types, checks, and the choice of instruction set.
// A file of bindings checks shapes, releases the GIL and calls kernels; kernels know no Python.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

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

// How a parameter is taken: arrays as they are. A conversion would work on a copy, of another
// precision perhaps, and what is written to it would be lost.
template <class T>
struct Parameter {
    static auto taken() { return nb::arg(); }
};
template <class... Options>
struct Parameter<nb::ndarray<Options...>> {
    static auto taken() { return nb::arg().noconvert(); }
};
template <class... Options>
struct Parameter<std::optional<nb::ndarray<Options...>>> {
    static auto taken() { return nb::arg().noconvert().none(); }
};

template <class Function, class Result, class... Parameters>
void define(nb::module_& m, const char* name, Function function,
            Result (Function::*)(Parameters...) const) {
    m.def(name, function, Parameter<std::decay_t<Parameters>>::taken()...);
}

// Adds a function to the module; arrays that do not fit its types raise TypeError.
template <class Function>
void define(nb::module_& m, const char* name, Function function) {
    define(m, name, function, &Function::operator());
}

// Whether the hot kernels compiled for wide vectors are in use.
extern bool use_wide;

#ifdef FEATRANK_HAS_avx2
#define FEATRANK_DISPATCH(call) (use_wide ? avx2::call : baseline::call)
#else
#define FEATRANK_DISPATCH(call) (baseline::call)
#endif

void bind_summaries(nb::module_& m);
void bind_signals(nb::module_& m);
void bind_sparse(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_contingency(nb::module_& m);
void bind_correlation(nb::module_& m);
void bind_counted(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_genotypes(nb::module_& m);
void bind_lasso(nb::module_& m);
void bind_neighbours(nb::module_& m);
void bind_products(nb::module_& m);
void bind_replicator(nb::module_& m);
void bind_sparse_codes(nb::module_& m);
void bind_sparse_pairs(nb::module_& m);
void bind_svm(nb::module_& m);
void bind_svm_path(nb::module_& m);
void bind_volume(nb::module_& m);

}  // namespace featrank

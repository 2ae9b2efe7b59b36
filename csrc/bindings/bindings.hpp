// Shared by all bindings: array types, checks, and how functions are added to the module.
// A binding checks shapes and types, releases the GIL and calls a kernel. Kernels know no Python.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>

#include "common/checks.hpp"
#include "common/dispatch.hpp"
#include "common/matrix.hpp"

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

using Reals = Vector<const double>;
using Indices = Vector<const std::int64_t>;
using Counters = Vector<std::int64_t>;

template <class T>
Matrix<T> matrix_of(const Input<T>& X) {
    return {X.data(), X.stride(0), X.stride(1), X.shape(0), X.shape(1)};
}

template <class... Arrays>
void require_length(std::size_t length, const char* what, const Arrays&... arrays) {
    require(((arrays.shape(0) == length) && ...), what);
}

template <class... Arrays>
void require_shape(std::size_t rows, std::size_t columns, const char* what,
                   const Arrays&... arrays) {
    require(((arrays.shape(0) == rows && arrays.shape(1) == columns) && ...), what);
}

// Every entry must be at least 0 and below the size.
template <class Array>
void require_indices(const Array& indices, std::size_t size, const char* what) {
    bool valid = true;
    for (std::size_t i = 0; i < indices.shape(0); ++i)
        valid &= std::uint64_t(std::int64_t(indices.data()[i])) < size;
    require(valid, what);
}

// Group g owns the entries offsets[g] … offsets[g + 1] - 1. Returns the number of groups.
inline std::size_t require_offsets(const Indices& offsets, std::size_t total,
                                   const char* span = "offsets must span the rows") {
    require(offsets.shape(0) >= 1, "offsets must not be empty");
    const std::size_t count = offsets.shape(0) - 1;
    for (std::size_t g = 0; g < count; ++g)
        require(offsets.data()[g] <= offsets.data()[g + 1], "offsets must ascend");
    require(offsets.data()[0] == 0 && offsets.data()[count] == std::int64_t(total), span);
    return count;
}

// Calls a kernel whose result becomes a Python object.
template <class Work>
auto without_gil(const Work& work) {
    nb::gil_scoped_release release;
    return work();
}

// How a parameter is taken. Arrays, and tuples of arrays, are never converted: the kernel would
// work on a copy, maybe of another precision, and its output would be lost.
template <class T>
struct Parameter {
    static auto taken() { return nb::arg(); }
};
template <class... Options>
struct Parameter<nb::ndarray<Options...>> {
    static auto taken() { return nb::arg().noconvert(); }
};
template <class... Arrays>
struct Parameter<std::tuple<Arrays...>> {
    static auto taken() { return nb::arg().noconvert(); }
};

template <class Function, class Result, class... Parameters>
void define(nb::module_& m, const char* name, Function function,
            Result (Function::*)(Parameters...) const) {
    m.def(name, function, Parameter<std::decay_t<Parameters>>::taken()...);
}

// Adds a function to the module. Python raises TypeError for arrays that do not fit its types.
template <class Function>
void define(nb::module_& m, const char* name, Function function) {
    define(m, name, function, &Function::operator());
}

void bind_contingency(nb::module_& m);
void bind_correlation(nb::module_& m);
void bind_counts(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_lasso(nb::module_& m);
void bind_neighbours(nb::module_& m);
void bind_replicator(nb::module_& m);
void bind_signals(nb::module_& m);
void bind_sparse_codes(nb::module_& m);
void bind_sparse_pairs(nb::module_& m);
void bind_summaries(nb::module_& m);
void bind_svm(nb::module_& m);
void bind_svm_path(nb::module_& m);
void bind_value_summaries(nb::module_& m);
void bind_volume(nb::module_& m);

}  // namespace featrank

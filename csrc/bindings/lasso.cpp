#include <algorithm>
#include <utility>
#include <vector>

#include "bindings/bindings.hpp"
#include "solvers/lasso.hpp"

namespace featrank {
namespace {

// A copy for Python.
template <class T>
auto vector_of(const std::vector<T>& values) {
    T* const copy = new T[values.size()];
    std::copy(values.begin(), values.end(), copy);
    nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(copy, {values.size()}, owner);
}

}  // namespace

void bind_lasso(nb::module_& m) {
    m.attr("LASSO_TIE") = LASSO_TIE;
    m.attr("LASSO_ENDED") = std::int64_t(LassoPath::ENDED);
    m.attr("LASSO_LEFT") = std::int64_t(LassoPath::LEFT);
    nb::class_<LassoPath>(m, "LassoPath")
        .def("__init__",
             [](LassoPath* path, Vector<const double> target, std::size_t most, double floor,
                bool positive, bool ends_full) {
        const LassoRules rules{most, floor, positive, ends_full};
        std::vector<double> products(target.data(), target.data() + target.shape(0));
        new (path) LassoPath(FEATRANK_DISPATCH(dense_loops()), std::move(products), rules);
    },
             nb::arg().noconvert(), nb::arg(), nb::arg(), nb::arg(), nb::arg())
        .def_prop_ro("penalty", &LassoPath::penalty)
        .def("entered", [](const LassoPath& path) { return vector_of(path.entered()); })
        .def("entries", [](const LassoPath& path) { return vector_of(path.entries()); })
        .def_prop_ro("n_entered", [](const LassoPath& path) { return path.entered().size(); })
        .def("places", [](const LassoPath& path) { return vector_of(path.places()); })
        .def("weights",
             [](const LassoPath& path) {
        std::vector<double> weights(path.places().size());
        path.weights(weights.data());
        return vector_of(weights);
    })
        .def("advance",
             [](LassoPath& path) {
        require(!path.is_awaiting(), "the products of the feature that enters");
        nb::gil_scoped_release release;
        return path.advance();
    })
        .def("enter",
             [](LassoPath& path, Vector<const double> row) {
        require(path.is_awaiting(), "no feature enters");
        require(row.shape(0) == path.features(), "a product a feature");
        nb::gil_scoped_release release;
        path.enter(row.data());
    }, nb::arg().noconvert())
        .def("follow", [](LassoPath& path, Table<const double> X) {
        require(!path.is_awaiting(), "the products of the feature that enters");
        require(X.shape(1) == path.features(), "a column a feature");
        LassoPath::Changes changes;
        {
            nb::gil_scoped_release release;
            changes = path.follow(X.data(), X.shape(0));
        }
        return nb::make_tuple(vector_of(changes.penalties), vector_of(changes.weights));
    }, nb::arg().noconvert());
}

}  // namespace featrank

#include "bindings/bindings.hpp"
#include "svm/path.hpp"

namespace featrank {
namespace {

using Signs = Vector<const double>;

// Keeps the data alive that the path works on.
struct BoundPath {
    Table<double> data;
    double C;
    SvmPath path;

    BoundPath(Table<double> data, bool by_kernel, Signs signs, double C, double tol)
        : data(checked(data, by_kernel, signs, C, tol)),
          C(C),
          path(data.data(), by_kernel, signs.shape(0), data.shape(1), signs.data(), C, tol) {}

    static Table<double> checked(Table<double> data, bool by_kernel, const Signs& signs, double C,
                                 double tol) {
        const std::size_t count = signs.shape(0);
        require(data.shape(0) == count && (data.shape(1) == count || !by_kernel), "data's shape");
        require(C > 0 && tol > 0, "C and tol above 0");
        return data;
    }

    void widen(double wanted) {
        require(wanted >= C, "C must not fall");
        C = wanted;
        path.widen(wanted);
    }

    bool optimise() {
        nb::gil_scoped_release release;
        return path.optimise();
    }

    void coefficients(Vector<double> out) const {
        require(out.shape(0) == path.beta().size(), "vectors' length");
        std::copy(path.beta().begin(), path.beta().end(), out.data());
    }
};

}  // namespace

void bind_svm_path(nb::module_& m) {
    nb::class_<BoundPath>(m, "SvmPath")
        .def(nb::init<Table<double>, bool, Signs, double, double>())
        .def("widen", &BoundPath::widen)
        .def("optimise", &BoundPath::optimise)
        .def("coefficients", &BoundPath::coefficients)
        .def("bias", [](const BoundPath& bound) { return bound.path.bias(); });
}

}  // namespace featrank

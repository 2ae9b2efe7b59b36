#include <limits>
#include <memory>

#include "bindings/bindings.hpp"
#include "svm/svm.hpp"

namespace featrank {
namespace {

using Signs = Vector<const double>;

// An SVM that is solved for one C after another, on the matrix of products of the samples or
// on the samples themselves.
struct SvmPath {
    Table<double> data;
    SvmSamples samples;
    SvmScratch scratch;
    std::unique_ptr<Svm> svm;
    double C;

    SvmPath(Table<double> data, bool by_kernel, Signs signs, double C, double tol)
        : data(data), C(C) {
        const std::size_t count = signs.shape(0), columns = data.shape(1);
        require(data.shape(0) == count && (columns == count || !by_kernel), "data's shape");
        require(C > 0 && tol > 0, "C and tol above 0");
        const double* values = data.data();
        samples = {&FEATRANK_DISPATCH(dense_loops()), count, 0, 0, nullptr, values, {}};
        if (!by_kernel) samples = {samples.loops, count, columns, columns, values, nullptr, {}};
        std::vector<Svm::Member> members;
        for (std::size_t i = 0; i < count; ++i) {
            const double* row = values + i * columns;
            samples.squares.push_back(by_kernel ? row[i] : samples.loops->dot(row, row, columns));
            const double sign = signs.data()[i] > 0 ? 1 : -1;
            members.push_back({i, sign, sign});
        }
        svm = std::make_unique<Svm>(samples, scratch, members, C, tol);
    }

    void widen(double wanted) {
        require(wanted >= C, "C must not fall");
        C = wanted;
        svm->widen(wanted);
    }

    bool optimise() {
        nb::gil_scoped_release release;
        svm->optimise(std::numeric_limits<double>::infinity());
        return svm->converged();
    }

    void coefficients(Vector<double> out) const {
        const auto& beta = svm->beta();
        require(out.shape(0) == beta.size(), "vectors' length");
        for (std::size_t i = 0; i < beta.size(); ++i) out.data()[i] = beta[i];
    }
};

}  // namespace

void bind_svm_path(nb::module_& m) {
    nb::class_<SvmPath>(m, "SvmPath")
        .def(nb::init<Table<double>, bool, Signs, double, double>())
        .def("widen", &SvmPath::widen)
        .def("optimise", &SvmPath::optimise)
        .def("coefficients", &SvmPath::coefficients)
        .def("bias", [](const SvmPath& path) { return path.svm->bias(); });
}

}  // namespace featrank

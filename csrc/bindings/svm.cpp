#include "bindings/bindings.hpp"
#include "svm/elimination.hpp"

namespace featrank {
namespace {

using Matrix2 = Table<double>;
using Offsets = Vector<const std::int64_t>;
using Targets = Vector<const double>;

// How features leave.
struct Leaving {
    double C, tol;
    std::size_t step, keep;
};

EliminationTask task_of(std::size_t samples, std::size_t features, const Leaving& how) {
    require(how.C > 0 && how.tol > 0, "C and tol above 0");
    require(how.step >= 1 && how.keep >= 1 && how.keep <= features, "step and keep");
    return {samples, features, how.C, how.tol, how.step, how.keep};
}

void set_classes(EliminationTask& task, const Offsets& offsets) {
    require(offsets.shape(0) >= 3, "two classes at least");
    for (std::size_t c = 0; c < offsets.shape(0); ++c) {
        const std::int64_t offset = offsets.data()[c];
        require(c == 0 ? offset == 0 : offset > offsets.data()[c - 1], "offsets must ascend");
        task.offsets.push_back(std::size_t(offset));
    }
    require(task.offsets.back() == task.samples, "offsets must span the samples");
}

void set_targets(EliminationTask& task, const Targets& targets, double epsilon) {
    require(targets.shape(0) == task.samples && task.samples > 0, "one quantity a sample");
    require(epsilon >= 0, "epsilon at least 0");
    task.targets.assign(targets.data(), targets.data() + task.samples);
    task.epsilon = epsilon;
}

// Keeps the arrays alive that the elimination works in.
struct Eliminator {
    Matrix2 data, kernel;
    std::unique_ptr<Elimination> elimination;

    // kernel of size 0: the data are samples in rows; else features in rows.
    Eliminator(Matrix2 data, Matrix2 kernel, Offsets offsets, double C, double tol,
               std::size_t step, std::size_t keep)
        : data(data), kernel(kernel) {
        EliminationTask task = checked({C, tol, step, keep});
        set_classes(task, offsets);
        start(task);
    }

    Eliminator(Matrix2 data, Matrix2 kernel, Targets targets, double epsilon, double C, double tol,
               std::size_t step, std::size_t keep)
        : data(data), kernel(kernel) {
        EliminationTask task = checked({C, tol, step, keep});
        set_targets(task, targets, epsilon);
        start(task);
    }

    bool by_kernel() const { return kernel.shape(0) > 0; }

    EliminationTask checked(const Leaving& how) const {
        const std::size_t samples = data.shape(by_kernel() ? 1 : 0);
        if (by_kernel()) check_kernel(samples);
        return task_of(samples, data.shape(by_kernel() ? 0 : 1), how);
    }

    void start(const EliminationTask& task) {
        nb::gil_scoped_release release;
        elimination = std::make_unique<Elimination>(task, data.data(),
                                                    by_kernel() ? kernel.data() : nullptr);
    }

    void check_kernel(std::size_t samples) const {
        require(kernel.shape(0) == samples && kernel.shape(1) == samples, "kernel's shape");
    }

    void fresh_kernel(Matrix2 columns, Matrix2 fresh) {
        require(by_kernel(), "fresh_kernel needs a kernel from the start");
        const std::size_t samples = data.shape(1);
        require(columns.shape(0) == elimination->remaining() && columns.shape(1) == samples,
                "columns' shape");
        data = columns;
        kernel = fresh;
        check_kernel(samples);
        nb::gil_scoped_release release;
        elimination->fresh_kernel(data.data(), kernel.data());
    }

    void run(double work) {
        nb::gil_scoped_release release;
        elimination->run(work);
    }
};

template <class From, class To>
void copy_to(const std::vector<From>& from, Vector<To> to) {
    require(to.shape(0) == from.size(), "vectors' length");
    for (std::size_t i = 0; i < from.size(); ++i) to.data()[i] = To(from[i]);
}

}  // namespace

void bind_svm(nb::module_& m) {
    nb::class_<Eliminator>(m, "Eliminator")
        .def(nb::init<Matrix2, Matrix2, Offsets, double, double, std::size_t, std::size_t>())
        .def(
            nb::init<Matrix2, Matrix2, Targets, double, double, double, std::size_t, std::size_t>())
        .def("run", &Eliminator::run)
        .def("fresh_kernel", &Eliminator::fresh_kernel)
        .def("remaining", [](const Eliminator& e) { return e.elimination->remaining(); })
        .def("done", [](const Eliminator& e) { return e.elimination->done(); })
        .def("converged", [](const Eliminator& e) { return e.elimination->converged(); })
        .def("changes", [](const Eliminator& e) { return e.elimination->changes(); })
        .def("wants_fresh_kernel",
             [](const Eliminator& e) { return e.elimination->wants_fresh_kernel(); })
        .def("places", [](const Eliminator& e,
                          Vector<long long> out) { copy_to(e.elimination->places(), out); })
        .def("order", [](const Eliminator& e, Vector<long long> out) {
        copy_to(e.elimination->order(), out);
    }).def("criterion", [](const Eliminator& e, Vector<double> out) {
        copy_to(e.elimination->criterion(), out);
    });
}

}  // namespace featrank

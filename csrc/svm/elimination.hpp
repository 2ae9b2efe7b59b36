// Recursive elimination: the feature of the least squared weight leaves, the SVMs are solved
// again, and so on.
#pragma once
#include <memory>
#include <vector>

#include "svm/svm.hpp"

namespace featrank {

struct EliminationTask {
    std::size_t samples, features;
    double C, tol;
    std::size_t step, keep;
    // Either classes, where c owns the samples offsets[c] … offsets[c + 1] - 1, or targets,
    // which may be missed by epsilon.
    std::vector<std::size_t> offsets = {};
    std::vector<double> targets = {};
    double epsilon = 0;

    // One SVM per pair of classes, or one for the regression targets.
    std::vector<std::vector<Svm::Member>> svms() const;
};

class Elimination {
public:
    // With columns (features, samples) and the kernel matrix, which is downdated; or, if the
    // kernel is null, with rows (samples, features), which are rearranged as features leave.
    Elimination(const EliminationTask& task, double* data, double* kernel);

    // Goes on until all is done, about `work` multiplications are spent, or a fresh kernel
    // matrix is wanted.
    void run(double work);
    bool done() const { return done_; }

    // Whether enough features have gone that the kernel matrix should be recomputed, from
    // the columns at places(); these become the columns 0, 1, …
    bool wants_fresh_kernel() const;
    std::vector<std::size_t> places() const;
    void fresh_kernel(const double* columns, double* kernel);

    std::size_t remaining() const { return places_.size() - head_; }
    const std::vector<std::size_t>& order() const { return order_; }  // worst first
    const std::vector<double>& criterion() const { return criterion_; }
    std::size_t changes() const;
    bool converged() const;

private:
    struct Candidate {
        double value;
        std::size_t id, place;
    };

    struct Drift {
        double scale, rest;
    };

    void start();
    void take_columns(const double* columns, double* kernel);
    bool optimise(double limit);
    DenseRows column(std::size_t place) const {
        return {columns_ + place * task_.samples, 0, task_.samples, nullptr, 1};
    }
    Candidate candidate(std::size_t place);
    void measure_noise();
    std::vector<Candidate> worst(std::size_t count);
    Candidate least();
    Candidate least_near();
    bool far_is_far(const Candidate& best) const;
    void divide();
    void sort_near();
    void refresh_norms(std::size_t begin, std::size_t end, std::vector<double>& where);
    Drift drift(const std::vector<double>& from) const;
    void remove(const std::vector<Candidate>& leaving);
    void drop(std::size_t place);
    void drop_column(std::size_t place);
    void drop_entry(std::size_t place);

    const DenseLoops& loops_;
    EliminationTask task_;
    double *rows_ = nullptr, *kernel_ = nullptr;
    const double* columns_ = nullptr;
    SvmSamples samples_;
    SvmScratch scratch_;
    std::vector<std::unique_ptr<Svm>> svms_;
    std::vector<std::size_t> ids_;     // the feature at a place
    std::vector<std::size_t> places_;  // those of the remaining features, from head_ on
    std::size_t head_ = 0;
    std::vector<std::size_t> order_;
    std::vector<double> criterion_;
    // For columns: lengths and norms of the weights by place. places_ holds near features up to
    // far_, whose norms were computed lately, in ascending order, and far ones behind them; the
    // references are what β was when the norms were computed, which bounds them since.
    std::vector<double> lengths_, norms_, near_reference_, far_reference_;
    std::size_t far_ = 0;
    double longest_ = 0;
    std::size_t solved_ = 0;  // SVMs solved since a feature was removed
    std::size_t at_fresh_ = 0, since_refresh_ = 0, evaluated_ = 0;
    double noise_ = 0;
    bool done_ = false, divided_ = false, measured_ = false;
};

}  // namespace featrank

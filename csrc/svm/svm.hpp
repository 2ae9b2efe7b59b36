// A linear support vector machine (hinge loss, free bias) that is solved again, from where it
// stands, each time a feature leaves.
//
// With β_i = y_i·α_i and the kernel matrix K = X·Xᵀ the problem is
//     min ½ βᵀKβ - yᵀβ   over   Σβ = 0,  0 ≤ y_i·β_i ≤ C.
// A regression target y instead of a sign has a tube of width 2ε around the plane, in which nothing is
// lost: the problem is the same with each sample in it twice, once as a member of sign +1 that
// wants y - ε and once as one of sign -1 that wants y + ε.
//
// An active-set method keeps the inverse of [[0, 1ᵀ], [1, K_FF]] for the free samples F, on
// which the residual (what it wants) - Kβ - b is zero. One change of F costs O(|F|²) in addition to the products.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solvers/dense_loops.hpp"
#include "solvers/symmetric_inverse.hpp"

namespace featrank {

// Scratch memory of an SVM, and a count of multiplications. All SVMs of an
// elimination share it, as they are solved one after the other.
struct SvmScratch {
    double work = 0;
    std::vector<double> right, solution, values, part, steps, old_beta, folded;
    std::vector<std::size_t> suspects, violators, touched, one;
};

// What the SVMs read: the kernel matrix where there is one, else the samples.
struct SvmSamples {
    const DenseLoops* loops;
    std::size_t samples, features, stride;  // stride between the rows of `rows`
    const double* rows;                     // (samples, features) or null
    const double* kernel;                   // (samples, samples) or null
    std::vector<double> squares;            // the diagonal of K
};

// One SVM, for two classes or a regression target; several share the samples. It knows its own samples,
// the members, by their numbers among themselves, so that the SVMs of many classes stay small.
class Svm {
public:
    struct Member {
        std::size_t sample;
        double sign, wanted;
    };

    // Members are samples in some order, or all of these twice: once, and then again in that order.
    Svm(const SvmSamples& samples, SvmScratch& scratch, const std::vector<Member>& members,
        double C, double tol);

    // Goes on until the optimality conditions hold to `tol`; false if the limit of work came first.
    bool optimise(double work_limit);

    // Raises C: samples on the upper bound follow it, the others keep their proportions.
    void widen(double C);

    // Makes the inverse ready for samples without a feature, whose values are z; the caller takes
    // the feature out of the samples, and with drop_weight out of the weights.
    void forget(const double* z, std::size_t z_stride, std::size_t feature);
    void drop_weight(std::size_t feature, std::size_t last);

    // Computes the inverse, or the weights, from scratch.
    void rebuild();
    void refresh_weights();

    // out_r = Σ_i A_ri·β_i over the members i, for rows with a value for every sample.
    void products(const DenseRows& A, double* out) { products(A, coefficients(), out); }

    const std::vector<double>& beta() const { return beta_; }        // by member
    const std::vector<double>& coefficients();                       // the same by sample
    const std::vector<double>& weights() const { return weights_; }  // by feature; empty for K
    double bias() const { return bias_; }
    std::size_t changes() const { return changes_; }
    bool converged() const { return converged_; }

private:
    struct Violator {
        double size;
        std::size_t member;
    };

    // Members whose samples follow one another.
    struct Run {
        std::size_t first, sample, length;
    };

    void products(const DenseRows& A, const std::vector<double>& coefficients, double* out);
    DenseRows rows(const std::vector<std::size_t>& which) const;
    std::size_t size() const { return members_.size(); }
    bool twice() const { return distinct_ < size(); }
    double square(std::size_t i) const { return samples_.squares[members_[i]]; }
    double low(std::size_t i) const { return sign_[i] > 0 ? 0 : -C_; }
    double high(std::size_t i) const { return sign_[i] > 0 ? C_ : 0; }
    bool inside(std::size_t i) const { return beta_[i] > low(i) && beta_[i] < high(i); }
    bool can_move(std::size_t i, double direction) const;
    double step_limit(std::size_t i, double direction) const;

    double residual(std::size_t i);
    const double* residuals(const std::vector<std::size_t>& which);
    const double* residuals(const std::vector<std::size_t>& which, const std::vector<double>& at,
                            double bias);
    double complement(std::size_t i);
    bool dependent(std::size_t i, double complement) const;

    void remember_free();
    void update_weights();
    void settle(std::size_t i, double direction);
    std::size_t largest_step(const std::vector<double>& direction, double factor,
                             double* step) const;
    void step_beta(const std::vector<double>& direction, double amount);
    void start_free(std::size_t i);
    void add_free(std::size_t i, double complement);
    void remove_free(std::size_t place);
    double remove_from_complement(std::size_t place, double complement);

    void restore();
    double correction();
    void enter(std::size_t i);
    bool find_pair();
    bool find_violators();
    bool search(double reach);
    void enter_violators();
    void choose(const std::vector<std::size_t>& which, const double* values, std::size_t most);
    bool may_violate(std::size_t i, double distance) const;
    void list_suspects(double reach);
    void add_twins();
    std::size_t together(std::size_t listed) const;
    double residual_cost() const;
    double change_cost() const;

    const SvmSamples& samples_;
    const DenseLoops& loops_;
    std::vector<std::size_t> members_;  // the samples
    std::size_t distinct_ = 0;          // members, before the same samples come again
    std::vector<Run> runs_;
    double C_, tol_, exact_, bias_ = 0;
    bool converged_ = true, has_reference_ = false;
    std::size_t changes_ = 0, updates_ = 0, rounds_ = 0;
    std::vector<double> sign_, wanted_, beta_, weights_;
    std::vector<std::uint8_t> is_free_;
    std::vector<std::size_t> free_;
    SymmetricInverse inverse_;  // of the free ones, in the order of free_, behind the border
    // Where the residuals of all members were last computed, which bounds them since.
    std::vector<double> old_residual_, old_weights_;
    double old_bias_ = 0;
    std::size_t suspected_ = 0;  // samples, in all searches since then
    std::size_t to_enter_ = 0;   // of the violators, before the next search
    // References into the scratch.
    double& work_;
    std::vector<double>&right_, &solution_, &values_, &part_, &steps_, &old_beta_, &folded_;
    std::vector<std::size_t>&suspects_, &violators_, &touched_, &one_;
};

}  // namespace featrank

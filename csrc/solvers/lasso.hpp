// The path of the lasso: which feature enters or leaves next as the penalty falls.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "solvers/dense_loops.hpp"
#include "solvers/symmetric_inverse.hpp"

namespace featrank {

// Penalties that differ by less than this part are equal: the lower index enters first.
constexpr double LASSO_TIE = 1e-10;

struct LassoRules {
    std::size_t most;  // features in use at once
    double floor;      // the penalty at which the path ends
    bool positive;     // whether weights must not be negative
    bool ends_full;    // whether the path ends because its memory is full
};

// Features in use: their products with all features, and the inverse of those among them.
class LassoActive {
    const DenseLoops& loops_;
    const std::size_t features_, most_;
    std::size_t room_ = 0;
    std::unique_ptr<double[]> rows_;  // room × features; only used entries are written
    std::vector<double> inner_;       // the lower triangle of room × room products
    SymmetricInverse inverse_;
    std::vector<std::int64_t> places_;
    std::vector<double> signs_;

    void grow();
    void make_inverse();
    // Solves the equations of the products, refined by what is left over.
    void solve(const std::vector<double>& right, std::vector<double>& found);
    double attempt(const std::vector<double>& right, std::vector<double>& found,
                   std::vector<double>& rest);

public:
    LassoActive(const DenseLoops& loops, std::size_t features, std::size_t most)
        : loops_(loops), features_(features), most_(most), inverse_(loops) {}

    std::size_t size() const { return places_.size(); }
    bool is_full() const { return size() == most_; }
    const std::vector<std::int64_t>& places() const { return places_; }
    double sign(std::size_t place) const { return signs_[place]; }
    // Takes in a feature; false if it is in the span of the others.
    bool add(std::size_t feature, double sign, const double* row);
    // Drops a feature; the last one takes its place.
    void remove(std::size_t place);
    // Weights as lines in λ, and what they explain of the products with all features.
    void weights(const std::vector<double>& target, std::vector<double>& fixed,
                 std::vector<double>& slope);
    void explained(const std::vector<double>& weights, std::vector<double>& out) const;
};

class LassoPath {
    const DenseLoops& loops_;
    const LassoRules rules_;
    const std::vector<double> target_;
    LassoActive active_;
    std::vector<double> fixed_, slope_, meets_;          // products with the residual, in λ
    std::vector<double> fixed_weights_, weight_slopes_;  // weights: fixed - λ·slope
    std::vector<std::uint8_t> barred_;                   // in use, or in the span of what is in use
    std::int64_t left_ = -1;  // who has just left, and is on the border still
    double left_sign_ = 0;
    std::int64_t joining_ = -1;  // who is about to enter
    double joining_sign_ = 0;
    double penalty_ = 0;
    bool still_ = false;  // whether the last step left the penalty as it was
    std::size_t standing_ = 0;
    std::vector<std::int64_t> entered_;
    std::vector<double> entries_;

    std::size_t next_entry(double& entry);
    std::size_t next_exit(double& exit) const;
    void leave(std::size_t place);
    void settle();

public:
    enum : std::int64_t { ENDED = -1, LEFT = -2 };

    // `target` has the products of each feature with what is to be explained.
    LassoPath(const DenseLoops& loops, std::vector<double> target, const LassoRules& rules);

    std::size_t features() const { return target_.size(); }
    double penalty() const { return penalty_; }
    // Features in the order of their first entries, and their penalties.
    const std::vector<std::int64_t>& entered() const { return entered_; }
    const std::vector<double>& entries() const { return entries_; }
    // Goes to the next penalty at which something changes: the feature that is about to enter, LEFT
    // if one has left, or ENDED.
    std::int64_t advance();
    // Lets it enter, by its products with all features.
    void enter(const double* row);
    bool is_awaiting() const { return joining_ >= 0; }
    // The features in use, and their weights at the penalty.
    const std::vector<std::int64_t>& places() const { return active_.places(); }
    void weights(double* out) const;

    // Penalties, and weights of all features, wherever one enters or leaves, and at the end.
    struct Changes {
        std::vector<double> penalties, weights;
    };
    // Goes to the end for features whose values are X (samples × features, by rows).
    Changes follow(const double* X, std::size_t samples);
};

}  // namespace featrank

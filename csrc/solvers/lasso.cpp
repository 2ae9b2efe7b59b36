#include "solvers/lasso.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/signals.hpp"

namespace featrank {
namespace {

// How much slower than the penalty a product must fall to meet it: that of a copy does not.
constexpr double SLOWER = 1e-9;
// Part of its square that a feature needs outside the span of those in use.
constexpr double OUTSIDE = 1e-10;
// What is left over of the equations, as part of their right side: up to which nothing is to be
// mended, and from which on the inverse is recomputed.
constexpr double EXACT = 1e-14, DRIFT = 1e-6;
// Limit of steps with the same penalty. More would be a cycle.
constexpr std::size_t STANDSTILL = 100;
// Features in use for which there is room at once.
constexpr std::size_t FIRST_ROOM = 64;

}  // namespace

void LassoActive::grow() {
    const std::size_t wide = std::min(most_, std::max(FIRST_ROOM, 2 * room_)), n = size();
    std::vector<double> wider(wide * wide);
    for (std::size_t r = 0; r < n; ++r)
        std::copy_n(inner_.data() + r * room_, r + 1, wider.data() + r * wide);
    inner_.swap(wider);
    std::unique_ptr<double[]> rows(new double[wide * features_]);
    std::copy_n(rows_.get(), n * features_, rows.get());
    rows_.swap(rows);
    room_ = wide;
}

// The inverse of the products, by sweeps over the pivots; where rounding leaves none it stays what
// it was.
void LassoActive::make_inverse() {
    const std::size_t n = size();
    std::vector<double> swept(n * n), column(n);
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c <= r; ++c)
            swept[r * n + c] = swept[c * n + r] = -inner_[r * room_ + c];
    for (std::size_t k = 0; k < n; ++k) {
        look_for_signals(n * n);
        const double pivot = -swept[k * n + k];
        if (!(pivot > 0)) return;
        for (std::size_t r = 0; r < n; ++r) column[r] = r == k ? 0 : swept[r * n + k];
        loops_.add_outer(1 / pivot, column.data(), n, n, swept.data());
        for (std::size_t r = 0; r < n; ++r)
            swept[r * n + k] = swept[k * n + r] = -column[r] / pivot;
        swept[k * n + k] = 1 / pivot;
    }
    inverse_.set(swept.data(), n);
}

// What is left over, right - products·found, and how large it is as part of the right side.
double LassoActive::attempt(const std::vector<double>& right, std::vector<double>& found,
                            std::vector<double>& rest) {
    look_for_signals(size() * size());
    inverse_.apply(right, found);
    rest.resize(size());
    loops_.times_symmetric(inner_.data(), room_, size(), found.data(), rest.data());
    double worst = 0, most = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        rest[i] = right[i] - rest[i];
        worst = std::max(worst, std::fabs(rest[i]));
        most = std::max(most, std::fabs(right[i]));
    }
    return worst > 0 ? worst / most : 0;
}

void LassoActive::solve(const std::vector<double>& right, std::vector<double>& found) {
    std::vector<double> rest, more;
    const double residual = attempt(right, found, rest);
    if (residual <= EXACT) return;
    if (!(residual <= DRIFT)) {
        make_inverse();
        attempt(right, found, rest);
    }
    inverse_.apply(rest, more);
    for (std::size_t i = 0; i < size(); ++i) found[i] += more[i];
}

bool LassoActive::add(std::size_t feature, double sign, const double* row) {
    const std::size_t n = size();
    std::vector<double> own(n), share;
    for (std::size_t i = 0; i < n; ++i) own[i] = row[places_[i]];
    solve(own, share);
    const double rest = row[feature] - loops_.dot(own.data(), share.data(), n);
    if (is_full() || !(rest > OUTSIDE * row[feature])) return false;
    if (n == room_) grow();
    inverse_.add(share, rest);
    std::copy_n(own.data(), n, inner_.data() + n * room_);
    inner_[n * room_ + n] = row[feature];
    std::copy_n(row, features_, rows_.get() + n * features_);
    places_.push_back(std::int64_t(feature));
    signs_.push_back(sign);
    return true;
}

void LassoActive::remove(std::size_t place) {
    const std::size_t last = size() - 1;
    move_last(inner_.data(), room_, place, last);
    if (place != last)
        std::copy_n(rows_.get() + last * features_, features_, rows_.get() + place * features_);
    places_[place] = places_[last];
    signs_[place] = signs_[last];
    places_.pop_back();
    signs_.pop_back();
    inverse_.remove(place);
}

void LassoActive::weights(const std::vector<double>& target, std::vector<double>& fixed,
                          std::vector<double>& slope) {
    std::vector<double> right(size());
    for (std::size_t i = 0; i < size(); ++i) right[i] = target[places_[i]];
    solve(right, fixed);
    solve(signs_, slope);
}

void LassoActive::explained(const std::vector<double>& weights, std::vector<double>& out) const {
    look_for_signals(size() * features_);
    std::fill(out.begin(), out.end(), 0.0);
    loops_.add_times({rows_.get(), features_, features_, nullptr, size()}, weights.data(),
                     out.data());
}

LassoPath::LassoPath(const DenseLoops& loops, std::vector<double> target, const LassoRules& rules)
    : loops_(loops),
      rules_(rules),
      target_(std::move(target)),
      active_(loops, target_.size(), std::min(rules.most, target_.size())),
      fixed_(target_),
      slope_(target_.size()),
      meets_(target_.size()),
      barred_(target_.size()) {
    for (double product : target_)
        penalty_ = std::max(penalty_, rules.positive ? product : std::fabs(product));
}

// The feature whose product with the residual meets the penalty next.
std::size_t LassoPath::next_entry(double& entry) {
    const bool blocked = left_ >= 0 && left_sign_ * fixed_[left_] > 0;
    double highest = 0;
    for (std::size_t j = 0; j < features(); ++j) {
        // Above 0 a product meets the penalty of its own sign alone.
        const double side = rules_.positive ? 1 : std::copysign(1.0, fixed_[j]);
        const double room = 1 - side * slope_[j], met = side * fixed_[j] / room;
        meets_[j] = room > SLOWER && !barred_[j] ? met : 0;
    }
    if (blocked) meets_[left_] = 0;
    for (double met : meets_) highest = met > highest ? met : highest;
    entry = std::min(highest, penalty_);
    const double enough = entry * (1 - LASSO_TIE);
    const auto found = std::find_if(meets_.begin(), meets_.end(),
                                    [&](double met) { return met >= enough; });
    const std::size_t feature = found == meets_.end() ? 0 : std::size_t(found - meets_.begin());
    joining_sign_ = fixed_[feature] + entry * slope_[feature] > 0 ? 1 : -1;
    return feature;
}

// The place among the features in use whose weight is the next to become 0.
std::size_t LassoPath::next_exit(double& exit) const {
    std::size_t place = 0;
    exit = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
        if (!(active_.sign(i) * weight_slopes_[i] < 0)) continue;
        const double zero = fixed_weights_[i] / weight_slopes_[i];
        if (!(zero > exit)) continue;
        exit = zero;
        place = i;
    }
    exit = std::min(exit, penalty_);
    return place;
}

std::int64_t LassoPath::advance() {
    look_for_signals(features());
    if (features() == 0 || standing_ > STANDSTILL) return ENDED;
    double entry, exit;
    const std::size_t feature = next_entry(entry), place = next_exit(exit);
    const double reached = std::max(entry, exit);
    if (!(reached > rules_.floor)) {
        if (rules_.ends_full) penalty_ = 0;
        return ENDED;
    }
    still_ = reached >= penalty_ * (1 - LASSO_TIE);
    penalty_ = reached;
    if (exit >= entry) {
        leave(place);
        return LEFT;
    }
    if (rules_.ends_full && active_.is_full()) return ENDED;
    return joining_ = std::int64_t(feature);
}

void LassoPath::enter(const double* row) {
    const std::int64_t feature = joining_;
    joining_ = -1;
    barred_[feature] = 1;
    if (!active_.add(std::size_t(feature), joining_sign_, row)) return;
    left_ = -1;
    if (std::find(entered_.begin(), entered_.end(), feature) == entered_.end()) {
        entered_.push_back(feature);
        entries_.push_back(penalty_);
    }
    settle();
}

void LassoPath::leave(std::size_t place) {
    left_ = active_.places()[place];
    left_sign_ = active_.sign(place);
    active_.remove(place);
    std::fill(barred_.begin(), barred_.end(), std::uint8_t(0));
    for (std::int64_t used : active_.places()) barred_[used] = 1;
    settle();
}

// Finds the weights and all products with the residual as lines in λ.
void LassoPath::settle() {
    active_.weights(target_, fixed_weights_, weight_slopes_);
    active_.explained(weight_slopes_, slope_);
    active_.explained(fixed_weights_, fixed_);
    for (std::size_t j = 0; j < features(); ++j) fixed_[j] = target_[j] - fixed_[j];
    standing_ = still_ ? standing_ + 1 : 0;
}

void LassoPath::weights(double* out) const {
    for (std::size_t i = 0; i < active_.size(); ++i)
        out[i] = fixed_weights_[i] - penalty_ * weight_slopes_[i];
}

LassoPath::Changes LassoPath::follow(const double* X, std::size_t samples) {
    Changes changes;
    std::vector<double> row(features()), own(samples), found;
    for (std::int64_t next = LEFT; next != ENDED;) {
        next = advance();
        if (next >= 0) {
            look_for_signals(samples * features());
            for (std::size_t t = 0; t < samples; ++t)
                own[t] = X[t * features() + std::size_t(next)];
            std::fill(row.begin(), row.end(), 0.0);
            loops_.add_times({X, features(), features(), nullptr, samples}, own.data(), row.data());
            enter(row.data());
        }
        found.resize(active_.size());
        weights(found.data());
        changes.penalties.push_back(penalty_);
        changes.weights.resize(changes.penalties.size() * features());
        double* const out = changes.weights.data() + changes.weights.size() - features();
        for (std::size_t i = 0; i < found.size(); ++i) out[active_.places()[i]] = found[i];
    }
    return changes;
}

}  // namespace featrank

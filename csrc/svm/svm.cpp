#include "svm/svm.hpp"
#include "common/signals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace featrank {

namespace {

constexpr double INF = std::numeric_limits<double>::infinity();
// Below this fraction of the largest K_ii, a sample lies in the flat that the free ones span.
constexpr double DEPENDENT = 1e-10;
// A feature whose removal leaves less than this of the curvature makes K_FF singular.
constexpr double SINGULAR = 1e-8;
// Residual of the free samples that is taken for zero, as a part of the tolerance.
constexpr double EXACT = 1e-3;
constexpr std::size_t REFINEMENTS = 4;
constexpr std::size_t UPDATES_BETWEEN_REBUILDS = 50;
constexpr std::size_t WORK_A_CHANGE = 1000;  // in addition to the multiplications
constexpr std::size_t MAX_ROUNDS = 2000;     // passes over all samples in one optimisation

}  // namespace

Svm::Svm(const SvmSamples& samples, SvmScratch& scratch, const std::vector<Member>& members,
         double C, double tol)
    : samples_(samples),
      loops_(*samples.loops),
      C_(C),
      tol_(tol),
      exact_(EXACT * tol),
      beta_(members.size()),
      weights_(samples.kernel ? 0 : samples.features),
      is_free_(members.size()),
      inverse_(loops_),
      work_(scratch.work),
      right_(scratch.right),
      solution_(scratch.solution),
      values_(scratch.values),
      part_(scratch.part),
      steps_(scratch.steps),
      old_beta_(scratch.old_beta),
      folded_(scratch.folded),
      suspects_(scratch.suspects),
      violators_(scratch.violators),
      touched_(scratch.touched),
      one_(scratch.one) {
    for (const Member& member : members) {
        members_.push_back(member.sample);
        sign_.push_back(member.sign);
        wanted_.push_back(member.wanted);
    }
    for (std::size_t i = 0; i < size() && (i == 0 || members_[i] != members_[0]); ++i) {
        const bool next = i > 0 && members_[i - 1] + 1 == members_[i];
        if (!next) runs_.push_back({i, members_[i], 0});
        ++runs_.back().length;
        ++distinct_;
    }
}

const std::vector<double>& Svm::coefficients() {
    if (!twice()) return beta_;
    folded_.resize(distinct_);
    for (std::size_t i = 0; i < distinct_; ++i) folded_[i] = beta_[i] + beta_[i + distinct_];
    return folded_;
}

DenseRows Svm::rows(const std::vector<std::size_t>& which) const {
    const std::size_t* places = members_.data();
    if (samples_.kernel)
        return {samples_.kernel, samples_.samples, samples_.samples,
                which.data(),    which.size(),     places};
    return {samples_.rows, samples_.stride, samples_.features, which.data(), which.size(), places};
}

void Svm::products(const DenseRows& A, const std::vector<double>& coefficients, double* out) {
    look_for_signals(A.count * distinct_);
    part_.resize(A.count);
    for (const Run& run : runs_) {
        DenseRows cut = A;
        cut.data += run.sample;
        cut.columns = run.length;
        const bool first = run.first == 0;
        loops_.times(cut, coefficients.data() + run.first, first ? out : part_.data());
        for (std::size_t r = 0; !first && r < A.count; ++r) out[r] += part_[r];
    }
    work_ += double(A.count * distinct_);
}

bool Svm::can_move(std::size_t i, double direction) const {
    return direction > 0 ? beta_[i] < high(i) : beta_[i] > low(i);
}

double Svm::step_limit(std::size_t i, double direction) const {
    return std::max(0.0, direction > 0 ? high(i) - beta_[i] : beta_[i] - low(i));
}

// The residuals of some members, into values_, for the coefficients or weights that are given.
const double* Svm::residuals(const std::vector<std::size_t>& which, const std::vector<double>& at,
                             double bias) {
    values_.resize(which.size());
    const DenseRows matrix = rows(which);
    if (samples_.kernel) {
        products(matrix, at, values_.data());
    } else {
        loops_.times(matrix, at.data(), values_.data());
        work_ += double(which.size() * matrix.columns);
    }
    for (std::size_t k = 0; k < which.size(); ++k)
        values_[k] = wanted_[which[k]] - bias - values_[k];
    return values_.data();
}

const double* Svm::residuals(const std::vector<std::size_t>& which) {
    return residuals(which, samples_.kernel ? coefficients() : weights_, bias_);
}

double Svm::residual(std::size_t i) {
    one_.assign(1, i);
    return residuals(one_)[0];
}

// What remains of K_ii beyond the free samples; solution_ holds the inverse times (1, K_iF).
double Svm::complement(std::size_t i) {
    right_.resize(free_.size() + 1);
    right_[0] = 1;
    one_.assign(1, i);
    const double* row = rows(one_).row(0);
    if (samples_.kernel) {
        for (std::size_t p = 0; p < free_.size(); ++p) right_[p + 1] = row[members_[free_[p]]];
    } else {
        loops_.times(rows(free_), row, right_.data() + 1);
        work_ += double(free_.size() * samples_.features);
    }
    inverse_.apply(right_, solution_);
    work_ += double(right_.size() * right_.size());
    return square(i) - loops_.dot(right_.data(), solution_.data(), right_.size());
}

bool Svm::dependent(std::size_t i, double complement) const {
    double largest = square(i);
    for (std::size_t member : free_) largest = std::max(largest, square(member));
    return complement <= DEPENDENT * largest;
}

// Notes β of the free samples before they move.
void Svm::remember_free() {
    touched_ = free_;
    old_beta_.clear();
    for (std::size_t i : touched_) old_beta_.push_back(beta_[i]);
}

// Lets the weights follow what has moved since remember().
void Svm::update_weights() {
    if (samples_.kernel) return;
    steps_.resize(touched_.size());
    for (std::size_t k = 0; k < touched_.size(); ++k) steps_[k] = beta_[touched_[k]] - old_beta_[k];
    loops_.add_times(rows(touched_), steps_.data(), weights_.data());
    work_ += double(touched_.size() * samples_.features);
}

// Puts a sample exactly on the bound that it has reached.
void Svm::settle(std::size_t i, double direction) { beta_[i] = direction > 0 ? high(i) : low(i); }

// How far the free samples can go along factor·direction, and which one stops them.
std::size_t Svm::largest_step(const std::vector<double>& direction, double factor,
                              double* step) const {
    std::size_t stopped = free_.size();
    for (std::size_t p = 0; p < free_.size(); ++p) {
        const double speed = factor * direction[p + 1];
        // As step_limit(); its branches are hard to predict here.
        const std::size_t i = free_[p];
        const double bound = speed * sign_[i] > 0 ? sign_[i] * C_ : 0;
        const double space = std::max(0.0, std::copysign(1.0, speed) * (bound - beta_[i]));
        if (speed == 0 || space >= *step * std::fabs(speed)) continue;
        *step = space / std::fabs(speed);
        stopped = p;
    }
    return stopped;
}

void Svm::step_beta(const std::vector<double>& direction, double amount) {
    bias_ += amount * direction[0];
    for (std::size_t p = 0; p < free_.size(); ++p) beta_[free_[p]] += amount * direction[p + 1];
}

// Makes a sample the only free one.
void Svm::start_free(std::size_t i) {
    free_.assign(1, i);
    is_free_[i] = 1;
    bias_ += residual(i);
    inverse_.start(square(i));
    ++changes_;
}

// After complement(i), which has left the solution.
void Svm::add_free(std::size_t i, double complement) {
    inverse_.add(solution_, complement);
    free_.push_back(i);
    is_free_[i] = 1;
    ++updates_;
    ++changes_;
    work_ += double(free_.size() * free_.size());
}

void Svm::remove_free(std::size_t place) {
    is_free_[free_[place]] = 0;
    free_[place] = free_.back();
    free_.pop_back();
    ++updates_;
    ++changes_;
    if (!free_.empty()) inverse_.remove(place + 1);
    work_ += double(free_.size() * free_.size());
}

// Removes a free sample; solution_ and the complement that is returned follow.
double Svm::remove_from_complement(std::size_t place, double complement) {
    const double share = inverse_.eliminate(place + 1, solution_);
    remove_free(place);
    return complement + share;
}

void Svm::refresh_weights() {
    if (samples_.kernel) return;
    std::fill(weights_.begin(), weights_.end(), 0.0);
    one_.resize(1);
    for (std::size_t i = 0; i < size(); ++i) {
        if (beta_[i] == 0) continue;
        one_[0] = i;
        loops_.add_times(rows(one_), &beta_[i], weights_.data());
    }
}

void Svm::rebuild() {
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < size(); ++i) {
        if (is_free_[i] || inside(i)) candidates.push_back(i);
        is_free_[i] = 0;
    }
    free_.clear();
    refresh_weights();
    for (std::size_t i : candidates) {
        if (free_.empty()) {
            start_free(i);
            continue;
        }
        look_for_signals(free_.size() * free_.size());
        const double rest = complement(i);
        if (!dependent(i, rest)) add_free(i, rest);
    }
    updates_ = 0;
}

// One Newton step on the free samples; those that meet a bound on the way stay there. Returns the
// largest residual that it started from.
double Svm::correction() {
    const double* values = residuals(free_);
    double largest = 0, sum = 0;
    for (std::size_t p = 0; p < free_.size(); ++p)
        largest = std::max(largest, std::fabs(values[p]));
    if (largest <= exact_) return largest;
    for (double value : beta_) sum += value;
    right_.assign(1, -sum);
    right_.insert(right_.end(), values, values + free_.size());
    inverse_.apply(right_, solution_);
    work_ += double(right_.size() * right_.size());
    remember_free();
    while (!free_.empty()) {
        double step = 1;
        const std::size_t stopped = largest_step(solution_, 1, &step);
        step_beta(solution_, step);
        if (stopped == free_.size()) break;
        settle(free_[stopped], solution_[stopped + 1]);
        for (double& value : solution_) value *= 1 - step;
        remove_from_complement(stopped, 0);
    }
    update_weights();
    return largest;
}

// Brings the residual of the free samples back to zero.
void Svm::restore() {
    double before = INF;
    for (std::size_t tries = 0; tries < REFINEMENTS && !free_.empty(); ++tries) {
        const double largest = correction();
        if (largest <= exact_) return;
        const bool slow = largest > 0.1 * before;
        if (slow && largest < 100 * exact_) return;  // as exact as rounding lets it be
        if (slow && updates_ > UPDATES_BETWEEN_REBUILDS) rebuild();
        before = largest;
    }
}

// Moves a violating sample, with the free ones following so that their residual stays zero,
// until its own residual is zero or it meets a bound.
void Svm::enter(std::size_t i) {
    look_for_signals(WORK_A_CHANGE + free_.size() * free_.size());
    double rest = residual(i);
    const double direction = rest > 0 ? 1 : -1;
    if (is_free_[i] || std::fabs(rest) <= tol_ || !can_move(i, direction)) return;
    remember_free();
    touched_.push_back(i);
    old_beta_.push_back(beta_[i]);
    double curvature = complement(i);
    while (!free_.empty()) {
        const double wanted = dependent(i, curvature) ? INF
                                                      : std::max(0.0, direction * rest) / curvature;
        double step = std::min(wanted, step_limit(i, direction));
        const bool at_bound = step < wanted;
        const std::size_t stopped = largest_step(solution_, -direction, &step);
        beta_[i] += direction * step;
        step_beta(solution_, -direction * step);
        rest -= direction * step * curvature;
        if (stopped != free_.size()) {
            settle(free_[stopped], -direction * solution_[stopped + 1]);
            curvature = remove_from_complement(stopped, curvature);
            continue;
        }
        if (at_bound) {
            settle(i, direction);
            ++changes_;
        } else {
            add_free(i, curvature);
        }
        return update_weights();
    }
    update_weights();
    if (inside(i)) start_free(i);
}

bool Svm::optimise(double work_limit) {
    for (; rounds_ < MAX_ROUNDS; ++rounds_) {
        look_for_signals(WORK_A_CHANGE);
        restore();
        if (!(free_.empty() ? find_pair() : find_violators())) {
            rounds_ = 0;
            return true;
        }
        enter_violators();
        if (work_ > work_limit) return ++rounds_, false;
    }
    converged_ = false;
    rounds_ = 0;
    return true;
}

void Svm::widen(double C) {
    const double factor = C / C_;
    for (double& value : beta_) {
        const bool bound = std::fabs(value) == C_;
        value = bound ? std::copysign(C, value) : value * factor;
    }
    for (double& weight : weights_) weight *= factor;
    C_ = C;
    has_reference_ = false;
}

void Svm::forget(const double* z, std::size_t z_stride, std::size_t feature) {
    double weight;
    if (samples_.kernel)
        products({z, 0, samples_.samples, nullptr, 1}, &weight);
    else
        weight = weights_[feature];
    if (has_reference_)
        for (std::size_t i = 0; i < size(); ++i)
            old_residual_[i] += z[members_[i] * z_stride] * old_weights_[feature];
    std::vector<double> values, image;
    while (!free_.empty()) {
        look_for_signals(free_.size() * free_.size());
        values.assign(1, 0.0);
        for (std::size_t i : free_) values.push_back(z[members_[i] * z_stride]);
        inverse_.apply(values, image);
        work_ += 2 * double(image.size() * image.size());
        const double remaining = 1 - loops_.dot(values.data(), image.data(), values.size());
        if (remaining > SINGULAR) {
            inverse_.add_outer(1 / remaining, image);
            ++updates_;
            return;
        }
        // Without the feature, the curvature along the image is 0: go to the nearest bound.
        const double factor = weight < 0 ? -1 : 1;
        double step = INF;
        const std::size_t stopped = largest_step(image, factor, &step);
        if (stopped == free_.size()) return;
        remember_free();
        step_beta(image, factor * step);
        settle(free_[stopped], factor * image[stopped + 1]);
        remove_free(stopped);
        update_weights();
    }
}

void Svm::drop_weight(std::size_t feature, std::size_t last) {
    weights_[feature] = weights_[last];
    weights_[last] = 0;
    if (has_reference_) old_weights_[feature] = old_weights_[last];
}

}  // namespace featrank

#include "svm.hpp"

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
constexpr std::size_t MAX_ROUNDS = 2000;  // passes over all samples in one optimisation

}  // namespace

Svm::Svm(const SvmSamples& samples, const std::vector<Member>& members, double C, double tol)
    : samples_(samples),
      loops_(*samples.loops),
      C_(C),
      tol_(tol),
      exact_(EXACT * tol),
      sign_(samples.samples),
      beta_(samples.samples),
      weights_(samples.kernel ? 0 : samples.features),
      is_free_(samples.samples),
      inverse_(loops_) {
    for (const Member& member : members) {
        members_.push_back(member.row);
        sign_[member.row] = member.sign;
    }
}

bool Svm::can_move(std::size_t i, double direction) const {
    return direction > 0 ? beta_[i] < high(i) : beta_[i] > low(i);
}

double Svm::room(std::size_t i, double direction) const {
    return std::max(0.0, direction > 0 ? high(i) - beta_[i] : beta_[i] - low(i));
}

// y - Kβ - b of some rows, into values_.
const double* Svm::residuals(const std::vector<std::size_t>& rows) {
    values_.resize(rows.size());
    const SvmRows matrix = samples_.all(rows.data(), rows.size());
    loops_.times(matrix, samples_.kernel ? beta_.data() : weights_.data(), values_.data());
    for (std::size_t r = 0; r < rows.size(); ++r) values_[r] = sign_[rows[r]] - bias_ - values_[r];
    work_ += double(rows.size() * matrix.columns);
    return values_.data();
}

double Svm::residual(std::size_t i) {
    const SvmRows matrix = samples_.all(&i, 1);
    const double* x = samples_.kernel ? beta_.data() : weights_.data();
    work_ += double(matrix.columns);
    return sign_[i] - bias_ - loops_.dot(matrix.row(0), x, matrix.columns);
}

// What remains of K_ii beyond the free samples; solution_ holds the inverse times (1, K_iF).
double Svm::complement(std::size_t i) {
    right_.resize(free_.size() + 1);
    right_[0] = 1;
    const double* row = samples_.all(&i, 1).row(0);
    if (samples_.kernel) {
        for (std::size_t p = 0; p < free_.size(); ++p) right_[p + 1] = row[free_[p]];
    } else {
        loops_.times(samples_.all(free_.data(), free_.size()), row, right_.data() + 1);
        work_ += double(free_.size() * samples_.features);
    }
    inverse_.apply(right_, solution_);
    work_ += double(right_.size() * right_.size());
    return samples_.squares[i] - loops_.dot(right_.data(), solution_.data(), right_.size());
}

bool Svm::dependent(std::size_t i, double complement) const {
    double largest = samples_.squares[i];
    for (std::size_t row : free_) largest = std::max(largest, samples_.squares[row]);
    return complement <= DEPENDENT * largest;
}

// Notes β of the free samples before they move.
void Svm::remember_free() {
    touched_ = free_;
    old_beta_.clear();
    for (std::size_t row : touched_) old_beta_.push_back(beta_[row]);
}

// Lets the weights follow what has moved since remember().
void Svm::update_weights() {
    if (samples_.kernel) return;
    steps_.resize(touched_.size());
    for (std::size_t k = 0; k < touched_.size(); ++k) steps_[k] = beta_[touched_[k]] - old_beta_[k];
    loops_.add_times(samples_.all(touched_.data(), touched_.size()), steps_.data(),
                     weights_.data());
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
        const double most = speed == 0 ? INF : room(free_[p], speed) / std::fabs(speed);
        if (most >= *step) continue;
        *step = most;
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
    inverse_.start(samples_.squares[i]);
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
    for (std::size_t i : members_)
        if (beta_[i] != 0) loops_.add_times(samples_.all(&i, 1), &beta_[i], weights_.data());
}

void Svm::rebuild() {
    std::vector<std::size_t> candidates;
    for (std::size_t i : members_) {
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
    for (std::size_t i : members_) sum += beta_[i];
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
        double step = std::min(wanted, room(i, direction));
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
        restore();
        if (!(free_.empty() ? find_pair() : find_violators())) {
            rounds_ = 0;
            return true;
        }
        for (std::size_t i : violators_) enter(i);
        if (work_ > work_limit) return ++rounds_, false;
    }
    converged_ = false;
    rounds_ = 0;
    return true;
}

void Svm::widen(double C) {
    const double factor = C / C_;
    for (std::size_t i : members_) {
        const bool bound = std::fabs(beta_[i]) == C_;
        beta_[i] = bound ? std::copysign(C, beta_[i]) : beta_[i] * factor;
    }
    for (double& weight : weights_) weight *= factor;
    C_ = C;
    has_reference_ = false;
}

void Svm::forget(const double* z, std::size_t z_stride, std::size_t feature) {
    const double weight = samples_.kernel ? loops_.dot(z, beta_.data(), samples_.samples)
                                          : weights_[feature];
    if (has_reference_)
        for (std::size_t i : members_) old_residual_[i] += z[i * z_stride] * old_weights_[feature];
    std::vector<double> values, image;
    while (!free_.empty()) {
        values.assign(1, 0.0);
        for (std::size_t row : free_) values.push_back(z[row * z_stride]);
        inverse_.apply(values, image);
        work_ += 2 * double(image.size() * image.size());
        const double left = 1 - loops_.dot(values.data(), image.data(), values.size());
        if (left > SINGULAR) {
            inverse_.add_outer(1 / left, image);
            ++updates_;
            return;
        }
        // Without the feature there is no curvature along the image: go to the nearest bound.
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

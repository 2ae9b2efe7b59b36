// Which samples violate their condition.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "svm.hpp"

namespace featrank {

namespace {

constexpr double INF = std::numeric_limits<double>::infinity();
constexpr double MIN_QUEUE = 8, MAX_QUEUE = 256;
constexpr double ROUNDING = 1e-9;  // slack on bounds

}  // namespace

// With no free sample: the pair that violates most, of which one becomes free.
bool Svm::find_pair() {
    double up = -INF, down = INF;
    std::size_t riser = 0, faller = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        const double rest = residual(i) + bias_;
        if (can_move(i, 1) && rest > up) up = rest, riser = i;
        if (can_move(i, -1) && rest < down) down = rest, faller = i;
    }
    violators_.clear();
    if (up - down <= tol_) {
        if (up > -INF && down < INF) bias_ = (up + down) / 2;
        return false;
    }
    start_free(faller);
    violators_.push_back(riser);
    return true;
}

// Whether a sample outside of F may violate its condition, given how far w has moved since the
// residuals were computed.
bool Svm::may_violate(std::size_t i, double distance) const {
    if (inside(i)) return true;
    const double direction = beta_[i] < high(i) ? 1 : -1;
    const double left = tol_ - direction * (old_residual_[i] - (bias_ - old_bias_));
    return left < 0 || square(i) * distance * distance > left * left;
}

// Fills suspects_ with the samples outside of F that may violate; all of them where there is
// no bound or it says little.
void Svm::list_suspects() {
    suspects_.clear();
    if (has_reference_) {
        double sum = 0;
        for (std::size_t j = 0; j < samples_.features; ++j) {
            const double off = weights_[j] - old_weights_[j];
            sum += off * off;
        }
        const double distance = std::sqrt(sum) * (1 + ROUNDING) + ROUNDING * tol_;
        for (std::size_t i = 0; i < size(); ++i)
            if (!is_free_[i] && may_violate(i, distance)) suspects_.push_back(i);
        // Anew as soon as the passes over suspects have cost as much as one over all.
        suspected_ += suspects_.size();
        if (suspected_ < size()) return;
        has_reference_ = false;
    }
    suspected_ = 0;
    suspects_.resize(size());
    std::iota(suspects_.begin(), suspects_.end(), std::size_t(0));
}

std::size_t Svm::queue_length() const {
    const double free = double(free_.size() + 1);
    const double width = samples_.kernel ? 1 : double(samples_.features);
    const double columns = double(samples_.kernel ? size() : samples_.features);
    const double pass = double(suspects_.size()) * columns;
    const double balanced = pass / (2 * free * width + 3 * free * free);
    return std::size_t(std::clamp(balanced, MIN_QUEUE, MAX_QUEUE));
}

// Fills violators_ with the worst ones, about as many as make up for the pass.
bool Svm::find_violators() {
    list_suspects();
    const double* values = residuals(suspects_);
    if (!samples_.kernel && !has_reference_) {
        old_residual_.resize(size());
        for (std::size_t s = 0; s < suspects_.size(); ++s) old_residual_[suspects_[s]] = values[s];
        old_weights_ = weights_;
        old_bias_ = bias_;
        has_reference_ = true;
    }
    std::vector<Violator> found;
    for (std::size_t s = 0; s < suspects_.size(); ++s) {
        const std::size_t i = suspects_[s];
        if (!is_free_[i] && std::fabs(values[s]) > tol_ && can_move(i, values[s]))
            found.push_back({std::fabs(values[s]), i});
    }
    const std::size_t count = std::min(found.size(), queue_length());
    std::partial_sort(found.begin(), found.begin() + std::ptrdiff_t(count), found.end(),
                      [](const Violator& a, const Violator& b) {
        return a.size > b.size || (a.size == b.size && a.member < b.member);
    });
    violators_.clear();
    for (std::size_t q = 0; q < count; ++q) violators_.push_back(found[q].member);
    return count > 0;
}

}  // namespace featrank

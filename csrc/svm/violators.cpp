// Which samples violate their condition.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "svm/svm.hpp"

namespace featrank {

namespace {

constexpr double INF = std::numeric_limits<double>::infinity();
// A search keeps the worst LISTED violators. At most a part enters before the next search, always
// the worst first, because each one makes others obsolete.
constexpr double LISTED = 64, MOST_LISTED = 2048;
constexpr std::size_t PART = 2;
constexpr double ROUNDING = 1e-9;  // slack on bounds
// A residual moves by at most the length of the sample times that of the move of w, and hardly
// ever by more than this over the root of their dimension times as much.
constexpr double LIKELY = 2;

}  // namespace

// Without a free sample: the pair that violates most. One of the two becomes free.
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
    to_enter_ = 1;
    return true;
}

// Whether a sample outside of F may violate its condition, given how far w has moved since the
// residuals were computed.
bool Svm::may_violate(std::size_t i, double distance) const {
    if (inside(i)) return true;
    const double direction = beta_[i] < high(i) ? 1 : -1;
    const double margin = tol_ - direction * (old_residual_[i] - (bias_ - old_bias_));
    return margin < 0 || square(i) * distance * distance > margin * margin;
}

// Fills suspects_ with the samples outside of F that may violate, or whose twins may, if residuals
// move by at most `reach` times their bounds; all where a bound is missing or too loose.
void Svm::list_suspects(double reach) {
    suspects_.clear();
    if (has_reference_) {
        double sum = 0;
        for (std::size_t j = 0; j < samples_.features; ++j) {
            const double off = weights_[j] - old_weights_[j];
            sum += off * off;
        }
        const double distance = reach * (std::sqrt(sum) * (1 + ROUNDING) + ROUNDING * tol_);
        const auto suspect = [&](std::size_t i) {
            return !is_free_[i] && may_violate(i, distance);
        };
        for (std::size_t i = 0; i < distinct_; ++i)
            if (suspect(i) || (twice() && suspect(i + distinct_))) suspects_.push_back(i);
        // Anew as soon as the passes over suspects have cost as much as one over all.
        suspected_ += suspects_.size();
        if (suspected_ < distinct_) return;
        has_reference_ = false;
    }
    suspected_ = 0;
    suspects_.resize(distinct_);
    std::iota(suspects_.begin(), suspects_.end(), std::size_t(0));
}

// Lets the second members of the suspects' samples follow them, and their residuals.
void Svm::add_twins() {
    if (!twice()) return;
    const std::size_t count = suspects_.size();
    for (std::size_t s = 0; s < count; ++s) {
        const std::size_t i = suspects_[s], twin = i + distinct_;
        suspects_.push_back(twin);
        values_.push_back(values_[s] + (wanted_[twin] - wanted_[i]));
    }
}

// Multiplications for the residual of one sample.
double Svm::residual_cost() const {
    return double(samples_.kernel ? distinct_ : samples_.features);
}

// Multiplications for one change of F.
double Svm::change_cost() const {
    const double free = double(free_.size() + 1);
    const double width = samples_.kernel ? 1 : double(samples_.features);
    return 2 * free * width + 3 * free * free;
}

// How many of the listed violators enter between two searches for the worst: a search costs no more
// than they do.
std::size_t Svm::together(std::size_t listed) const {
    const double look = double(listed) * residual_cost();
    return std::min(listed, std::size_t(std::max(1.0, look / change_cost())));
}

// Fills violators_ with at most `most` samples that violate their condition, the worst
// `together` of them first; `values` are their residuals.
void Svm::choose(const std::vector<std::size_t>& which, const double* values, std::size_t most) {
    std::vector<Violator> found;
    for (std::size_t k = 0; k < which.size(); ++k) {
        const std::size_t i = which[k];
        if (!is_free_[i] && std::fabs(values[k]) > tol_ && can_move(i, values[k]))
            found.push_back({std::fabs(values[k]), i});
    }
    const auto worse = [](const Violator& a, const Violator& b) {
        return a.size > b.size || (a.size == b.size && a.member < b.member);
    };
    const auto at = [&](std::size_t k) { return found.begin() + std::ptrdiff_t(k); };
    const std::size_t count = std::min(found.size(), most);
    if (count < found.size()) std::nth_element(at(0), at(count), found.end(), worse);
    std::partial_sort(at(0), at(together(count)), at(count), worse);
    violators_.clear();
    for (std::size_t q = 0; q < count; ++q) violators_.push_back(found[q].member);
}

// Fills violators_ with the worst ones. Only where no likely sample violates are all searched that
// may.
bool Svm::find_violators() {
    const double likely = LIKELY / std::sqrt(double(samples_.features));
    return (has_reference_ && likely < 1 && search(likely)) || search(1);
}

// Fills violators_ with the worst suspects, enough that the changes make up for the search.
bool Svm::search(double reach) {
    list_suspects(reach);
    const double cost = double(suspects_.size()) * residual_cost();
    residuals(suspects_);
    add_twins();
    if (!samples_.kernel && !has_reference_) {
        old_residual_.resize(size());
        for (std::size_t s = 0; s < suspects_.size(); ++s) old_residual_[suspects_[s]] = values_[s];
        old_weights_ = weights_;
        old_bias_ = bias_;
        has_reference_ = true;
    }
    const std::size_t listed(std::clamp(8 * cost / change_cost(), LISTED, MOST_LISTED));
    choose(suspects_, values_.data(), listed);
    to_enter_ = listed / PART;
    return !violators_.empty();
}

// Has the violators enter, the worst first.
void Svm::enter_violators() {
    while (to_enter_ > 0 && !violators_.empty()) {
        const std::size_t count = std::min(to_enter_, together(violators_.size()));
        for (std::size_t q = 0; q < count; ++q) enter(violators_[q]);
        to_enter_ -= count;
        const std::vector<std::size_t> rest(violators_.begin() + std::ptrdiff_t(count),
                                            violators_.end());
        choose(rest, residuals(rest), rest.size());
    }
}

}  // namespace featrank

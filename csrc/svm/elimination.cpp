#include "svm/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "common/dispatch.hpp"

namespace featrank {

namespace {

// Removals after which the running sums of weights are recomputed.
constexpr std::size_t REFRESH_EVERY = 128;
// Slack on bounds of weights, for their rounding.
constexpr double SLACK = 1e-9;
// Squared weights that differ by less than this part are equal but for the solver's accuracy.
constexpr double TIE = 1e-8;
// Those below this part of the largest in the first fit are rounding of zero.
constexpr double NOISE = 1e-24;
// A weight costs this many times as much alone as together with all others, in their order.
constexpr std::size_t EVALUATIONS = 2;
// Near features: this part of the remaining ones, or at least MIN_NEAR.
constexpr std::size_t NEAR = 8, MIN_NEAR = 64;
constexpr double INF = std::numeric_limits<double>::infinity();

template <class Candidate>
bool by_value(const Candidate& a, const Candidate& b) {
    return a.value < b.value;
}

// Of equal features the last one leaves first.
template <class Candidate>
bool by_descending_id(const Candidate& a, const Candidate& b) {
    return a.id > b.id;
}

}  // namespace

std::vector<std::vector<Svm::Member>> EliminationTask::svms() const {
    std::vector<std::vector<Svm::Member>> all;
    for (std::size_t a = 0; a + 1 < offsets.size(); ++a)
        for (std::size_t b = a + 1; b + 1 < offsets.size(); ++b) {
            all.emplace_back();
            for (std::size_t i = offsets[a]; i < offsets[a + 1]; ++i)
                all.back().push_back({i, 1, 1});
            for (std::size_t i = offsets[b]; i < offsets[b + 1]; ++i)
                all.back().push_back({i, -1, -1});
        }
    if (targets.empty()) return all;
    all.emplace_back();
    for (double sign : {1.0, -1.0})
        for (std::size_t i = 0; i < samples; ++i)
            all.back().push_back({i, sign, targets[i] - sign * epsilon});
    return all;
}

Elimination::Elimination(const EliminationTask& task, double* data, double* kernel)
    : loops_(FEATRANK_DISPATCH(dense_loops())), task_(task), rows_(kernel ? nullptr : data) {
    samples_ = {&loops_, task.samples, task.features, kernel ? 0 : task.features, rows_, kernel,
                {}};
    for (std::size_t i = 0; i < task.samples && rows_; ++i) {
        const double* row = rows_ + i * task.features;
        samples_.squares.push_back(loops_.dot(row, row, task.features));
    }
    start();
    if (kernel) take_columns(data, kernel);
}

void Elimination::start() {
    ids_.resize(task_.features);
    std::iota(ids_.begin(), ids_.end(), std::size_t(0));
    places_ = ids_;
    criterion_.resize(task_.features);
    for (const auto& members : task_.svms())
        svms_.push_back(std::make_unique<Svm>(samples_, scratch_, members, task_.C, task_.tol));
}

bool Elimination::wants_fresh_kernel() const {
    return !done_ && kernel_ && remaining() > 1 && 2 * remaining() <= at_fresh_;
}

std::vector<std::size_t> Elimination::places() const {
    std::vector<std::size_t> result(places_.begin() + std::ptrdiff_t(head_), places_.end());
    std::sort(result.begin(), result.end());
    return result;
}

void Elimination::fresh_kernel(const double* columns, double* kernel) {
    std::vector<std::size_t> kept;
    for (std::size_t place : places()) kept.push_back(ids_[place]);
    ids_ = kept;
    places_.resize(kept.size());
    std::iota(places_.begin(), places_.end(), std::size_t(0));
    head_ = 0;
    take_columns(columns, kernel);
    for (auto& svm : svms_) svm->rebuild();
}

void Elimination::take_columns(const double* columns, double* kernel) {
    columns_ = columns;
    kernel_ = kernel;
    samples_.kernel = kernel;
    samples_.squares.resize(task_.samples);
    for (std::size_t i = 0; i < task_.samples; ++i)
        samples_.squares[i] = kernel[i * task_.samples + i];
    lengths_.resize(ids_.size());
    for (std::size_t place = 0; place < ids_.size(); ++place) {
        const double* x = columns + place * task_.samples;
        lengths_[place] = std::sqrt(loops_.dot(x, x, task_.samples));
    }
    longest_ = *std::max_element(lengths_.begin(), lengths_.end());
    at_fresh_ = ids_.size();
    divided_ = false;
}

std::size_t Elimination::changes() const {
    std::size_t sum = 0;
    for (const auto& svm : svms_) sum += svm->changes();
    return sum;
}

bool Elimination::converged() const {
    return std::all_of(svms_.begin(), svms_.end(),
                       [](const auto& svm) { return svm->converged(); });
}

bool Elimination::optimise(double limit) {
    for (; solved_ < svms_.size(); ++solved_)
        if (!svms_[solved_]->optimise(limit)) return false;
    return true;
}

void Elimination::run(double budget) {
    const double limit = scratch_.work + budget;
    while (!done_ && !wants_fresh_kernel()) {
        if (!optimise(limit)) return;
        if (!measured_) measure_noise();
        const std::size_t surplus = remaining() - task_.keep;
        const std::vector<Candidate> next = worst(surplus ? std::min(task_.step, surplus)
                                                          : remaining());
        for (const Candidate& removed : next) {
            order_.push_back(removed.id);
            criterion_[removed.id] = removed.value;
        }
        done_ = surplus == 0;
        if (!done_) remove(next);
        if (scratch_.work > limit) return;
    }
}

// A feature with its squared weight, summed over the SVMs.
Elimination::Candidate Elimination::candidate(std::size_t place) {
    double sum = 0, weight;
    for (const auto& svm : svms_) {
        if (kernel_)
            svm->products(column(place), &weight);
        else
            weight = svm->weights()[place];
        sum += weight * weight;
    }
    if (!kernel_) scratch_.work += double(svms_.size());
    return {sum > noise_ ? sum : 0, ids_[place], place};
}

void Elimination::measure_noise() {
    double largest = 0;
    for (std::size_t place : places_) largest = std::max(largest, candidate(place).value);
    noise_ = NOISE * largest;
    measured_ = true;
}

// The features of least weight, the worst first.
std::vector<Elimination::Candidate> Elimination::worst(std::size_t count) {
    if (kernel_ && count == 1) return {least()};
    std::vector<Candidate> all;
    for (std::size_t at = head_; at < places_.size(); ++at) all.push_back(candidate(places_[at]));
    std::sort(all.begin(), all.end(), by_value<Candidate>);
    for (auto run = all.begin(); run != all.end();) {
        auto end = run + 1;
        while (end != all.end() && end->value <= (end - 1)->value * (1 + TIE)) ++end;
        std::sort(run, end, by_descending_id<Candidate>);
        run = end;
    }
    all.resize(count);
    return all;
}

// Computes the norms of the weights at places_[begin] … places_[end - 1].
void Elimination::refresh_norms(std::size_t begin, std::size_t end, std::vector<double>& where) {
    std::sort(places_.begin() + std::ptrdiff_t(begin), places_.begin() + std::ptrdiff_t(end));
    const std::size_t T = task_.samples, count = end - begin;
    const DenseRows columns{columns_, T, T, places_.data() + begin, count};
    std::vector<double> weights(count), sums(count);
    where.clear();
    for (const auto& svm : svms_) {
        svm->products(columns, weights.data());
        for (std::size_t k = 0; k < count; ++k) sums[k] += weights[k] * weights[k];
        const std::vector<double>& now = svm->coefficients();
        where.insert(where.end(), now.begin(), now.end());
    }
    for (std::size_t k = 0; k < count; ++k)
        norms_[places_[begin + k]] = sums[k] > noise_ ? std::sqrt(sums[k]) : 0;
}

// Divides the features into near ones, with the smallest norms, and far ones.
void Elimination::divide() {
    norms_.resize(ids_.size());
    refresh_norms(head_, places_.size(), far_reference_);
    far_ = std::min(places_.size(), head_ + std::max(MIN_NEAR, remaining() / NEAR));
    const auto at = [&](std::size_t k) { return places_.begin() + std::ptrdiff_t(k); };
    if (far_ < places_.size())
        std::nth_element(at(head_), at(far_), places_.end(), [&](std::size_t a, std::size_t b) {
            return norms_[a] < norms_[b] || (norms_[a] == norms_[b] && ids_[a] > ids_[b]);
        });
    sort_near();
    divided_ = true;
}

void Elimination::sort_near() {
    refresh_norms(head_, far_, near_reference_);
    std::sort(places_.begin() + std::ptrdiff_t(head_), places_.begin() + std::ptrdiff_t(far_),
              [&](std::size_t a, std::size_t b) { return norms_[a] < norms_[b]; });
    evaluated_ = 0;
}

// All β are now `scale` times what they were, up to a difference of norm `rest`, so that a
// weight's norm is at least scale·norm - rest·length.
Elimination::Drift Elimination::drift(const std::vector<double>& from) const {
    double product = 0, square = 0, sum = 0;
    const double* old = from.data();
    for (const auto& svm : svms_) {
        const std::vector<double>& beta = svm->coefficients();
        product += loops_.dot(beta.data(), old, beta.size());
        square += loops_.dot(old, old, beta.size());
        old += beta.size();
    }
    const double scale = square > 0 ? std::max(0.0, product / square) : 0;
    old = from.data();
    for (const auto& svm : svms_)
        for (double value : svm->coefficients()) {
            const double off = value - scale * *old++;
            sum += off * off;
        }
    return {scale * (1 - SLACK), std::sqrt(sum) * (1 + SLACK)};
}

// The near feature of least weight: only those are computed whose lower bound is not above it.
Elimination::Candidate Elimination::least_near() {
    const Drift moved = drift(near_reference_);
    double least = INF, bound = INF;
    std::vector<Candidate> seen;
    for (std::size_t at = head_; at < far_; ++at) {
        const std::size_t place = places_[at];
        const double norm = moved.scale * norms_[place];
        if (norm - moved.rest * longest_ > bound) break;
        if (norm - moved.rest * lengths_[place] > bound) continue;
        seen.push_back(candidate(place));
        least = std::min(least, seen.back().value);
        bound = std::sqrt(least) * (1 + TIE);
    }
    evaluated_ += seen.size();
    const auto ties = std::partition(seen.begin(), seen.end(), [&](const Candidate& candidate) {
        return candidate.value <= least * (1 + TIE);
    });
    return *std::min_element(seen.begin(), ties, by_descending_id<Candidate>);
}

// Whether no far feature can come before the best near one.
bool Elimination::far_is_far(const Candidate& best) const {
    if (far_ == places_.size()) return true;
    const double bound = std::sqrt(best.value) * (1 + TIE);
    const Drift moved = drift(far_reference_);
    if (moved.scale * norms_[places_[far_]] - moved.rest * longest_ > bound) return true;
    for (std::size_t at = far_; at < places_.size(); ++at) {
        const std::size_t place = places_[at];
        const double low = moved.scale * norms_[place] - moved.rest * lengths_[place];
        if (low < bound || (low == bound && ids_[place] > best.id)) return false;
    }
    return true;
}

// The feature of least weight.
Elimination::Candidate Elimination::least() {
    if (!divided_ || head_ == far_) divide();
    if (EVALUATIONS * evaluated_ > far_ - head_) sort_near();
    const Candidate best = least_near();
    if (far_is_far(best)) return best;
    divide();
    return least_near();
}

void Elimination::remove(const std::vector<Candidate>& leaving) {
    std::vector<std::size_t> places;
    for (const Candidate& candidate : leaving) places.push_back(candidate.place);
    // From the last place down, so that what moves into a gap is none of those that leave.
    std::sort(places.rbegin(), places.rend());
    for (std::size_t place : places) drop(place);
    solved_ = 0;
    since_refresh_ += leaving.size();
    if (since_refresh_ < REFRESH_EVERY) return;
    since_refresh_ = 0;
    for (auto& svm : svms_) svm->refresh_weights();
}

void Elimination::drop(std::size_t place) {
    const std::size_t stride = kernel_ ? 1 : samples_.stride;
    const double* z = kernel_ ? columns_ + place * task_.samples : rows_ + place;
    for (auto& svm : svms_) svm->forget(z, stride, place);
    for (std::size_t i = 0; i < task_.samples; ++i)
        samples_.squares[i] = std::max(0.0, samples_.squares[i] - z[i * stride] * z[i * stride]);
    kernel_ ? drop_column(place) : drop_entry(place);
}

// The column stays where it is; in the list, those before it move up.
void Elimination::drop_column(std::size_t place) {
    const std::size_t T = task_.samples;
    loops_.add_outer(-1, columns_ + place * T, T, T, kernel_);
    scratch_.work += double(T * T);
    const auto begin = places_.begin() + std::ptrdiff_t(head_);
    const auto at = std::find(begin, places_.end(), place);
    if (at - places_.begin() >= std::ptrdiff_t(far_)) divided_ = false;
    std::move_backward(begin, at, at + 1);
    ++head_;
}

// The last feature moves into the place of the one that leaves.
void Elimination::drop_entry(std::size_t place) {
    const std::size_t last = remaining() - 1;
    for (std::size_t i = 0; i < task_.samples; ++i)
        rows_[i * samples_.stride + place] = rows_[i * samples_.stride + last];
    for (auto& svm : svms_) svm->drop_weight(place, last);
    ids_[place] = ids_[last];
    places_.pop_back();
    samples_.features = last;
}

}  // namespace featrank

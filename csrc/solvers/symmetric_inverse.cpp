#include "solvers/symmetric_inverse.hpp"

#include <algorithm>

namespace featrank {

namespace {

// At most MOST_TERMS terms wait, and one per ROWS_A_TERM rows. Each costs every product a pass over
// its vector, and adding several at once saves passes over the matrix.
constexpr std::size_t MOST_TERMS = 8, ROWS_A_TERM = 32;

}  // namespace

void move_last(double* lower, std::size_t stride, std::size_t place, std::size_t last) {
    if (place == last) return;
    const double* from = lower + last * stride;
    std::copy_n(from, place, lower + place * stride);
    for (std::size_t r = place + 1; r < last; ++r) lower[r * stride + place] = from[r];
    lower[place * stride + place] = from[last];
}

void SymmetricInverse::reserve(std::size_t size) {
    if (size <= capacity_) return;
    // Never a power of two: columns of such matrices fall into a few sets of the cache.
    const std::size_t wide = std::max(2 * capacity_ + 8, size);
    add_terms();
    std::vector<double> wider(wide * wide);
    for (std::size_t r = 0; r < size_; ++r)
        std::copy_n(&data_[r * capacity_], r + 1, &wider[r * wide]);
    data_.swap(wider);
    capacity_ = wide;
    terms_.resize(MOST_TERMS * wide);
}

void SymmetricInverse::set(const double* inverse, std::size_t size) {
    factors_.clear();
    reserve(size);
    size_ = size;
    for (std::size_t r = 0; r < size; ++r)
        std::copy_n(inverse + r * size, r + 1, &data_[r * capacity_]);
}

void SymmetricInverse::start(double square) {
    factors_.clear();
    reserve(2);
    size_ = 2;
    data_[0] = -square;
    data_[capacity_] = 1;
    data_[capacity_ + 1] = 0;
}

void SymmetricInverse::apply(const std::vector<double>& right, std::vector<double>& out) const {
    out.resize(size_);
    loops_.times_symmetric(data_.data(), capacity_, size_, right.data(), out.data());
    for (std::size_t k = 0; k < factors_.size(); ++k) {
        const double share = factors_[k] * loops_.dot(term(k), right.data(), size_);
        for (std::size_t r = 0; r < size_; ++r) out[r] += share * term(k)[r];
    }
}

void SymmetricInverse::add(std::vector<double>& solution, double complement) {
    reserve(size_ + 1);
    solution.push_back(-1);
    std::fill_n(&data_[size_ * capacity_], size_ + 1, 0.0);
    for (std::size_t k = 0; k < factors_.size(); ++k) term(k)[size_] = 0;
    ++size_;
    add_outer(1 / complement, solution);
}

void SymmetricInverse::remove(std::size_t place) {
    const std::size_t last = size_ - 1;
    copy_row(place, row_);
    move_last(data_.data(), capacity_, place, last);  // what was there is not read again
    for (std::size_t k = 0; k < factors_.size(); ++k) term(k)[place] = term(k)[last];
    std::swap(row_[place], row_[last]);
    --size_;
    add_outer(-1 / row_[last], row_);
}

double SymmetricInverse::eliminate(std::size_t place, std::vector<double>& solution) {
    copy_row(place, row_);
    const double factor = solution[place] / row_[place], fall = factor * solution[place];
    for (std::size_t c = 0; c < size_; ++c) solution[c] -= factor * row_[c];
    solution[place] = solution[size_ - 1];
    solution.resize(size_ - 1);
    return fall;
}

void SymmetricInverse::add_outer(double factor, const std::vector<double>& v) {
    std::copy_n(v.data(), size_, term(factors_.size()));
    factors_.push_back(factor);
    if (factors_.size() >= std::min(MOST_TERMS, 1 + size_ / ROWS_A_TERM)) add_terms();
}

void SymmetricInverse::add_terms() {
    loops_.add_outers({terms_.data(), capacity_, size_, nullptr, factors_.size()}, factors_.data(),
                      capacity_, data_.data());
    factors_.clear();
}

void SymmetricInverse::copy_row(std::size_t place, std::vector<double>& row) const {
    const double* stored = &data_[place * capacity_];
    row.assign(stored, stored + place + 1);
    for (std::size_t r = place + 1; r < size_; ++r) row.push_back(data_[r * capacity_ + place]);
    for (std::size_t k = 0; k < factors_.size(); ++k) {
        const double scaled = factors_[k] * term(k)[place];
        for (std::size_t c = 0; c < size_; ++c) row[c] += scaled * term(k)[c];
    }
}

}  // namespace featrank

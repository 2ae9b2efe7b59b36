#include <algorithm>

#include "svm.hpp"

namespace featrank {

void SvmInverse::reserve(std::size_t size) {
    if (size <= capacity_) return;
    // Never a power of two: columns of such matrices fall into a few sets of the cache.
    const std::size_t wide = std::max(2 * capacity_ + 8, size);
    std::vector<double> wider(wide * wide);
    for (std::size_t r = 0; r < size_; ++r)
        std::copy_n(&data_[r * capacity_], size_, &wider[r * wide]);
    data_.swap(wider);
    capacity_ = wide;
}

void SvmInverse::start(double square) {
    reserve(2);
    size_ = 2;
    data_[0] = -square;
    data_[1] = data_[capacity_] = 1;
    data_[capacity_ + 1] = 0;
}

void SvmInverse::apply(const std::vector<double>& right, std::vector<double>& out) const {
    out.resize(size_);
    loops_.times({data_.data(), capacity_, size_, nullptr, size_}, right.data(), out.data());
}

void SvmInverse::add(std::vector<double>& solution, double complement) {
    reserve(size_ + 1);
    solution.push_back(-1);
    for (std::size_t c = 0; c <= size_; ++c)
        data_[size_ * capacity_ + c] = data_[c * capacity_ + size_] = 0;
    ++size_;
    add_outer(1 / complement, solution);
}

void SvmInverse::remove(std::size_t place) {
    const std::size_t last = size_ - 1;
    double* M = data_.data();
    if (place != last) {
        std::swap_ranges(M + place * capacity_, M + place * capacity_ + size_,
                         M + last * capacity_);
        for (std::size_t r = 0; r < size_; ++r)
            std::swap(M[r * capacity_ + place], M[r * capacity_ + last]);
    }
    --size_;
    const double* column = M + last * capacity_;
    loops_.add_outer(-1 / column[last], column, size_, capacity_, M);
}

double SvmInverse::eliminate(std::size_t place, std::vector<double>& solution) const {
    const double* row = &data_[place * capacity_];
    const double factor = solution[place] / row[place], fall = factor * solution[place];
    for (std::size_t c = 0; c < size_; ++c) solution[c] -= factor * row[c];
    solution[place] = solution[size_ - 1];
    solution.resize(size_ - 1);
    return fall;
}

void SvmInverse::add_outer(double factor, const std::vector<double>& v) {
    loops_.add_outer(factor, v.data(), size_, capacity_, data_.data());
}

}  // namespace featrank

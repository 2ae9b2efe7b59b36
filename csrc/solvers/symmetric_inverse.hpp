// The inverse of a symmetric matrix to which rows, with their columns, are added one by one, and from
// which they are taken.
#pragma once
#include <cstddef>
#include <vector>

#include "solvers/dense_loops.hpp"

namespace featrank {

// In the lower triangle of a symmetric matrix, the last row and column take the place of another.
void move_last(double* lower, std::size_t stride, std::size_t place, std::size_t last);

class SymmetricInverse {
public:
    explicit SymmetricInverse(const DenseLoops& loops) : loops_(loops) {}

    std::size_t size() const { return size_; }
    void set(const double* inverse, std::size_t size);
    void start(double square);  // of [[0, 1], [1, square]]
    void apply(const std::vector<double>& right, std::vector<double>& out) const;
    // Borders the matrix by a column. `solution` is the inverse times this column.
    void add(std::vector<double>& solution, double complement);
    // Takes out a row and column; the last one moves into its place.
    void remove(std::size_t place);
    // Before that: makes a solution (the inverse times some right side) that of the smaller
    // system, and returns by how much right·solution falls.
    double eliminate(std::size_t place, std::vector<double>& solution);
    void add_outer(double factor, const std::vector<double>& v);

private:
    void reserve(std::size_t size);
    void add_terms();
    void copy_row(std::size_t place, std::vector<double>& row) const;
    double* term(std::size_t k) { return &terms_[k * capacity_]; }
    const double* term(std::size_t k) const { return &terms_[k * capacity_]; }

    const DenseLoops& loops_;
    std::size_t size_ = 0, capacity_ = 0;
    // The inverse is the symmetric matrix with a lower triangle in data_ and, for each k,
    // factors_[k]·term(k)·term(k)ᵀ. These terms wait until there are several, as a pass over the
    // matrix costs the same for them all.
    std::vector<double> data_, terms_, factors_, row_;
};

}  // namespace featrank

// Shares of a graph's vertices and what they earn from each other, (Wx)_i. The weights W are
// symmetric, of shape (size, size), with zeros on the diagonal.
#pragma once
#include <cstddef>
#include <cstdint>

namespace featrank {

struct Weights {
    const double* values;
    std::size_t size;
    const double* row(std::size_t i) const { return values + i * size; }
};

// x, Wx and xᵀWx.
struct Population {
    double *shares, *payoff, *coherence;
};

// product adds the part of Wx that belongs to the weights of vertices begin … end - 1 with later
// ones to the result: half of W is read, and each of its values used twice.
//
// exchange moves shares from the vertex that earns least, of those that have a share, to the one
// that earns most, as far as xᵀWx rises, until they earn the same to tol·xᵀWx. It makes `most`
// moves at most, and returns how many.
#define FEATRANK_DECLARE_REPLICATOR(ISA)                                                   \
    namespace ISA {                                                                        \
    void product(const Weights&, const double* shares, std::size_t begin, std::size_t end, \
                 double* result);                                                          \
    std::size_t exchange(const Weights&, const Population&, double tol, std::size_t most); \
    }
FEATRANK_DECLARE_REPLICATOR(baseline)
FEATRANK_DECLARE_REPLICATOR(avx2)

}  // namespace featrank

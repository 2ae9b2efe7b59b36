// Products of dense matrices and vectors, for kernels that change a matrix step by step.
#pragma once
#include <cstddef>

namespace featrank {

// Rows of a matrix: the first `count`, or those that `which` names, by their places in `places`
// where it is given.
struct DenseRows {
    const double* data;
    std::size_t stride, columns;
    const std::size_t* which;
    std::size_t count;
    const std::size_t* places = nullptr;

    const double* row(std::size_t r) const {
        const std::size_t named = which ? which[r] : r;
        return data + (places ? places[named] : named) * stride;
    }
};

// The hot loops, for one instruction set.
struct DenseLoops {
    double (*dot)(const double* a, const double* b, std::size_t size);
    // out_r = Σ_c A_rc·x_c
    void (*times)(const DenseRows& A, const double* x, double* out);
    // The same with a symmetric matrix. Only A_rc with c ≤ r is read.
    void (*times_symmetric)(const double* A, std::size_t stride, std::size_t size, const double* x,
                            double* out);
    // y_c += Σ_r factors_r·A_rc
    void (*add_times)(const DenseRows& A, const double* factors, double* y);
    // A_rc += factor·v_r·v_c
    void (*add_outer)(double factor, const double* v, std::size_t size, std::size_t stride,
                      double* A);
    // A_rc += Σ_k factors_k·V_kr·V_kc for c ≤ r; what lies beyond may change too
    void (*add_outers)(const DenseRows& V, const double* factors, std::size_t stride, double* A);
};
namespace baseline {
const DenseLoops& dense_loops();
}
namespace avx2 {
const DenseLoops& dense_loops();
}

}  // namespace featrank

// An SVM that is solved for one C after another.
#pragma once
#include "svm/svm.hpp"

namespace featrank {

class SvmPath {
public:
    // Of `count` samples: their rows (count, columns), or the matrix of their products.
    SvmPath(const double* data, bool by_kernel, std::size_t count, std::size_t columns,
            const double* signs, double C, double tol);

    void widen(double C) { svm_.widen(C); }
    // Whether the solution was found.
    bool optimise();
    const std::vector<double>& beta() const { return svm_.beta(); }
    double bias() const { return svm_.bias(); }

private:
    SvmSamples samples_;
    SvmScratch scratch_;
    Svm svm_;
};

}  // namespace featrank

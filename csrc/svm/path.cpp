#include "svm/path.hpp"

#include <limits>

#include "common/dispatch.hpp"

namespace featrank {
namespace {

SvmSamples samples_of(const double* data, bool by_kernel, std::size_t count, std::size_t columns) {
    const DenseLoops& loops = FEATRANK_DISPATCH(dense_loops());
    SvmSamples samples = {&loops, count, columns, columns, data, nullptr, {}};
    if (by_kernel) samples = {&loops, count, 0, 0, nullptr, data, {}};
    for (std::size_t i = 0; i < count; ++i) {
        const double* row = data + i * columns;
        samples.squares.push_back(by_kernel ? row[i] : loops.dot(row, row, columns));
    }
    return samples;
}

std::vector<Svm::Member> members_of(const double* signs, std::size_t count) {
    std::vector<Svm::Member> members;
    for (std::size_t i = 0; i < count; ++i) {
        const double sign = signs[i] > 0 ? 1 : -1;
        members.push_back({i, sign, sign});
    }
    return members;
}

}  // namespace

SvmPath::SvmPath(const double* data, bool by_kernel, std::size_t count, std::size_t columns,
                 const double* signs, double C, double tol)
    : samples_(samples_of(data, by_kernel, count, columns)),
      svm_(samples_, scratch_, members_of(signs, count), C, tol) {}

bool SvmPath::optimise() {
    svm_.optimise(std::numeric_limits<double>::infinity());
    return svm_.converged();
}

}  // namespace featrank

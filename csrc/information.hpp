// Entropies of small tables of counts.
#pragma once
#include <cstddef>
#include <cstdint>

namespace featrank {

// counts has shape (columns, classes, bins), each column's counts adding up to `total`.
// information[j] = I(bin; class) and entropy[j] = H(bin), in nats. False where the counts do
// not add up, or one is negative.
bool information(const std::int32_t* counts, std::size_t columns, std::size_t classes,
                 std::size_t bins, std::int64_t total, double* information, double* entropy);

// The same for counts that are sums of weights, which add up to rounding.
bool information(const double* counts, std::size_t columns, std::size_t classes, std::size_t bins,
                 double total, double* information, double* entropy);

}  // namespace featrank

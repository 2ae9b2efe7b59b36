// Entropies of small tables of counts.
#pragma once
#include <cstddef>
#include <cstdint>

namespace featrank {

// counts has shape (columns, classes, bins), each column's counts adding up to at most `most`.
// information[j] = I(bin; class) and entropy[j] = H(bin), in nats, 0 for a column without counts.
// Throws where the counts add up to more, or one is negative.
void information(const std::int32_t* counts, std::size_t columns, std::size_t classes,
                 std::size_t bins, std::int64_t most, double* information, double* entropy);

// The same for counts that are sums of weights.
void information(const double* counts, std::size_t columns, std::size_t classes, std::size_t bins,
                 double most, double* information, double* entropy);

}  // namespace featrank

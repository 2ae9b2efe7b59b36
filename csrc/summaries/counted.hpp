// Summaries of columns whose values are few: how often each occurs in each class is all there is
// to know. Values that are not numbers are missing; the others are finite.
#pragma once
#include "summaries/summaries.hpp"

namespace featrank {

// counts has shape (columns, classes, number): of each of the values, the rows that hold it.
template <class Count>
struct ValueCounts {
    const Count* counts;
    const double* values;
    std::size_t columns, classes, number;
};

template <class Count>
void counted_ranges(const ValueCounts<Count>&, const Ranges&);
template <class Count>
void counted_sums(const ValueCounts<Count>&, const Ranges&, const UnitSums&);
// counts has shape (columns, classes, bins.most) and holds zeros.
template <class Count>
void counted_histogram(const ValueCounts<Count>&, const Bins&, Count* counts);
template <class Count>
void counted_quantile_histogram(const ValueCounts<Count>&, std::int32_t most, Count* counts);

}  // namespace featrank

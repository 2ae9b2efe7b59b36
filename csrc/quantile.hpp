// Histograms over bins that hold about equally many samples.
#pragma once
#include "summaries.hpp"

namespace featrank {

// Edges are the quantiles k / most of each column (linear between order statistics), equal
// edges merged; bins are [a, b), the last one closed. An integer column whose range is below
// `most` gets one bin an integer. A row of weight w counts as w equal rows. counts has shape
// (columns, classes, most): integers, or doubles for weighted rows.
template <class T, class Count>
void quantile_histogram(const Matrix<T>& X, const Classes& classes, const std::uint8_t* whole,
                        std::int32_t most, Count* counts);

}  // namespace featrank

// Histograms over bins that hold about equally many samples.
#pragma once
#include "summaries/summaries.hpp"

#include <utility>
#include <vector>

namespace featrank {

// Edges are the quantiles k / most of each column (linear between order statistics), equal
// edges merged; bins are [a, b), the last one closed, and none is empty. A column of at most
// `most` distinct values gets one bin per value. A row of weight w counts as w equal rows. counts
// has shape (columns, classes, most): integers, or doubles for weighted rows.
template <class T, class Count>
void quantile_histogram(const Matrix<T>& X, const Classes& classes, std::int32_t most,
                        Count* counts);

// The inner edges of one column from its values and their weights, which are put in order: a value
// may come several times.
void quantile_edges(std::vector<std::pair<double, double>>& items, std::int32_t most,
                    std::vector<double>& edges);

// The same bins as codes of shape (columns, rows), rows in class order; number[j] is how many
// bins column j has.
template <class T>
void quantile_codes(const Matrix<T>& X, const Classes& classes, std::int32_t most,
                    std::uint8_t* codes, std::int32_t* number);

}  // namespace featrank

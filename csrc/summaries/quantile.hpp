// Histograms over bins that contain about equally many samples.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "summaries/summaries.hpp"

namespace featrank {

// Edges are the quantiles k / most of each column (linear between order statistics). Equal edges
// are merged. Bins are [a, b), the last one is closed, and none is empty. A column with at most
// `most` distinct values gets one bin per value. A row of weight w counts as w equal rows. counts
// has shape (columns, classes, most): integers, or doubles for weighted rows.
template <class T, class Count>
void quantile_histogram(const Matrix<T>& X, const Classes& classes, std::int32_t most,
                        Count* counts);

// The same bins as codes of shape (columns, rows), rows in class order. number[j] is the number of
// bins of column j.
template <class T>
void quantile_codes(const Matrix<T>& X, const Classes& classes, std::int32_t most,
                    std::uint8_t* codes, std::int32_t* number);

// A column's distinct values in ascending order, each with the weight of all rows up to it.
struct CumulativeWeights {
    std::vector<std::pair<double, double>> items;
    double slack = 0;  // a bound on the rounding error of sums of weights; 0 for whole weights

    // Sorts the items, which are values and their weights, merges equal values and adds up.
    void accumulate();
    // Adds a value that is not below the last one, with a whole weight.
    void append(double value, double weight) {
        if (items.empty() || items.back().first < value)
            items.emplace_back(value, items.empty() ? 0 : total());
        items.back().second += weight;
    }

    double low() const { return items.front().first; }
    double high() const { return items.back().first; }
    double total() const { return items.back().second; }
    // The order statistic at a position counted from 0, in units of weight.
    double at(double position) const;
    // The inner edges of the bins, `most` bins at most.
    void inner_edges(std::int32_t most, std::vector<double>& edges) const;
};

// The inner edges of one column from its values and their weights, which are sorted and merged.
void quantile_edges(std::vector<std::pair<double, double>>& items, std::int32_t most,
                    std::vector<double>& edges);

// The bin of a value: the number of inner edges that are not above it.
inline std::ptrdiff_t quantile_bin(double value, const std::vector<double>& edges) {
    return std::upper_bound(edges.begin(), edges.end(), value) - edges.begin();
}

}  // namespace featrank

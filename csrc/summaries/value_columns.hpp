// Columns that are not stored value by value: counted values and sparse entries.
//
// Both kinds have `columns`, `classes` and the same member functions. The weight of a value is the
// number of rows that contain it, or the sum of their weights. Missing values are left out.
//   each_value(j, work)        calls work(class, value, weight) for the values of column j
//   each_bin(j, locate, work)  calls work(class, locate(value), weight) for them
//   append_weights(j, out)     appends pairs of a value and its weight, over all classes
//   weight_units(weight)       returns a weight in whole units
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/signals.hpp"

namespace featrank {

typedef std::vector<std::pair<double, double>> ValueWeights;

// Columns with few distinct values, given by how often each value occurs in each class. A value
// that is NaN is missing. The others are finite.
template <class Count>
struct CountedColumns {
    const Count* counts;  // (columns, classes, n_values)
    const double* values;
    std::size_t columns, classes, n_values;

    std::vector<std::size_t> bins = {};  // of each value

    std::int64_t weight_units(Count count) const { return count; }
    template <class Work>
    void each_value(std::size_t j, const Work& work) {
        each_place(j,
                   [&](std::size_t c, std::size_t k, Count count) { work(c, values[k], count); });
    }
    // Each value is located once for all classes.
    template <class Locate, class Work>
    void each_bin(std::size_t j, const Locate& locate, const Work& work) {
        bins.resize(n_values);
        for (std::size_t k = 0; k < n_values; ++k) bins[k] = locate(values[k]);
        each_place(j, [&](std::size_t c, std::size_t k, Count count) { work(c, bins[k], count); });
    }
    void append_weights(std::size_t j, ValueWeights& out) {
        each_value(j, [&](std::size_t, double value, Count count) {
            out.emplace_back(value, double(count));
        });
    }

private:
    // Calls work(class, place among the values, count).
    template <class Work>
    void each_place(std::size_t j, const Work& work) {
        look_for_signals(classes * n_values);
        const std::size_t number = n_values;
        const Count* own = counts + j * classes * number;
        for (std::size_t c = 0; c < classes; ++c, own += number)
            for (std::size_t k = 0; k < number; ++k)
                if (own[k] > 0 && !std::isnan(values[k])) work(c, k, own[k]);
    }
};

// Entries of a compressed matrix: those of column j are starts[j] … starts[j + 1] - 1, at most one
// per row.
template <class T, class I>
struct SparseEntries {
    const T* values;
    const I* rows;
    const std::int64_t* starts;
    std::size_t columns;
};

// The class of each row, its weight, or null, and the number of rows or the weight of each class.
// Rows whose code is not that of a class are ignored. Codes are not checked beforehand, as there
// may be many more rows than entries in a few columns.
struct RowLabels {
    const std::int32_t* codes;
    const double* weights;
    const double* sizes;
    std::size_t classes;
};

// Rows without an entry hold 0.
template <class T, class I>
struct SparseColumns {
    SparseEntries<T, I> entries;
    RowLabels rows;
    std::size_t columns, classes;
    double weight_unit = 1;
    std::vector<double> zeros = {};  // the weight of zero in each class

    std::int64_t weight_units(double weight) const { return std::int64_t(weight / weight_unit); }
    template <class Work>
    void each_value(std::size_t j, const Work& work) {
        each_entry(j, work);
        for (std::size_t c = 0; c < classes; ++c)
            if (zeros[c] > 0) work(c, 0.0, zeros[c]);
    }
    template <class Locate, class Work>
    void each_bin(std::size_t j, const Locate& locate, const Work& work) {
        each_value(
            j, [&](std::size_t c, double value, double weight) { work(c, locate(value), weight); });
    }
    void append_weights(std::size_t j, ValueWeights& out) {
        each_entry(
            j, [&](std::size_t, double value, double weight) { out.emplace_back(value, weight); });
        double total = 0;
        for (double weight : zeros) total += weight;
        if (total > 0) out.emplace_back(0.0, total);
    }

private:
    // Sets `zeros` to what the entries leave over, missing values included.
    template <class Work>
    void each_entry(std::size_t j, const Work& work) {
        const std::int64_t begin = entries.starts[j], end = entries.starts[j + 1];
        look_for_signals(std::size_t(end - begin) + classes);
        zeros.assign(rows.sizes, rows.sizes + classes);
        for (std::int64_t e = begin; e < end; ++e) {
            const std::int32_t c = rows.codes[entries.rows[e]];
            const double weight = rows.weights ? rows.weights[entries.rows[e]] : 1;
            if (std::uint32_t(c) >= classes || !(weight > 0)) continue;
            zeros[c] -= weight;
            const double value = double(entries.values[e]);
            if (!std::isnan(value)) work(std::size_t(c), value, weight);
        }
    }
};

}  // namespace featrank

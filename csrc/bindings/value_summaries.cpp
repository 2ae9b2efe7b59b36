#include "summaries/value_summaries.hpp"

#include <cmath>

#include "bindings/records.hpp"

namespace featrank {
namespace {

// Counts of shape (columns, classes, values), and the values.
template <class Count>
using CountedArrays = std::tuple<Cube<const Count>, Reals>;

template <class Count>
CountedColumns<Count> columns_of(const CountedArrays<Count>& arrays, double = 1) {
    const auto& [counts, values] = arrays;
    require_length(counts.shape(2), "a count for each value", values);
    for (std::size_t k = 0; k < values.shape(0); ++k)
        require(!std::isinf(values.data()[k]), "values must not be infinite");
    return {counts.data(), values.data(), counts.shape(0), counts.shape(1), counts.shape(2)};
}

// Values, their rows, and where each column starts.
template <class T, class I>
using EntryArrays = std::tuple<Vector<const T>, Vector<const I>, Indices>;

// Every index is checked: with one out of range, the kernels would read foreign memory.
template <class T, class I>
SparseEntries<T, I> entries_of(const Vector<const T>& values, const Vector<const I>& rows,
                               const Indices& starts, std::size_t n_rows) {
    require(starts.shape(0) >= 1, "starts must not be empty");
    const std::size_t count = starts.shape(0) - 1;
    require_length(values.shape(0), "one row a value", rows);
    require(starts.data()[0] >= 0 && starts.data()[count] <= std::int64_t(rows.shape(0)),
            "starts within the entries");
    for (std::size_t j = 0; j < count; ++j)
        require(starts.data()[j] <= starts.data()[j + 1], "starts must ascend");
    for (std::int64_t e = starts.data()[0]; e < starts.data()[count]; ++e)
        require(rows.data()[e] >= 0 && std::size_t(rows.data()[e]) < n_rows, "rows within X");
    return {values.data(), rows.data(), starts.data(), count};
}

// The same, then the class of each row, its weight, and the size of each class.
template <class T, class I>
using SparseArrays = std::tuple<Vector<const T>, Vector<const I>, Indices,
                                Vector<const std::int32_t>, std::optional<Reals>, Reals>;

template <class T, class I>
SparseColumns<T, I> columns_of(const SparseArrays<T, I>& arrays, double weight_unit = 1) {
    const auto& [values, rows, starts, codes, weights, sizes] = arrays;
    const SparseEntries<T, I> entries = entries_of(values, rows, starts, codes.shape(0));
    require(!weights || weights->shape(0) == codes.shape(0), "one weight a row");
    const RowLabels labels{codes.data(), weights ? weights->data() : nullptr, sizes.data(),
                           sizes.shape(0)};
    return {entries, labels, entries.columns, labels.classes, weights ? weight_unit : 1};
}

template <class Arrays>
void bind_moments(nb::module_& m) {
    define(m, "value_ranges", [](Arrays arrays, RangeArrays ranges) {
        const auto X = columns_of(arrays);
        const Ranges out = ranges_of(ranges, X.classes, X.columns);
        nb::gil_scoped_release release;
        value_ranges(X, out);
    });
    define(m, "value_sums",
           [](Arrays arrays, double weight_unit, RangeArrays ranges, SumArrays sums) {
        require(weight_unit > 0, "a unit of weights");
        const auto X = columns_of(arrays, weight_unit);
        const Ranges all = ranges_of(ranges, X.classes, X.columns);
        const UnitSums out = sums_of(sums, X.classes, X.columns);
        nb::gil_scoped_release release;
        value_sums(X, all, out);
    });
}

template <class Arrays, class Count>
void bind_histograms(nb::module_& m) {
    define(m, "value_histogram", [](Arrays arrays, BinArrays bins, Cube<Count> counts) {
        const auto X = columns_of(arrays);
        require_counts(counts, X.classes, X.columns);
        const Bins given = bins_of(bins, X.columns, counts.shape(2));
        nb::gil_scoped_release release;
        value_histogram(X, given, counts.data());
    });
    define(m, "value_quantile_histogram", [](Arrays arrays, Cube<Count> counts) {
        const auto X = columns_of(arrays);
        require_counts(counts, X.classes, X.columns);
        nb::gil_scoped_release release;
        value_quantile_histogram(X, std::int32_t(counts.shape(2)), counts.data());
    });
}

template <class Count>
void bind_counted(nb::module_& m) {
    bind_moments<CountedArrays<Count>>(m);
    bind_histograms<CountedArrays<Count>, Count>(m);
}

template <class T, class I>
void bind_sparse(nb::module_& m) {
    bind_moments<SparseArrays<T, I>>(m);
    bind_histograms<SparseArrays<T, I>, std::int32_t>(m);
    bind_histograms<SparseArrays<T, I>, double>(m);
    define(m, "sparse_products",
           [](EntryArrays<T, I> arrays, Reals factors, Reals centre, Reals reach,
              Vector<double> sums) {
        const auto& [values, rows, starts] = arrays;
        const SparseEntries<T, I> X = entries_of(values, rows, starts, factors.shape(0));
        require_length(X.columns, "one entry a column", centre, reach, sums);
        nb::gil_scoped_release release;
        sparse_products(X, factors.data(), {centre.data(), reach.data()}, sums.data());
    });
}

}  // namespace

void bind_value_summaries(nb::module_& m) {
    bind_counted<std::int32_t>(m);
    bind_counted<std::int64_t>(m);
    bind_sparse<float, std::int32_t>(m);
    bind_sparse<float, std::int64_t>(m);
    bind_sparse<double, std::int32_t>(m);
    bind_sparse<double, std::int64_t>(m);
}

}  // namespace featrank

#include "summaries/sparse.hpp"
#include "bindings/bindings.hpp"

namespace featrank {
namespace {

using Weights = std::optional<Vector<const double>>;
using Values = Table<double>;
using Flags = Vector<std::uint8_t>;
using Words = Cube<std::uint64_t>;
using Codes = Vector<const std::int32_t>;

// Every index is checked: one out of range would read foreign memory.
template <class T, class I>
Columns<T, I> columns(const Vector<const T>& values, const Vector<const I>& rows,
                      const Vector<const std::int64_t>& starts, std::size_t n_rows) {
    require(starts.shape(0) >= 1, "starts must not be empty");
    const std::size_t count = starts.shape(0) - 1;
    require(values.shape(0) == rows.shape(0), "one row a value");
    require(starts.data()[0] >= 0 && starts.data()[count] <= std::int64_t(rows.shape(0)),
            "starts within the entries");
    for (std::size_t j = 0; j < count; ++j)
        require(starts.data()[j] <= starts.data()[j + 1], "starts must ascend");
    for (std::int64_t e = starts.data()[0]; e < starts.data()[count]; ++e)
        require(rows.data()[e] >= 0 && std::size_t(rows.data()[e]) < n_rows, "rows within X");
    return {values.data(), rows.data(), starts.data(), count};
}

RowLabels labels(const Codes& codes, const Weights& weights, const Vector<const double>& sizes,
                 double weight_unit) {
    require(!weights || weights->shape(0) == codes.shape(0), "one weight a row");
    require(weight_unit > 0, "a unit of weights");
    return {codes.data(), weights ? weights->data() : nullptr, sizes.data(), weight_unit,
            sizes.shape(0)};
}

Ranges ranges_of(const Values& minimum, const Values& maximum, const Values& present,
                 const Flags& whole, std::size_t classes, std::size_t count) {
    for (const auto* table : {&minimum, &maximum, &present})
        require(table->shape(0) == classes && table->shape(1) == count, "ranges' shape");
    require(whole.shape(0) == count, "vectors' length");
    return {minimum.data(), maximum.data(), present.data(), whole.data()};
}

template <class T, class I>
void bind_moments(nb::module_& m) {
    define(m, "sparse_ranges",
           [](Vector<const T> values, Vector<const I> rows, Vector<const std::int64_t> starts,
              Codes codes, Weights weights, Vector<const double> sizes, double weight_unit,
              Values minimum, Values maximum, Values present, Flags whole) {
        const Columns<T, I> X = columns(values, rows, starts, codes.shape(0));
        const RowLabels groups = labels(codes, weights, sizes, weight_unit);
        const Ranges out = ranges_of(minimum, maximum, present, whole, groups.classes, X.count);
        nb::gil_scoped_release release;
        sparse_ranges(X, groups, out);
    });
    define(m, "sparse_sums",
           [](Vector<const T> values, Vector<const I> rows, Vector<const std::int64_t> starts,
              Codes codes, Weights weights, Vector<const double> sizes, double weight_unit,
              Values minimum, Values maximum, Values present, Flags whole, Words first,
              Words second, Table<std::uint64_t> absolute) {
        const Columns<T, I> X = columns(values, rows, starts, codes.shape(0));
        const RowLabels groups = labels(codes, weights, sizes, weight_unit);
        const Ranges all = ranges_of(minimum, maximum, present, whole, groups.classes, X.count);
        for (const auto* words : {&first, &second})
            require(words->shape(0) == groups.classes && words->shape(1) == X.count &&
                        words->shape(2) == 2,
                    "sums' shape");
        require(absolute.shape(0) == X.count && absolute.shape(1) == 2, "absolute sums' shape");
        nb::gil_scoped_release release;
        sparse_sums(X, groups, all, {first.data(), second.data(), absolute.data()});
    });
    define(m, "sparse_products",
           [](Vector<const T> values, Vector<const I> rows, Vector<const std::int64_t> starts,
              Vector<const double> factors, Vector<const double> centre, Vector<const double> reach,
              Vector<double> sums) {
        const Columns<T, I> X = columns(values, rows, starts, factors.shape(0));
        for (std::size_t length : {centre.shape(0), reach.shape(0), sums.shape(0)})
            require(length == X.count, "one entry a column");
        nb::gil_scoped_release release;
        sparse_products(X, factors.data(), {centre.data(), reach.data()}, sums.data());
    });
}

template <class T, class I, class Count>
void bind_counts(nb::module_& m) {
    define(m, "sparse_histogram",
           [](Vector<const T> values, Vector<const I> rows, Vector<const std::int64_t> starts,
              Codes codes, Weights weights, Vector<const double> sizes, Vector<double> low,
              Vector<double> step, Vector<std::int32_t> number, Cube<Count> counts) {
        const Columns<T, I> X = columns(values, rows, starts, codes.shape(0));
        const RowLabels groups = labels(codes, weights, sizes, 1);
        for (std::size_t length : {low.shape(0), step.shape(0), number.shape(0), counts.shape(0)})
            require(length == X.count, "one entry a column");
        require(counts.shape(1) == groups.classes && counts.shape(2) >= 1, "counts' shape");
        const Bins bins{low.data(), step.data(), number.data(), std::int32_t(counts.shape(2))};
        for (std::size_t j = 0; j < X.count; ++j)
            require(bins.count[j] >= 1 && bins.count[j] <= bins.most, "bins within counts");
        nb::gil_scoped_release release;
        sparse_histogram(X, groups, bins, counts.data());
    });
    define(m, "sparse_quantile_histogram",
           [](Vector<const T> values, Vector<const I> rows, Vector<const std::int64_t> starts,
              Codes codes, Weights weights, Vector<const double> sizes, Cube<Count> counts) {
        const Columns<T, I> X = columns(values, rows, starts, codes.shape(0));
        const RowLabels groups = labels(codes, weights, sizes, 1);
        require(
            counts.shape(0) == X.count && counts.shape(1) == groups.classes && counts.shape(2) >= 1,
            "counts' shape");
        nb::gil_scoped_release release;
        sparse_quantile_histogram(X, groups, std::int32_t(counts.shape(2)), counts.data());
    });
}

template <class T, class I>
void bind_all(nb::module_& m) {
    bind_moments<T, I>(m);
    bind_counts<T, I, std::int32_t>(m);
    bind_counts<T, I, double>(m);
}

}  // namespace

void bind_sparse(nb::module_& m) {
    bind_all<float, std::int32_t>(m);
    bind_all<float, std::int64_t>(m);
    bind_all<double, std::int32_t>(m);
    bind_all<double, std::int64_t>(m);
}

}  // namespace featrank

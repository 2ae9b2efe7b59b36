#include <memory>

#include "bindings/records.hpp"
#include "summaries/information.hpp"
#include "summaries/products.hpp"
#include "summaries/quantile.hpp"

namespace featrank {
namespace {

// Order, offsets, weights.
using GroupArrays = std::tuple<Indices, Indices, std::optional<Reals>>;

// The rows that `order` lists, and their classes.
template <class T>
struct GroupedRows {
    Matrix<T> X;
    Classes classes;

    GroupedRows(const Input<T>& all, const GroupArrays& groups, double weight_unit = 1)
        : X(matrix_of(all)) {
        const auto& [order, offsets, weights] = groups;
        X.rows = order.shape(0);
        require_indices(order, all.shape(0), "order must index rows");
        const std::size_t count = require_offsets(offsets, X.rows);
        require(!weights || weights->shape(0) == X.rows, "one weight a listed row");
        require(weight_unit > 0, "a unit of weights");
        classes = {order.data(), offsets.data(), weights ? weights->data() : nullptr, weight_unit,
                   count};
    }
    std::unique_ptr<T[]> scratch() const {
        return std::unique_ptr<T[]>(new T[scratch_size(X.rows, X.columns, sizeof(T))]);
    }
    Ranges ranges(const RangeArrays& arrays) const {
        return ranges_of(arrays, classes.count, X.columns);
    }
    UnitSums sums(const SumArrays& arrays) const {
        return sums_of(arrays, classes.count, X.columns);
    }
    Moments moments(const MomentArrays& arrays) const {
        return moments_of(arrays, classes.count, X.columns);
    }
    template <class Count>
    void check(const Cube<Count>& counts) const {
        require_counts(counts, classes.count, X.columns);
        require((classes.weights != nullptr) == std::is_same_v<Count, double>,
                "weighted rows are counted in doubles, others in integers");
    }
    void check(const Table<std::uint8_t>& codes) const {
        require_shape(X.columns, X.rows, "codes' shape", codes);
    }
};

template <class T>
void bind_moments(nb::module_& m) {
    define(m, "ranges", [](Input<T> X, GroupArrays groups, double weight_unit, RangeArrays ranges) {
        const GroupedRows<T> rows(X, groups, weight_unit);
        const Ranges out = rows.ranges(ranges);
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(ranges<T>(rows.X, rows.classes, out, rows.scratch().get()));
    });
    define(
        m, "sums",
        [](Input<T> X, GroupArrays groups, double weight_unit, RangeArrays ranges, SumArrays sums) {
        const GroupedRows<T> rows(X, groups, weight_unit);
        const Ranges all = rows.ranges(ranges);
        const UnitSums out = rows.sums(sums);
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(sums<T>(rows.X, rows.classes, all, out, rows.scratch().get()));
    });
    define(m, "moments",
           [](Input<T> X, GroupArrays groups, double weight_unit, RangeArrays ranges,
              MomentArrays moments) {
        const GroupedRows<T> rows(X, groups, weight_unit);
        const Ranges all = rows.ranges(ranges);
        const Moments out = rows.moments(moments);
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(moments<T>(rows.X, rows.classes, all, out, rows.scratch().get()));
    });
    define(m, "products",
           [](Input<T> X, Indices rows, Reals factors, Reals centre, Reals reach,
              Vector<double> sums) {
        const Matrix<T> view = matrix_of(X);
        require_length(rows.shape(0), "one factor a listed row", factors);
        require_indices(rows, view.rows, "rows within X, ascending");
        for (std::size_t r = 1; r < rows.shape(0); ++r)
            require(rows.data()[r - 1] < rows.data()[r], "rows within X, ascending");
        require_length(view.columns, "one entry a column", centre, reach, sums);
        const Factors by{rows.data(), factors.data(), rows.shape(0)};
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(products(view, by, {centre.data(), reach.data()}, sums.data()));
    });
}

template <class T, class Count>
void bind_histograms(nb::module_& m) {
    define(m, "histogram", [](Input<T> X, GroupArrays groups, BinArrays bins, Cube<Count> counts) {
        const GroupedRows<T> rows(X, groups);
        rows.check(counts);
        const Bins given = bins_of(bins, rows.X.columns, counts.shape(2));
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(
            histogram<T>(rows.X, rows.classes, given, counts.data(), rows.scratch().get()));
    });
    define(m, "tally",
           [](Input<T> X, GroupArrays groups, double weight_unit, RangeArrays ranges,
              SumArrays sums, BinArrays bins, Cube<Count> counts) {
        const GroupedRows<T> rows(X, groups, weight_unit);
        const Ranges all = rows.ranges(ranges);
        const UnitSums out = rows.sums(sums);
        rows.check(counts);
        const Bins given = bins_of(bins, rows.X.columns, counts.shape(2));
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(
            tally<T>(rows.X, rows.classes, all, out, given, counts.data(), rows.scratch().get()));
    });
    define(m, "summarise",
           [](Input<T> X, GroupArrays groups, double weight_unit, RangeArrays ranges,
              MomentArrays moments, BinArrays bins, Cube<Count> counts) {
        const GroupedRows<T> rows(X, groups, weight_unit);
        const Ranges all = rows.ranges(ranges);
        const Moments out = rows.moments(moments);
        rows.check(counts);
        const Bins chosen = new_bins(bins, rows.X.columns, counts.shape(2));
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(summarise<T>(rows.X, rows.classes, all, out, chosen, counts.data(),
                                       rows.scratch().get()));
    });
    define(m, "quantile_histogram", [](Input<T> X, GroupArrays groups, Cube<Count> counts) {
        const GroupedRows<T> rows(X, groups);
        require(rows.X.rows >= 1, "at least one row");
        rows.check(counts);
        nb::gil_scoped_release release;
        quantile_histogram(rows.X, rows.classes, std::int32_t(counts.shape(2)), counts.data());
    });
}

template <class T>
void bind_codes(nb::module_& m) {
    define(m, "bin_codes",
           [](Input<T> X, GroupArrays groups, BinArrays bins, Table<std::uint8_t> codes) {
        const GroupedRows<T> rows(X, groups);
        rows.check(codes);
        const Bins given = byte_bins_of(bins, rows.X.columns);
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(
            bin_codes<T>(rows.X, rows.classes, given, codes.data(), rows.scratch().get()));
    });
    define(m, "quantile_codes",
           [](Input<T> X, GroupArrays groups, std::int32_t most, Table<std::uint8_t> codes,
              Vector<std::int32_t> number) {
        const GroupedRows<T> rows(X, groups);
        require(rows.X.rows >= 1, "at least one row");
        require(most >= 1 && most <= BYTE_BINS, "bins that a byte can tell");
        rows.check(codes);
        require_length(rows.X.columns, "one entry a column", number);
        nb::gil_scoped_release release;
        quantile_codes(rows.X, rows.classes, most, codes.data(), number.data());
    });
}

template <class Count, class Most>
void bind_information(nb::module_& m) {
    define(m, "information",
           [](Cube<const Count> counts, Most most, Vector<double> result, Vector<double> entropy) {
        const std::size_t columns = counts.shape(0);
        require_length(columns, "vectors' length", result, entropy);
        require(most > 0, "at least one sample");
        nb::gil_scoped_release release;
        information(counts.data(), columns, counts.shape(1), counts.shape(2), most, result.data(),
                    entropy.data());
    });
}

}  // namespace

void bind_summaries(nb::module_& m) {
    bind_moments<float>(m);
    bind_moments<double>(m);
    bind_histograms<float, std::int32_t>(m);
    bind_histograms<double, std::int32_t>(m);
    bind_histograms<float, double>(m);
    bind_histograms<double, double>(m);
    bind_codes<float>(m);
    bind_codes<double>(m);
    bind_information<std::int32_t, std::int64_t>(m);
    bind_information<double, double>(m);
    define(m, "finish",
           [](double weight_unit, RangeArrays ranges, SumArrays sums, MomentArrays moments) {
        const auto& minimum = std::get<0>(ranges);
        const std::size_t classes = minimum.shape(0), columns = minimum.shape(1);
        const Ranges all = ranges_of(ranges, classes, columns);
        const UnitSums given = sums_of(sums, classes, columns);
        const Moments out = moments_of(moments, classes, columns);
        nb::gil_scoped_release release;
        finish_moments(classes, columns, weight_unit, all, given, out);
    });
    define(m, "choose_bins",
           [](Reals minimum, Reals maximum, Vector<const std::uint8_t> whole, double precision,
              std::int32_t most, BinArrays bins) {
        const std::size_t columns = minimum.shape(0);
        require(most >= 1, "at least one bin");
        require_length(columns, "vectors' length", maximum, whole);
        const Bins chosen = new_bins(bins, columns, std::size_t(most));
        for (std::size_t j = 0; j < columns; ++j)
            choose_bins(minimum.data()[j], maximum.data()[j], whole.data()[j], precision, chosen,
                        j);
    });
}

}  // namespace featrank

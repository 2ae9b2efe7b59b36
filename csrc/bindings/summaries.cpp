#include <cmath>
#include <memory>

#include "bindings/bindings.hpp"
#include "summaries/information.hpp"
#include "summaries/quantile.hpp"
#include "summaries/summaries.hpp"
#include "summaries/sums.hpp"

namespace featrank {

namespace {

// About a core's second-level cache, where a tile stays between its passes.
constexpr std::size_t TILE_BYTES = 512 * 1024;
constexpr std::size_t MIN_GROUPS = 4;  // a tall tile still reads whole stretches of each row

}  // namespace

std::size_t tile_columns(std::size_t rows, std::size_t element_size) {
    const std::size_t groups = TILE_BYTES / (LANES * element_size * (rows ? rows : 1));
    return LANES * (groups > MIN_GROUPS ? groups : MIN_GROUPS);
}

std::size_t scratch_size(std::size_t rows, std::size_t columns, std::size_t element_size) {
    const std::size_t wide = (columns + LANES - 1) / LANES * LANES;
    const std::size_t tile = tile_columns(rows, element_size);
    return rows * (tile < wide ? tile : wide);
}

namespace {

using Index = Vector<const std::int64_t>;
using Weights = std::optional<Vector<const double>>;

// The rows that take part: those which `order` lists.
template <class T>
Matrix<T> matrix(const Input<T>& X, const Index& order) {
    return {X.data(), X.stride(0), X.stride(1), order.shape(0), X.shape(1)};
}

Classes classes(std::size_t rows, const Index& order, const Index& offsets, const Weights& weights,
                double weight_unit) {
    require(offsets.shape(0) >= 1, "offsets must not be empty");
    const std::size_t count = offsets.shape(0) - 1, listed = order.shape(0);
    for (std::size_t r = 0; r < listed; ++r)
        require(order.data()[r] >= 0 && order.data()[r] < std::int64_t(rows),
                "order must index rows");
    for (std::size_t c = 0; c < count; ++c)
        require(offsets.data()[c] <= offsets.data()[c + 1], "offsets must ascend");
    require(offsets.data()[0] == 0 && offsets.data()[count] == std::int64_t(listed),
            "offsets must span the rows");
    require(!weights || weights->shape(0) == listed, "one weight a listed row");
    require(weight_unit > 0, "a unit of weights");
    return {order.data(), offsets.data(), weights ? weights->data() : nullptr, weight_unit, count};
}

using Values = Table<double>;
using Flags = Vector<std::uint8_t>;

Ranges ranges_of(const Values& minimum, const Values& maximum, const Values& present,
                 const Flags& whole, std::size_t n_classes, std::size_t columns) {
    for (const auto* table : {&minimum, &maximum, &present})
        require(table->shape(0) == n_classes && table->shape(1) == columns, "ranges' shape");
    require(whole.shape(0) == columns, "vectors' length");
    return {minimum.data(), maximum.data(), present.data(), whole.data()};
}

Moments moments_of(const Values& mean, const Values& m2, const Vector<double>& absolute_sum,
                   std::size_t n_classes, std::size_t columns) {
    for (const auto* table : {&mean, &m2})
        require(table->shape(0) == n_classes && table->shape(1) == columns, "moments' shape");
    require(absolute_sum.shape(0) == columns, "vectors' length");
    return {mean.data(), m2.data(), absolute_sum.data()};
}

using Words = Cube<std::uint64_t>;

UnitSums sums_of(const Words& first, const Words& second, const Table<std::uint64_t>& absolute,
                 std::size_t n_classes, std::size_t columns) {
    for (const auto* words : {&first, &second})
        require(words->shape(0) == n_classes && words->shape(1) == columns && words->shape(2) == 2,
                "sums' shape");
    require(absolute.shape(0) == columns && absolute.shape(1) == 2, "absolute sums' shape");
    return {first.data(), second.data(), absolute.data()};
}

template <class Count>
Bins bins_of(const Vector<double>& low, const Vector<double>& step,
             const Vector<std::int32_t>& count, const Cube<Count>& counts, std::size_t n_classes,
             std::size_t columns) {
    require(low.shape(0) == columns && step.shape(0) == columns && count.shape(0) == columns,
            "bins' length");
    require(counts.shape(0) == columns && counts.shape(1) == n_classes && counts.shape(2) >= 1,
            "counts' shape");
    return {low.data(), step.data(), count.data(), std::int32_t(counts.shape(2))};
}

// The same for bins that were chosen before.
template <class Count>
Bins checked_bins(const Vector<double>& low, const Vector<double>& step,
                  const Vector<std::int32_t>& count, const Cube<Count>& counts,
                  std::size_t n_classes, std::size_t columns) {
    const Bins bins = bins_of(low, step, count, counts, n_classes, columns);
    for (std::size_t j = 0; j < columns; ++j)
        require(bins.count[j] >= 1 && bins.count[j] <= bins.most, "bins within counts");
    return bins;
}

// Integers count rows, doubles count weights.
template <class Count>
void require_weights(const Classes& groups) {
    require((groups.weights != nullptr) == std::is_same_v<Count, double>,
            "weighted rows are counted in doubles, others in integers");
}

template <class T>
std::unique_ptr<T[]> scratch(const Matrix<T>& X) {
    return std::unique_ptr<T[]>(new T[scratch_size(X.rows, X.columns, sizeof(T))]);
}

template <class T>
void bind_moments(nb::module_& m) {
    define(m, "ranges",
           [](Input<T> X, Index order, Index offsets, Weights weights, double weight_unit,
              Values minimum, Values maximum, Values present, Flags whole) {
        const Matrix<T> view = matrix(X, order);
        const Classes groups = classes(X.shape(0), order, offsets, weights, weight_unit);
        const Ranges out = ranges_of(minimum, maximum, present, whole, groups.count, view.columns);
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(ranges<T>(view, groups, out, scratch(view).get()));
    });
    define(m, "sums",
           [](Input<T> X, Index order, Index offsets, Weights weights, double weight_unit,
              Values minimum, Values maximum, Values present, Flags whole, Words first,
              Words second, Table<std::uint64_t> absolute) {
        const Matrix<T> view = matrix(X, order);
        const Classes groups = classes(X.shape(0), order, offsets, weights, weight_unit);
        const Ranges all = ranges_of(minimum, maximum, present, whole, groups.count, view.columns);
        const UnitSums out = sums_of(first, second, absolute, groups.count, view.columns);
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(sums<T>(view, groups, all, out, scratch(view).get()));
    });
    define(m, "moments",
           [](Input<T> X, Index order, Index offsets, Weights weights, double weight_unit,
              Values minimum, Values maximum, Values present, Flags whole, Values mean, Values m2,
              Vector<double> absolute_sum) {
        const Matrix<T> view = matrix(X, order);
        const Classes groups = classes(X.shape(0), order, offsets, weights, weight_unit);
        const Ranges all = ranges_of(minimum, maximum, present, whole, groups.count, view.columns);
        const Moments out = moments_of(mean, m2, absolute_sum, groups.count, view.columns);
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(moments<T>(view, groups, all, out, scratch(view).get()));
    });
}

Total total_of(const std::uint64_t* words) {
    return Total(std::int64_t(words[1])) * (Total(1) << 64) + words[0];
}

// The moments of all rows from their ranges and sums.
void finish_sums(std::size_t n_classes, std::size_t columns, double weight_unit,
                 const Ranges& ranges, const UnitSums& sums, const Moments& out) {
    for (std::size_t j = 0; j < columns; ++j) {
        double low = INFINITY, high = -INFINITY;
        for (std::size_t c = 0; c < n_classes; ++c) {
            const std::size_t at = c * columns + j;
            const double least = ranges.minimum[at], most = ranges.maximum[at];
            const Spread found = finish(anchors_of(least, most),
                                        rounded(total_of(sums.first + 2 * at)),
                                        rounded(total_of(sums.second + 2 * at)), least, most,
                                        ranges.present[at], weight_unit);
            out.mean[at] = found.mean;
            out.m2[at] = found.m2;
            low = least < low ? least : low;
            high = most > high ? most : high;
        }
        out.absolute_sum[j] = finish_absolute(rounded(total_of(sums.absolute + 2 * j)),
                                              absolute_anchor(low, high), weight_unit);
    }
}

void bind_finish(nb::module_& m) {
    define(m, "finish",
           [](double weight_unit, Values minimum, Values maximum, Values present, Flags whole,
              Words first, Words second, Table<std::uint64_t> absolute, Values mean, Values m2,
              Vector<double> absolute_sum) {
        const std::size_t n_classes = minimum.shape(0), columns = minimum.shape(1);
        const Ranges all = ranges_of(minimum, maximum, present, whole, n_classes, columns);
        const UnitSums sums = sums_of(first, second, absolute, n_classes, columns);
        const Moments out = moments_of(mean, m2, absolute_sum, n_classes, columns);
        nb::gil_scoped_release release;
        finish_sums(n_classes, columns, weight_unit, all, sums, out);
    });
}

template <class T, class Count>
void bind_counts(nb::module_& m) {
    define(m, "histogram",
           [](Input<T> X, Index order, Index offsets, Weights weights, Vector<double> low,
              Vector<double> step, Vector<std::int32_t> count, Cube<Count> counts) {
        const Matrix<T> view = matrix(X, order);
        const Classes groups = classes(X.shape(0), order, offsets, weights, 1);
        const Bins bins = checked_bins(low, step, count, counts, groups.count, view.columns);
        require_weights<Count>(groups);
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(histogram<T>(view, groups, bins, counts.data(), scratch(view).get()));
    });
    define(m, "tally",
           [](Input<T> X, Index order, Index offsets, Weights weights, double weight_unit,
              Values minimum, Values maximum, Values present, Flags whole, Words first,
              Words second, Table<std::uint64_t> absolute, Vector<double> low, Vector<double> step,
              Vector<std::int32_t> count, Cube<Count> counts) {
        const Matrix<T> view = matrix(X, order);
        const Classes groups = classes(X.shape(0), order, offsets, weights, weight_unit);
        const Ranges all = ranges_of(minimum, maximum, present, whole, groups.count, view.columns);
        const UnitSums out = sums_of(first, second, absolute, groups.count, view.columns);
        const Bins bins = checked_bins(low, step, count, counts, groups.count, view.columns);
        require_weights<Count>(groups);
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(
            tally<T>(view, groups, all, out, bins, counts.data(), scratch(view).get()));
    });
    define(m, "summarise",
           [](Input<T> X, Index order, Index offsets, Weights weights, double weight_unit,
              Values minimum, Values maximum, Values present, Flags whole, Values mean, Values m2,
              Vector<double> absolute_sum, Vector<double> low, Vector<double> step,
              Vector<std::int32_t> count, Cube<Count> counts) {
        const Matrix<T> view = matrix(X, order);
        const Classes groups = classes(X.shape(0), order, offsets, weights, weight_unit);
        const Ranges all = ranges_of(minimum, maximum, present, whole, groups.count, view.columns);
        const Moments out = moments_of(mean, m2, absolute_sum, groups.count, view.columns);
        const Bins bins = bins_of(low, step, count, counts, groups.count, view.columns);
        require_weights<Count>(groups);
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(
            summarise<T>(view, groups, all, out, bins, counts.data(), scratch(view).get()));
    });
    define(m, "quantile_histogram",
           [](Input<T> X, Index order, Index offsets, Weights weights, Cube<Count> counts) {
        const Matrix<T> view = matrix(X, order);
        const Classes groups = classes(X.shape(0), order, offsets, weights, 1);
        require_weights<Count>(groups);
        require(view.rows >= 1, "at least one row");
        require(counts.shape(0) == view.columns && counts.shape(1) == groups.count &&
                    counts.shape(2) >= 1,
                "counts' shape");
        nb::gil_scoped_release release;
        quantile_histogram(view, groups, std::int32_t(counts.shape(2)), counts.data());
    });
}

template <class T>
void bind_codes(nb::module_& m) {
    define(m, "bin_codes",
           [](Input<T> X, Index order, Index offsets, Vector<double> low, Vector<double> step,
              Vector<std::int32_t> count, Table<std::uint8_t> codes) {
        const Matrix<T> view = matrix(X, order);
        const Classes groups = classes(X.shape(0), order, offsets, {}, 1);
        for (std::size_t length : {low.shape(0), step.shape(0), count.shape(0), codes.shape(0)})
            require(length == view.columns, "one entry a column");
        require(codes.shape(1) == view.rows, "codes' shape");
        for (std::size_t j = 0; j < view.columns; ++j)
            require(count.data()[j] >= 1 && count.data()[j] <= 256, "bins that a byte can tell");
        const Bins bins{low.data(), step.data(), count.data(), 256};
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(bin_codes<T>(view, groups, bins, codes.data(), scratch(view).get()));
    });
    define(m, "quantile_codes",
           [](Input<T> X, Index order, Index offsets, std::int32_t most, Table<std::uint8_t> codes,
              Vector<std::int32_t> number) {
        const Matrix<T> view = matrix(X, order);
        const Classes groups = classes(X.shape(0), order, offsets, {}, 1);
        require(view.rows >= 1, "at least one row");
        require(most >= 1 && most <= 256, "bins that a byte can tell");
        for (std::size_t length : {codes.shape(0), number.shape(0)})
            require(length == view.columns, "one entry a column");
        require(codes.shape(1) == view.rows, "codes' shape");
        nb::gil_scoped_release release;
        quantile_codes(view, groups, most, codes.data(), number.data());
    });
}

void bind_bins(nb::module_& m) {
    define(m, "choose_bins",
           [](Vector<const double> minimum, Vector<const double> maximum,
              Vector<const std::uint8_t> whole, double precision, std::int32_t most,
              Vector<double> low, Vector<double> step, Vector<std::int32_t> count) {
        const std::size_t size = minimum.shape(0);
        require(most >= 1, "at least one bin");
        for (std::size_t length :
             {maximum.shape(0), whole.shape(0), low.shape(0), step.shape(0), count.shape(0)})
            require(length == size, "vectors' length");
        const Bins bins{low.data(), step.data(), count.data(), most};
        for (std::size_t j = 0; j < size; ++j)
            choose_bins(minimum.data()[j], maximum.data()[j], whole.data()[j], precision, bins, j);
    });
}

template <class Count, class Most>
void bind_information(nb::module_& m) {
    define(m, "information",
           [](Cube<const Count> counts, Most most, Vector<double> result, Vector<double> entropy) {
        const std::size_t columns = counts.shape(0);
        require(result.shape(0) == columns && entropy.shape(0) == columns, "vectors' length");
        require(most > 0, "at least one sample");
        bool valid;
        {
            nb::gil_scoped_release release;
            valid = information(counts.data(), columns, counts.shape(1), counts.shape(2), most,
                                result.data(), entropy.data());
        }
        require(valid, "each column's counts must add up to no more than the total");
    });
}

}  // namespace

void bind_summaries(nb::module_& m) {
    bind_moments<float>(m);
    bind_moments<double>(m);
    bind_finish(m);
    bind_counts<float, std::int32_t>(m);
    bind_counts<double, std::int32_t>(m);
    bind_counts<float, double>(m);
    bind_counts<double, double>(m);
    bind_codes<float>(m);
    bind_codes<double>(m);
    bind_bins(m);
    bind_information<std::int32_t, std::int64_t>(m);
    bind_information<double, double>(m);
}

}  // namespace featrank

#include <cmath>
#include <memory>
#include <vector>

#include "bindings/bindings.hpp"
#include "summaries/byte_counts.hpp"
#include "summaries/counted.hpp"

namespace featrank {
namespace {

using Table2 = Table<double>;
using Flags = Vector<std::uint8_t>;
using Words = Cube<std::uint64_t>;

template <class Count>
ValueCounts<Count> counted(const Cube<const Count>& counts, const Vector<const double>& values) {
    require(counts.shape(2) == values.shape(0), "a count for each value");
    for (std::size_t k = 0; k < values.shape(0); ++k)
        require(!std::isinf(values.data()[k]), "values must not be infinite");
    return {counts.data(), values.data(), counts.shape(0), counts.shape(1), counts.shape(2)};
}

template <class Count>
Ranges ranges_of(const ValueCounts<Count>& X, const Table2& minimum, const Table2& maximum,
                 const Table2& present, const Flags& whole) {
    for (const auto* table : {&minimum, &maximum, &present})
        require(table->shape(0) == X.classes && table->shape(1) == X.columns, "ranges' shape");
    require(whole.shape(0) == X.columns, "vectors' length");
    return {minimum.data(), maximum.data(), present.data(), whole.data()};
}

template <class Count>
void require_place(const ValueCounts<Count>& X, const Cube<Count>& out) {
    require(out.shape(0) == X.columns && out.shape(1) == X.classes && out.shape(2) >= 1,
            "counts' shape");
}

template <class Count>
void bind_moments(nb::module_& m) {
    define(m, "counted_ranges",
           [](Cube<const Count> counts, Vector<const double> values, Table2 minimum, Table2 maximum,
              Table2 present, Flags whole) {
        const ValueCounts<Count> X = counted(counts, values);
        const Ranges out = ranges_of(X, minimum, maximum, present, whole);
        nb::gil_scoped_release release;
        counted_ranges(X, out);
    });
    define(
        m, "counted_sums",
        [](Cube<const Count> counts, Vector<const double> values, Table2 minimum, Table2 maximum,
           Table2 present, Flags whole, Words first, Words second, Table<std::uint64_t> absolute) {
        const ValueCounts<Count> X = counted(counts, values);
        const Ranges all = ranges_of(X, minimum, maximum, present, whole);
        for (const auto* words : {&first, &second})
            require(words->shape(0) == X.classes && words->shape(1) == X.columns &&
                        words->shape(2) == 2,
                    "sums' shape");
        require(absolute.shape(0) == X.columns && absolute.shape(1) == 2, "absolute sums' shape");
        nb::gil_scoped_release release;
        counted_sums(X, all, {first.data(), second.data(), absolute.data()});
    });
}

template <class Count>
void bind_counts(nb::module_& m) {
    define(m, "counted_histogram",
           [](Cube<const Count> counts, Vector<const double> values, Vector<double> low,
              Vector<double> step, Vector<std::int32_t> number, Cube<Count> out) {
        const ValueCounts<Count> X = counted(counts, values);
        require_place(X, out);
        for (std::size_t length : {low.shape(0), step.shape(0), number.shape(0)})
            require(length == X.columns, "one entry a column");
        const Bins bins{low.data(), step.data(), number.data(), std::int32_t(out.shape(2))};
        for (std::size_t j = 0; j < X.columns; ++j)
            require(bins.count[j] >= 1 && bins.count[j] <= bins.most, "bins within counts");
        nb::gil_scoped_release release;
        counted_histogram(X, bins, out.data());
    });
    define(m, "counted_quantile_histogram",
           [](Cube<const Count> counts, Vector<const double> values, Cube<Count> out) {
        const ValueCounts<Count> X = counted(counts, values);
        require_place(X, out);
        nb::gil_scoped_release release;
        counted_quantile_histogram(X, std::int32_t(out.shape(2)), out.data());
    });
}

template <class Count>
void bind_bytes(nb::module_& m) {
    define(m, "byte_counts",
           [](Input<std::uint8_t> X, Vector<const std::int32_t> codes, Cube<Count> counts) {
        const std::size_t classes = counts.shape(1);
        require(codes.shape(0) == X.shape(0), "a code for each row");
        require(counts.shape(0) == X.shape(1) && counts.shape(2) == BYTE_VALUES,
                "shape of the counts");
        for (std::size_t r = 0; r < codes.shape(0); ++r)
            require(codes.data()[r] < std::int64_t(classes), "codes of classes");
        nb::gil_scoped_release release;
        const std::unique_ptr<ByteScratch> scratch(new ByteScratch());
        std::vector<std::size_t> starts(classes + 1);
        const Matrix<std::uint8_t> view{X.data(), X.stride(0), X.stride(1), X.shape(0), X.shape(1)};
        FEATRANK_DISPATCH(
            byte_counts(view, codes.data(), classes, starts.data(), *scratch, counts.data()));
    });
}

}  // namespace

void bind_counted(nb::module_& m) {
    bind_moments<std::int32_t>(m);
    bind_moments<std::int64_t>(m);
    bind_counts<std::int32_t>(m);
    bind_counts<std::int64_t>(m);
    bind_bytes<std::int32_t>(m);
    bind_bytes<std::int64_t>(m);
}

}  // namespace featrank

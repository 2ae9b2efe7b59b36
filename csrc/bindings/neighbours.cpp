#include "neighbours/neighbours.hpp"
#include "bindings/bindings.hpp"

namespace featrank {
namespace {

using Numbers = Vector<const double>;
using Whole = Vector<const std::int64_t>;

template <class T>
Samples<T> samples(const Input<T>& X) {
    require(X.shape(1) < 2 || X.stride(1) == 1, "rows must be contiguous");
    require(X.shape(0) < std::size_t(UINT32_MAX), "fewer than 2^32 rows");
    require(X.shape(1) < std::size_t(1) << 24, "fewer than 2^24 columns");
    return {X.data(), X.stride(0), X.shape(0), X.shape(1)};
}

void require_rows(const Whole& rows, std::size_t count) {
    for (std::size_t i = 0; i < rows.shape(0); ++i)
        require(rows.data()[i] >= 0 && rows.data()[i] < std::int64_t(count), "rows of X");
}

void require_ascending(const Whole& offsets, std::size_t entries, std::size_t total) {
    require(offsets.shape(0) == entries + 1, "offsets' length");
    require(offsets.data()[0] == 0 && offsets.data()[entries] == std::int64_t(total),
            "offsets must span the entries");
    for (std::size_t i = 0; i < entries; ++i)
        require(offsets.data()[i] <= offsets.data()[i + 1], "offsets must ascend");
}

Grouping grouping(std::size_t count, const Whole& order, const Whole& offsets, const Whole& code) {
    require(order.shape(0) == count && code.shape(0) == count, "one entry a row");
    require(offsets.shape(0) >= 2, "at least one class");
    require_rows(order, count);
    require_ascending(offsets, offsets.shape(0) - 1, count);
    for (std::size_t r = 0; r < count; ++r)
        require(code.data()[r] >= 0 && code.data()[r] + 1 < std::int64_t(offsets.shape(0)),
                "codes of classes");
    return {order.data(), offsets.data(), code.data(), offsets.shape(0) - 1};
}

Links links(std::size_t count, const Whole& rows, const Whole& offsets, const Whole& neighbour,
            const Numbers& weight) {
    require(neighbour.shape(0) == weight.shape(0), "one weight a neighbour");
    require_rows(rows, count);
    require_rows(neighbour, count);
    require_ascending(offsets, rows.shape(0), neighbour.shape(0));
    return {rows.data(), offsets.data(), neighbour.data(), weight.data(), rows.shape(0)};
}

// Without slots, no values are missing.
Missing missing(const Whole& offsets, const Whole& slot, const Whole& column,
                const Cube<const double>& expected, std::size_t rows, std::size_t columns,
                std::size_t classes) {
    if (column.shape(0) == 0) return {nullptr, nullptr, nullptr, nullptr, 0, 0};
    require_ascending(offsets, rows, slot.shape(0));
    require_rows(slot, column.shape(0));
    require_rows(column, columns);
    require(expected.shape(0) == column.shape(0) && expected.shape(1) == classes &&
                expected.shape(2) == rows,
            "expected differences' shape");
    return {offsets.data(), slot.data(), column.data(), expected.data(), classes, rows};
}

Metric metric(bool square) { return square ? Metric::square : Metric::absolute; }

template <class T>
void bind_columns(nb::module_& m) {
    define(m, "ranges",
           [](Input<T> X, Vector<double> low, Vector<double> high, Vector<std::int64_t> unknown) {
        const Samples<T> view = samples(X);
        for (std::size_t length : {low.shape(0), high.shape(0), unknown.shape(0)})
            require(length == view.columns, "vectors' length");
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(ranges<T>(view, low.data(), high.data(), unknown.data()));
    });
    define(m, "differences",
           [](Input<T> X, Whole rows, Whole offsets, Whole neighbour, Numbers weight, Numbers scale,
              bool square, bool unknown, Vector<double> out) {
        const Samples<T> view = samples(X);
        const Links edges = links(view.count, rows, offsets, neighbour, weight);
        require(scale.shape(0) == view.columns && out.shape(0) == view.columns, "vectors' length");
        nb::gil_scoped_release release;
        sum_differences(metric(square), unknown, view, edges, scale.data(), out.data());
    });
    define(
        m, "smoothness",
        [](Input<T> X, Whole rows, Whole offsets, Whole neighbour, Numbers weight, Numbers degree,
           Numbers low, Numbers scale, Vector<double> near, Vector<double> overall) {
        const Samples<T> view = samples(X);
        const Links edges = links(view.count, rows, offsets, neighbour, weight);
        require(degree.shape(0) == view.count, "one weight a row");
        for (std::size_t length : {low.shape(0), scale.shape(0), near.shape(0), overall.shape(0)})
            require(length == view.columns, "vectors' length");
        nb::gil_scoped_release release;
        sum_smoothness(view, edges, degree.data(), low.data(), scale.data(), near.data(),
                       overall.data());
    });
}

template <class T>
void bind_pairs(nb::module_& m) {
    define(m, "gram",
           [](Input<T> X, Numbers middle, Numbers scale, bool square, Table<double> table) {
        const Samples<T> view = samples(X);
        for (std::size_t length : {middle.shape(0), scale.shape(0)})
            require(length == view.columns, "one middle and scale a column");
        require(table.shape(0) == view.count && table.shape(1) == view.count, "table's shape");
        nb::gil_scoped_release release;
        add_gram(metric(square), view, middle.data(), scale.data(), table.data());
    });
    define(m, "link_distances",
           [](Input<T> X, Whole rows, Whole offsets, Whole neighbour, Numbers weight, Numbers scale,
              bool square, Vector<double> out) {
        const Samples<T> view = samples(X);
        const Links edges = links(view.count, rows, offsets, neighbour, weight);
        require(scale.shape(0) == view.columns, "one scale a column");
        require(out.shape(0) == neighbour.shape(0), "one distance a link");
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(link_distances<T>(metric(square), view, edges, scale.data(), out.data()));
    });
}

void bind_near_pairs(nb::module_& m) {
    define(m, "possible_pairs",
           [](Table<const double> products, std::size_t k, double relative, double absolute,
              Table<bool> possible) {
        const std::size_t rows = products.shape(0);
        for (std::size_t length : {products.shape(1), possible.shape(0), possible.shape(1)})
            require(length == rows, "tables' shape");
        require(k > 0, "at least one neighbour");
        nb::gil_scoped_release release;
        possible_pairs(products.data(), rows, k, {relative, absolute}, possible.data());
    });
    define(m, "count_near",
           [](Whole rows, Whole offsets, Whole neighbour, Numbers weight, Numbers distance,
              std::size_t count, std::size_t k, Vector<std::int64_t> times) {
        const Links pairs = links(count, rows, offsets, neighbour, weight);
        for (std::size_t length : {distance.shape(0), times.shape(0)})
            require(length == neighbour.shape(0), "one entry a pair");
        nb::gil_scoped_release release;
        count_near(pairs, distance.data(), count, k, times.data());
    });
}

template <class T>
void bind_quantise(nb::module_& m) {
    define(
        m, "quantise",
        [](Input<T> X, Whole rows, Whole code, Numbers low, Numbers scale, Table<const double> fill,
           Table<const double> spread, Table<std::uint8_t> bytes, Vector<double> error) {
        const Samples<T> view = samples(X);
        const std::size_t count = rows.shape(0), classes = fill.shape(0);
        require_rows(rows, view.count);
        require(code.shape(0) == view.count, "one code a row");
        require(bytes.shape(0) == count && error.shape(0) == count, "one entry a row");
        require(bytes.shape(1) >= view.columns && low.shape(0) == view.columns &&
                    scale.shape(0) == view.columns,
                "one entry a column");
        require(spread.shape(0) == classes, "as many spreads as fills");
        for (std::size_t i = 0; i < count && classes > 0; ++i)
            require(code.data()[rows.data()[i]] >= 0 &&
                        code.data()[rows.data()[i]] < std::int64_t(classes),
                    "codes of classes");
        require(classes == 0 || (fill.shape(1) == view.columns && spread.shape(1) == view.columns),
                "one fill a column");
        nb::gil_scoped_release release;
        quantise_rows(view, {rows.data(), count}, low.data(), scale.data(),
                      {fill.data(), spread.data(), code.data(), classes}, bytes.shape(1),
                      bytes.data(), error.data());
    });
}

Sketch sketch(const Table<const std::uint8_t>& bytes, const Table<const std::int16_t>& shorts,
              const Numbers& error, const Numbers& norm, double steps, std::size_t rows,
              std::size_t columns) {
    if (bytes.shape(0) == 0 && shorts.shape(0) == 0) return {};
    const bool wide = shorts.shape(0) > 0;
    const std::size_t height = wide ? shorts.shape(0) : bytes.shape(0);
    const std::size_t stride = wide ? shorts.shape(1) : bytes.shape(1);
    require(height == rows && stride >= columns && stride < std::size_t(1) << 24, "sketch's shape");
    require(error.shape(0) == rows && norm.shape(0) == (wide ? rows : 0), "one error a row");
    return {wide ? nullptr : bytes.data(),
            wide ? shorts.data() : nullptr,
            stride,
            error.data(),
            norm.data(),
            steps};
}

// The samples, as `nearest` and `all_distances` need them.
template <class T>
Search<T> search_of(const Input<T>& X, const Whole& order, const Whole& offsets, const Whole& code,
                    const Numbers& scale, bool square, const Whole& lacking_offsets,
                    const Whole& lacking, const Whole& column, const Cube<const double>& expected) {
    const Samples<T> view = samples(X);
    require(scale.shape(0) == view.columns, "one scale a column");
    const Grouping groups = grouping(view.count, order, offsets, code);
    const Missing absent = missing(lacking_offsets, lacking, column, expected, view.count,
                                   view.columns, groups.count);
    return {view,    groups,         {},
            absent,  metric(square), scale.data(),
            nullptr, nullptr,        FEATRANK_DISPATCH(loops<T>())};
}

template <class T>
void bind_nearest(nb::module_& m) {
    define(m, "nearest",
           [](Input<T> X, Whole order, Whole offsets, Whole code, Numbers scale, bool square,
              Whole lacking_offsets, Whole lacking, Whole column, Cube<const double> expected,
              Whole slots, std::size_t begin, std::size_t end, Table<const std::uint8_t> bytes,
              Table<const std::int16_t> shorts, Numbers error, Numbers norm, double steps,
              Table<const double> known, Table<std::int64_t> neighbour, Table<double> distance) {
        Search<T> search = search_of(X, order, offsets, code, scale, square, lacking_offsets,
                                     lacking, column, expected);
        const std::size_t width = neighbour.shape(1), count = search.X.count;
        require_ascending(slots, search.groups.count, width);
        search.slots = slots.data();
        require(begin <= end && end <= count, "positions within the rows");
        require(neighbour.shape(0) == end - begin && distance.shape(0) == end - begin &&
                    distance.shape(1) == width,
                "neighbours' shape");
        search.sketch = sketch(bytes, shorts, error, norm, steps, count, search.X.columns);
        require(square ? bytes.shape(0) == 0 : shorts.shape(0) == 0, "a sketch of this metric");
        if (known.shape(0) > 0) {
            require(known.shape(0) == count && known.shape(1) == count, "table's shape");
            search.known = known.data();
        }
        nb::gil_scoped_release release;
        nearest(search, begin, end, neighbour.data(), distance.data());
    });
}

template <class T>
void bind_table(nb::module_& m) {
    define(m, "all_distances",
           [](Input<T> X, Whole order, Whole offsets, Whole code, Numbers scale, bool square,
              Whole lacking_offsets, Whole lacking, Whole column, Cube<const double> expected,
              std::size_t begin, std::size_t end, Table<double> table) {
        const Search<T> search = search_of(X, order, offsets, code, scale, square, lacking_offsets,
                                           lacking, column, expected);
        const std::size_t count = search.X.count;
        require(begin <= end && end <= count, "positions within the rows");
        require(table.shape(0) == count && table.shape(1) == count, "table's shape");
        nb::gil_scoped_release release;
        all_distances(search, begin, end, table.data());
    });
}

template <class T>
void bind_expected_differences(nb::module_& m) {
    define(m, "expected_differences",
           [](Input<T> X, Whole rows, Whole offsets, Whole neighbour, Numbers weight, Whole code,
              Whole lacking_offsets, Whole lacking, Whole column, Cube<const double> expected,
              Vector<double> out) {
        const Samples<T> view = samples(X);
        const Links edges = links(view.count, rows, offsets, neighbour, weight);
        const Missing absent = missing(lacking_offsets, lacking, column, expected, view.count,
                                       view.columns, expected.shape(1));
        require(out.shape(0) == column.shape(0) && column.shape(0) > 0, "one sum a column");
        require(code.shape(0) == view.count, "one code a row");
        for (std::size_t r = 0; r < view.count; ++r)
            require(code.data()[r] >= 0 && code.data()[r] < std::int64_t(absent.classes),
                    "codes of classes");
        nb::gil_scoped_release release;
        expected_differences(view, edges, absent, code.data(), out.data());
    });
}

template <class T>
void bind_expect(nb::module_& m) {
    define(m, "expect",
           [](Input<T> X, Whole columns, Numbers low, Numbers scale, Whole code,
              Cube<double> expected, Table<double> place, Table<double> deviation) {
        const Samples<T> view = samples(X);
        const std::size_t count = columns.shape(0), classes = expected.shape(1);
        require_rows(columns, view.columns);
        require(low.shape(0) == view.columns && scale.shape(0) == view.columns,
                "one entry a column");
        require(expected.shape(0) == count && expected.shape(2) == view.count,
                "expected differences' shape");
        require(place.shape(0) == count && place.shape(1) == classes &&
                    deviation.shape(0) == count && deviation.shape(1) == classes,
                "one place a column and class");
        require(code.shape(0) == view.count, "one code a row");
        for (std::size_t r = 0; r < view.count; ++r)
            require(code.data()[r] >= 0 && code.data()[r] < std::int64_t(classes),
                    "codes of classes");
        nb::gil_scoped_release release;
        expect(view, {columns.data(), count}, low.data(), scale.data(), code.data(), classes,
               {expected.data(), place.data(), deviation.data()});
    });
}

template <class T>
void bind_shorten(nb::module_& m) {
    define(m, "shorten",
           [](Input<T> X, Whole rows, Numbers middle, double scale, Table<std::int16_t> shorts,
              Vector<double> error, Vector<double> norm) {
        const Samples<T> view = samples(X);
        const std::size_t count = rows.shape(0);
        require_rows(rows, view.count);
        require(shorts.shape(0) == count && error.shape(0) == count && norm.shape(0) == count,
                "one entry a row");
        require(shorts.shape(1) >= view.columns && middle.shape(0) == view.columns,
                "one entry a column");
        nb::gil_scoped_release release;
        shorten_rows(view, {rows.data(), count}, middle.data(), scale, shorts.shape(1),
                     shorts.data(), error.data(), norm.data());
    });
}

template <class T>
void bind_all(nb::module_& m) {
    bind_columns<T>(m);
    bind_pairs<T>(m);
    bind_quantise<T>(m);
    bind_shorten<T>(m);
    bind_expect<T>(m);
    bind_nearest<T>(m);
    bind_table<T>(m);
    bind_expected_differences<T>(m);
}

}  // namespace

void bind_neighbours(nb::module_& m) {
    bind_all<float>(m);
    bind_all<double>(m);
    bind_near_pairs(m);
}

}  // namespace featrank

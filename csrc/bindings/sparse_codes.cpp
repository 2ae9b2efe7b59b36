#include <cmath>

#include "bindings/sparse.hpp"
#include "pairs/sparse_codes.hpp"

namespace featrank {
namespace {

using Index = Vector<const std::int64_t>;
using Rows = Vector<const std::uint32_t>;

template <class T>
StoredColumns<T> stored_columns(const Vector<const T>& values, const Index& begin,
                                std::size_t rows) {
    check_begin(begin, values.shape(0));
    const std::size_t columns = begin.shape(0) - 1;
    for (std::size_t j = 0; j < columns; ++j)
        require(std::size_t(begin.data()[j + 1] - begin.data()[j]) <= rows, "one entry a row");
    return {values.data(), begin.data(), rows, columns};
}

StoredCodes stored_codes(std::size_t entries, std::size_t columns, const Vector<std::uint8_t>& code,
                         const Vector<std::uint8_t>& zero, const Vector<std::int64_t>& kept) {
    require(code.shape(0) == entries, "one code an entry");
    require(zero.shape(0) == columns && kept.shape(0) == columns, "one value a column");
    return {code.data(), zero.data(), kept.data()};
}

template <class T>
void bind_stored_codes(nb::module_& m) {
    define(m, "stored_bin_codes",
           [](Vector<const T> values, Index begin, std::size_t rows, Vector<double> low,
              Vector<double> step, Vector<std::int32_t> count, Vector<std::uint8_t> code,
              Vector<std::uint8_t> zero, Vector<std::int64_t> kept) {
        const StoredColumns<T> X = stored_columns(values, begin, rows);
        for (std::size_t length : {low.shape(0), step.shape(0), count.shape(0)})
            require(length == X.columns, "one entry a column");
        for (std::size_t j = 0; j < X.columns; ++j)
            require(count.data()[j] >= 1 && count.data()[j] <= 256, "bins that a byte can tell");
        const StoredCodes to = stored_codes(values.shape(0), X.columns, code, zero, kept);
        const Bins bins{low.data(), step.data(), count.data(), 256};
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(stored_bin_codes<T>(X, bins, to));
    });
    define(m, "stored_quantile_codes",
           [](Vector<const T> values, Index begin, std::size_t rows, std::int32_t most,
              Vector<std::uint8_t> code, Vector<std::uint8_t> zero, Vector<std::int64_t> kept,
              Vector<std::int32_t> number) {
        const StoredColumns<T> X = stored_columns(values, begin, rows);
        require(rows >= 1, "at least one row");
        require(most >= 1 && most <= 256, "bins that a byte can tell");
        require(number.shape(0) == X.columns, "one value a column");
        for (std::size_t e = 0; e < values.shape(0); ++e)
            require(!std::isnan(values.data()[e]), "values must be numbers");
        const StoredCodes to = stored_codes(values.shape(0), X.columns, code, zero, kept);
        nb::gil_scoped_release release;
        stored_quantile_codes<T>(X, most, to, number.data());
    });
}

void bind_keep_codes(nb::module_& m) {
    define(m, "keep_codes",
           [](Index begin, Rows row, Vector<std::uint8_t> code, Vector<std::uint8_t> zero,
              Vector<std::int64_t> kept, Vector<std::uint32_t> kept_row,
              Vector<std::uint8_t> kept_code) {
        check_begin(begin, row.shape(0));
        const std::size_t columns = begin.shape(0) - 1;
        const StoredCodes from = stored_codes(row.shape(0), columns, code, zero, kept);
        std::int64_t total = 0;
        for (std::size_t j = 0; j < columns; ++j) {
            std::int64_t own = 0;
            for (std::int64_t e = begin.data()[j]; e < begin.data()[j + 1]; ++e)
                own += code.data()[e] != zero.data()[j];
            require(own == kept.data()[j],
                    "kept must count the entries that are not in zero's bin");
            total += own;
        }
        require(kept_row.shape(0) == std::size_t(total) && kept_code.shape(0) == std::size_t(total),
                "one place an entry that is kept");
        nb::gil_scoped_release release;
        keep_codes(begin.data(), columns, row.data(), from, kept_row.data(), kept_code.data());
    });
}

}  // namespace

void bind_sparse_codes(nb::module_& m) {
    bind_stored_codes<float>(m);
    bind_stored_codes<double>(m);
    bind_keep_codes(m);
}

}  // namespace featrank

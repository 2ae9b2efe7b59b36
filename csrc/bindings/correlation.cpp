#include "pairs/correlation.hpp"
#include "bindings/bindings.hpp"

namespace featrank {
namespace {

template <class T, class Out>
void bind_unit_ranks(nb::module_& m) {
    define(m, "unit_ranks", [](Input<T> X, Table<Out> out, Vector<std::uint64_t> keys) {
        require(out.shape(0) == X.shape(1) && out.shape(1) == X.shape(0), "ranks' shape");
        require(keys.shape(0) == X.shape(1), "one key a column");
        require(X.shape(0) < std::size_t(UINT32_MAX), "fewer than 2^32 rows");
        nb::gil_scoped_release release;
        unit_ranks<T, Out>({X.data(), X.stride(0), X.stride(1), X.shape(0), X.shape(1)}, out.data(),
                           keys.data());
    });
}

template <class T>
void bind_add_absolute_half(nb::module_& m) {
    define(m, "add_absolute_half",
           [](Table<const T> panel, Vector<const double> vector, Vector<double> result) {
        const std::size_t rows = panel.shape(0), columns = panel.shape(1);
        require(rows <= columns, "rows from the diagonal on");
        require(vector.shape(0) == columns && result.shape(0) == columns, "vectors' length");
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(
            add_absolute_half(panel.data(), rows, columns, vector.data(), result.data()));
    });
}

}  // namespace

void bind_correlation(nb::module_& m) {
    bind_unit_ranks<float, float>(m);
    bind_unit_ranks<float, double>(m);
    bind_unit_ranks<double, float>(m);
    bind_unit_ranks<double, double>(m);
    bind_add_absolute_half<float>(m);
    bind_add_absolute_half<double>(m);
}

}  // namespace featrank

#include "summaries/products.hpp"
#include "bindings/bindings.hpp"

namespace featrank {
namespace {

using Numbers = Vector<const double>;

template <class T>
void bind_products_of(nb::module_& m) {
    define(m, "products",
           [](Input<T> X, Vector<const std::int64_t> rows, Numbers factors, Numbers centre,
              Numbers reach, Vector<double> sums) {
        const std::size_t columns = X.shape(1);
        require(rows.shape(0) == factors.shape(0) && rows.shape(0) <= X.shape(0),
                "one factor a listed row");
        for (std::size_t r = 0; r < rows.shape(0); ++r)
            require(rows.data()[r] > (r ? rows.data()[r - 1] : -1) &&
                        rows.data()[r] < std::int64_t(X.shape(0)),
                    "rows within X, ascending");
        require(centre.shape(0) == columns && reach.shape(0) == columns && sums.shape(0) == columns,
                "one entry a column");
        const Matrix<T> view{X.data(), X.stride(0), X.stride(1), X.shape(0), columns};
        const Factors by{rows.data(), factors.data(), rows.shape(0)};
        nb::gil_scoped_release release;
        FEATRANK_DISPATCH(products(view, by, {centre.data(), reach.data()}, sums.data()));
    });
}

}  // namespace

void bind_products(nb::module_& m) {
    bind_products_of<float>(m);
    bind_products_of<double>(m);
}

}  // namespace featrank

#include "graph/graph.hpp"
#include "bindings/bindings.hpp"
#include "graph/power.hpp"

namespace featrank {

namespace {

void require_places(const Vector<const long long>& order, std::size_t size) {
    bool valid = true;
    for (std::size_t i = 0; i < order.shape(0); ++i) valid &= std::uint64_t(order.data()[i]) < size;
    require(valid, "order must index the vector");
}

}  // namespace

void bind_graph(nb::module_& m) {
    define(m, "dot", [](Vector<const double> a, Vector<const double> b) {
        require(a.shape(0) == b.shape(0), "vectors' length");
        nb::gil_scoped_release release;
        return dot(a.data(), b.data(), a.shape(0));
    });
    define(m, "add_scaled", [](double factor, Vector<const double> vector, Vector<double> result) {
        require(vector.shape(0) == result.shape(0), "vectors' length");
        nb::gil_scoped_release release;
        add_scaled(factor, vector.data(), vector.shape(0), result.data());
    });
    define(m, "add_largest_of_two",
           [](Vector<const double> level, Vector<const double> vector, double weight,
              Vector<double> result) {
        const std::size_t size = level.shape(0);
        require(vector.shape(0) == size && result.shape(0) == size, "vectors' length");
        nb::gil_scoped_release release;
        add_largest_of_two(level.data(), vector.data(), weight, size, result.data());
    });
    define(m, "advance", [](Vector<double> image, Vector<double> vector, double shift) {
        require(image.shape(0) == vector.shape(0), "vectors' length");
        Step step;
        {
            nb::gil_scoped_release release;
            step = advance(image.data(), vector.data(), shift, image.shape(0));
        }
        return nb::make_tuple(step.eigenvalue, step.length, step.residual);
    });
    define(m, "levelled_step",
           [](Table<const double> left, Table<const double> right, Vector<const double> level,
              Vector<const double> weights, Vector<double> vector, Vector<double> products,
              double factor, double shift, double eigenvalue) {
        const std::size_t terms = left.shape(0), size = level.shape(0);
        require(size >= 1, "at least one node");
        require(terms >= 1 && terms <= MOST_TERMS, "one or two terms");
        require(right.shape(0) == terms, "as many right vectors as left ones");
        for (std::size_t length : {weights.shape(0), products.shape(0)})
            require(length == terms + 1, "one entry a term and one for the levels");
        for (std::size_t length : {left.shape(1), right.shape(1), vector.shape(0)})
            require(length == size, "vectors' length");
        const Levelled graph{left.data(), right.data(), level.data(), weights.data(), terms, size};
        const Iterate iterate{vector.data(), products.data(), factor, shift, eigenvalue};
        Step step;
        {
            nb::gil_scoped_release release;
            step = FEATRANK_DISPATCH(levelled_step(graph, iterate));
        }
        return nb::make_tuple(step.eigenvalue, step.length, step.residual);
    });
    define(m, "gather",
           [](Vector<const double> source, Vector<const long long> order, Vector<double> result) {
        require(order.shape(0) == result.shape(0), "vectors' length");
        nb::gil_scoped_release release;
        require_places(order, source.shape(0));
        gather(source.data(), order.data(), order.shape(0), result.data());
    });
    define(m, "scatter",
           [](Vector<const double> source, Vector<const long long> order, Vector<double> result) {
        require(order.shape(0) == source.shape(0), "vectors' length");
        nb::gil_scoped_release release;
        require_places(order, result.shape(0));
        scatter(source.data(), order.data(), order.shape(0), result.data());
    });
    define(m, "places", [](Vector<const long long> order, Vector<long long> result) {
        require(order.shape(0) == result.shape(0), "vectors' length");
        nb::gil_scoped_release release;
        require_places(order, result.shape(0));
        places(order.data(), order.shape(0), result.data());
    });
    define(m, "argsort",
           [](Vector<const double> values, Vector<long long> scratch, Vector<long long> order) {
        for (std::size_t length : {scratch.shape(0), order.shape(0)})
            require(values.shape(0) == length, "vectors' length");
        require(values.shape(0) < std::size_t(UINT32_MAX), "fewer than 2^32 values");
        nb::gil_scoped_release release;
        argsort(values.data(), values.shape(0), scratch.data(), order.data());
    });
}

}  // namespace featrank

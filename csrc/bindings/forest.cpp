#include "solvers/forest.hpp"
#include "bindings/bindings.hpp"

namespace featrank {

void bind_forest(nb::module_& m) {
    define(m, "grow_trees",
           [](Table<const std::int32_t> values, Table<const double> target, std::size_t tried,
              std::size_t depth, Vector<const std::uint64_t> seeds, Vector<double> importance) {
        const std::size_t features = values.shape(0), samples = values.shape(1);
        require(samples > 0 && samples < (std::size_t(1) << 31) && features > 0 &&
                    features < (std::size_t(1) << 31),
                "samples and features");
        require(target.shape(0) == samples && target.shape(1) > 0, "a target a sample");
        require(tried > 0 && importance.shape(0) == features, "features' shape");
        const ForestData data{values.data(), samples, features, target.data(), target.shape(1)};
        nb::gil_scoped_release release;
        return grow_trees(data, {tried, depth}, seeds.data(), seeds.shape(0), importance.data());
    });
}

}  // namespace featrank

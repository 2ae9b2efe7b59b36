// Forests of randomised regression trees, grown for the importances of their features alone.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

namespace featrank {

// Column j starts at values[j * samples]: whole numbers whose order is all that counts, those of few
// levels being the fastest. Row t of the target holds `outputs` numbers, whose squared deviations a split
// is to reduce: for classes their indicators, which makes it Gini's index.
struct ForestData {
    const std::int32_t* values;
    std::size_t samples, features;
    const double* target;
    std::size_t outputs;
};

// Features that are tried per split, and levels of splits; 0 levels are as many as it takes.
struct ForestShape {
    std::size_t tried, depth;
};

// Grows one tree for each seed, each on as many samples, drawn with replacement. Adds for each
// feature its share in what all splits of a tree reduce, and returns how many trees have splits.
std::size_t grow_trees(const ForestData& data, const ForestShape& shape, const std::uint64_t* seeds,
                       std::size_t count, double* importance);

}  // namespace featrank

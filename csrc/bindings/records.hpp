// Arrays that the kernels of summaries take together, as the named tuples of featrank.kernels.
#pragma once
#include "bindings/bindings.hpp"
#include "summaries/summaries.hpp"

namespace featrank {

// Minimum, maximum, present, whole.
using RangeArrays = std::tuple<Table<double>, Table<double>, Table<double>, Vector<std::uint8_t>>;
// First, second, absolute.
using SumArrays = std::tuple<Cube<std::uint64_t>, Cube<std::uint64_t>, Table<std::uint64_t>>;
// Mean, m2, absolute sum.
using MomentArrays = std::tuple<Table<double>, Table<double>, Vector<double>>;
// Low, step, number.
using BinArrays = std::tuple<Vector<double>, Vector<double>, Vector<std::int32_t>>;

constexpr std::int32_t BYTE_BINS = 256;

inline Ranges ranges_of(const RangeArrays& arrays, std::size_t classes, std::size_t columns) {
    const auto& [minimum, maximum, present, whole] = arrays;
    require_shape(classes, columns, "ranges' shape", minimum, maximum, present);
    require_length(columns, "vectors' length", whole);
    return {minimum.data(), maximum.data(), present.data(), whole.data()};
}

inline UnitSums sums_of(const SumArrays& arrays, std::size_t classes, std::size_t columns) {
    const auto& [first, second, absolute] = arrays;
    require_shape(classes, columns, "sums' shape", first, second);
    require(first.shape(2) == 2 && second.shape(2) == 2, "sums' shape");
    require_shape(columns, 2, "absolute sums' shape", absolute);
    return {first.data(), second.data(), absolute.data()};
}

inline Moments moments_of(const MomentArrays& arrays, std::size_t classes, std::size_t columns) {
    const auto& [mean, m2, absolute_sum] = arrays;
    require_shape(classes, columns, "moments' shape", mean, m2);
    require_length(columns, "vectors' length", absolute_sum);
    return {mean.data(), m2.data(), absolute_sum.data()};
}

// Bins that a kernel is to choose.
inline Bins new_bins(const BinArrays& arrays, std::size_t columns, std::size_t most) {
    const auto& [low, step, number] = arrays;
    require_length(columns, "one entry a column", low, step, number);
    return {low.data(), step.data(), number.data(), std::int32_t(most)};
}

// Bins that were chosen before.
inline Bins bins_of(const BinArrays& arrays, std::size_t columns, std::size_t most,
                    const char* what = "bins within counts") {
    const Bins bins = new_bins(arrays, columns, most);
    for (std::size_t j = 0; j < columns; ++j)
        require(bins.count[j] >= 1 && bins.count[j] <= bins.most, what);
    return bins;
}

// Bins with one byte per code.
inline Bins byte_bins_of(const BinArrays& arrays, std::size_t columns) {
    return bins_of(arrays, columns, BYTE_BINS, "bins that a byte can tell");
}

template <class Count>
void require_counts(const Cube<Count>& counts, std::size_t classes, std::size_t columns) {
    require_shape(columns, classes, "counts' shape", counts);
    require(counts.shape(2) >= 1, "counts' shape");
}

}  // namespace featrank

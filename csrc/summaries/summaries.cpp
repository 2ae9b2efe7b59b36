#include "summaries/summaries.hpp"

#include <cmath>

#include "summaries/sums.hpp"

namespace featrank {
namespace {

// About a core's second-level cache, where a tile stays between its passes.
constexpr std::size_t TILE_BYTES = 512 * 1024;
constexpr std::size_t MIN_GROUPS = 4;  // so that a tall tile still reads long pieces of each row

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

void finish_moments(std::size_t classes, std::size_t columns, double weight_unit,
                    const Ranges& ranges, const UnitSums& sums, const Moments& out) {
    for (std::size_t j = 0; j < columns; ++j) {
        double low = INFINITY, high = -INFINITY;
        for (std::size_t c = 0; c < classes; ++c) {
            const std::size_t at = c * columns + j;
            const double least = ranges.minimum[at], most = ranges.maximum[at];
            const MeanAndM2 found = finish(anchors_of(least, most),
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

}  // namespace featrank

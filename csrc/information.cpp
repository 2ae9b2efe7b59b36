#include "information.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace featrank {
namespace {

// n·log(n) for every count that can occur: looked up instead of computed, hundreds of times a row.
std::vector<double> n_log_n(std::int64_t total) {
    std::vector<double> table(total + 1);
    for (std::int64_t n = 2; n <= total; ++n) table[n] = double(n) * std::log(double(n));
    return table;
}

}  // namespace

bool information(const std::int32_t* counts, std::size_t columns, std::size_t classes,
                 std::size_t bins, std::int64_t total, double* information, double* entropy) {
    const std::vector<double> table = n_log_n(total);
    std::vector<std::int32_t> in_bin(bins);
    for (std::size_t j = 0; j < columns; ++j, counts += classes * bins) {
        std::fill(in_bin.begin(), in_bin.end(), 0);
        std::int64_t counted = 0;
        double joint = 0, by_class = 0, by_bin = 0;
        for (std::size_t c = 0; c < classes; ++c) {
            std::int64_t in_class = 0;
            for (std::size_t b = 0; b < bins; ++b) {
                const std::int32_t n = counts[c * bins + b];
                if (n < 0 || n > total) return false;
                joint += table[n];
                in_class += n;
                in_bin[b] += n;
            }
            counted += in_class;
            if (counted > total) return false;
            by_class += table[in_class];
        }
        if (counted != total) return false;
        for (std::size_t b = 0; b < bins; ++b) by_bin += table[in_bin[b]];
        entropy[j] = (table[total] - by_bin) / double(total);
        const double value = (joint - by_class - by_bin + table[total]) / double(total);
        // Independence leaves a rounding error, which may fall below zero.
        information[j] = value > 1e-14 ? value : 0;
    }
    return true;
}

}  // namespace featrank

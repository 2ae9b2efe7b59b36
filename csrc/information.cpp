#include "information.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace featrank {
namespace {

double n_log_n(double n) { return n > 0 ? n * std::log(n) : 0; }

// n·log(n) for every count that can occur: looked up instead of computed.
struct Lookup {
    std::vector<double> values;

    explicit Lookup(std::int64_t total) : values(total + 1) {
        for (std::int64_t n = 2; n <= total; ++n) values[n] = n_log_n(double(n));
    }
    double operator()(std::int64_t n) const { return values[n]; }
};

bool adds_up(std::int64_t counted, std::int64_t total) { return counted == total; }
bool adds_up(double counted, double total) { return std::fabs(counted - total) < 1e-9 * total; }

// Whether the counts of one column are such that every sum of them can be looked up.
template <class Count, class Total>
bool valid(const Count* counts, std::size_t cells, Total total) {
    Total counted = 0;
    for (std::size_t i = 0; i < cells; ++i) {
        if (!(counts[i] >= 0)) return false;
        counted += counts[i];
    }
    return adds_up(counted, total);
}

template <class Count, class Total, class Function>
bool measure(const Count* counts, std::size_t columns, std::size_t classes, std::size_t bins,
             Total total, double* information, double* entropy, const Function& value_of) {
    std::vector<Total> in_bin(bins);
    for (std::size_t j = 0; j < columns; ++j, counts += classes * bins) {
        if (!valid(counts, classes * bins, total)) return false;
        std::fill(in_bin.begin(), in_bin.end(), Total(0));
        double joint = 0, by_class = 0, by_bin = 0;
        for (std::size_t c = 0; c < classes; ++c) {
            Total in_class = 0;
            for (std::size_t b = 0; b < bins; ++b) {
                const Count n = counts[c * bins + b];
                joint += value_of(n);
                in_class += n;
                in_bin[b] += n;
            }
            by_class += value_of(in_class);
        }
        for (std::size_t b = 0; b < bins; ++b) by_bin += value_of(in_bin[b]);
        const double all = value_of(total), size = double(total);
        entropy[j] = (all - by_bin) / size;
        const double value = (joint - by_class - by_bin + all) / size;
        // Independence leaves a rounding error, which may fall below zero.
        information[j] = value > 1e-14 ? value : 0;
    }
    return true;
}

}  // namespace

bool information(const std::int32_t* counts, std::size_t columns, std::size_t classes,
                 std::size_t bins, std::int64_t total, double* information, double* entropy) {
    const Lookup lookup(total);
    return measure(counts, columns, classes, bins, total, information, entropy, lookup);
}

bool information(const double* counts, std::size_t columns, std::size_t classes,
                 std::size_t bins, double total, double* information, double* entropy) {
    return measure(counts, columns, classes, bins, total, information, entropy, n_log_n);
}

}  // namespace featrank

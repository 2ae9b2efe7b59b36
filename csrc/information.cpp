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

// Σ value_of(n) over a row of counts; several sums at once, as each waits for its last term.
template <class Count, class Function>
double sum_of(const Count* counts, std::size_t size, const Function& value_of) {
    double part[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4)
        for (std::size_t l = 0; l < 4; ++l) part[l] += value_of(counts[i + l]);
    for (std::size_t l = 0; i < size; ++i, ++l) part[l] += value_of(counts[i]);
    return (part[0] + part[1]) + (part[2] + part[3]);
}

template <class Count, class Total, class Function>
bool measure(const Count* counts, std::size_t columns, std::size_t classes, std::size_t bins,
             Total total, double* information, double* entropy, const Function& value_of) {
    std::vector<Count> in_bin(bins);
    std::vector<Total> in_class(classes);
    for (std::size_t j = 0; j < columns; ++j, counts += classes * bins) {
        std::fill(in_bin.begin(), in_bin.end(), Count(0));
        Count least = 0;
        Total counted = 0;
        for (std::size_t c = 0; c < classes; ++c) {
            const Count* row = counts + c * bins;
            Total sum = 0;
            for (std::size_t b = 0; b < bins; ++b) {
                least = row[b] < least ? row[b] : least;
                in_bin[b] += row[b];
                sum += row[b];
            }
            in_class[c] = sum;
            counted += sum;
        }
        // Then every sum of counts lies between 0 and the total, and can be looked up.
        if (!(least >= 0) || !adds_up(counted, total)) return false;
        const double by_class = sum_of(in_class.data(), classes, value_of);
        const double joint = sum_of(counts, classes * bins, value_of);
        const double by_bin = sum_of(in_bin.data(), bins, value_of);
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

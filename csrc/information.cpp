#include "information.hpp"

#include <cmath>
#include <type_traits>
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

// Adds up the counts of each class. Whether none is negative and all add up to the total: then
// every sum of some of them can be looked up.
template <class Count, class Classes, class Total>
bool is_table(const Count* counts, Classes classes, std::size_t bins, Total total,
              Count* in_class) {
    Count least = 0;
    Total counted = 0;
    for (std::size_t c = 0; c < classes; ++c) {
        Count sum = 0;
        for (std::size_t b = 0; b < bins; ++b) {
            const Count count = counts[c * bins + b];
            least = count < least ? count : least;
            sum += count;
        }
        in_class[c] = sum;
        counted += sum;
    }
    return least >= 0 && adds_up(counted, total);
}

// Two sums at once, as each waits for its last term: of the first class and of the others.
struct Halves {
    double first = 0, rest = 0;

    void add(std::size_t c, double value) { (c == 0 ? first : rest) += value; }
    double sum() const { return first + rest; }
};

// Σ value_of(n) over the cells of one column's table, over its bins and over its classes.
struct Entropies {
    double joint, by_bin, by_class;
};

template <class Count, class Classes, class Function>
Entropies add_up(const Count* counts, Classes classes, std::size_t bins, const Count* in_class,
                 const Function& value_of) {
    Halves joint, by_class;
    double by_bin = 0;
    for (std::size_t b = 0; b < bins; ++b) {
        Count in_bin = 0;
        for (std::size_t c = 0; c < classes; ++c) {
            const Count count = counts[c * bins + b];
            in_bin += count;
            joint.add(c, value_of(count));
        }
        by_bin += value_of(in_bin);
    }
    for (std::size_t c = 0; c < classes; ++c) by_class.add(c, value_of(in_class[c]));
    return {joint.sum(), by_bin, by_class.sum()};
}

// `Classes` is a constant for two of them, which lets the compiler unroll.
constexpr std::integral_constant<std::size_t, 2> TWO{};

template <class Count, class Classes, class Total, class Function>
bool measure(const Count* counts, std::size_t columns, Classes classes, std::size_t bins,
             Total total, double* information, double* entropy, const Function& value_of) {
    const double all = value_of(total), size = double(total);
    std::vector<Count> in_class(classes);
    for (std::size_t j = 0; j < columns; ++j, counts += classes * bins) {
        if (!is_table(counts, classes, bins, total, in_class.data())) return false;
        const Entropies sum = add_up(counts, classes, bins, in_class.data(), value_of);
        entropy[j] = (all - sum.by_bin) / size;
        const double value = (sum.joint - sum.by_class - sum.by_bin + all) / size;
        // Independence leaves a rounding error, which may fall below zero.
        information[j] = value > 1e-14 ? value : 0;
    }
    return true;
}

}  // namespace

bool information(const std::int32_t* counts, std::size_t columns, std::size_t classes,
                 std::size_t bins, std::int64_t total, double* information, double* entropy) {
    const Lookup lookup(total);
    if (classes == 2)
        return measure(counts, columns, TWO, bins, total, information, entropy, lookup);
    return measure(counts, columns, classes, bins, total, information, entropy, lookup);
}

bool information(const double* counts, std::size_t columns, std::size_t classes, std::size_t bins,
                 double total, double* information, double* entropy) {
    return measure(counts, columns, classes, bins, total, information, entropy, n_log_n);
}

}  // namespace featrank

#include "summaries/information.hpp"

#include <cmath>
#include <type_traits>
#include <vector>

#include "common/checks.hpp"
#include "common/signals.hpp"

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

bool within(std::int64_t counted, std::int64_t most) { return counted <= most; }
bool within(double counted, double most) { return counted <= most * (1 + 1e-9); }

// Adds up the counts of each class, and of all. Whether none is negative and all are no more than
// the most: then every sum of some of them can be looked up.
template <class Count, class Classes, class Total>
bool is_table(const Count* counts, Classes classes, std::size_t bins, Total most, Count* in_class,
              Total& counted) {
    Count least = 0;
    counted = 0;
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
    return least >= 0 && within(counted, most);
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

constexpr std::integral_constant<std::size_t, 2> TWO{};

template <class Count, class Classes, class Total, class Function>
void measure(const Count* counts, std::size_t columns, Classes classes, std::size_t bins,
             Total most, double* information, double* entropy, const Function& value_of) {
    std::vector<Count> in_class(classes);
    for (std::size_t j = 0; j < columns; ++j, counts += classes * bins) {
        look_for_signals(classes * bins);
        Total total;
        require(is_table(counts, classes, bins, most, in_class.data(), total),
                "each column's counts must add up to no more than the total");
        const Entropies sum = add_up(counts, classes, bins, in_class.data(), value_of);
        const double all = value_of(total), size = total > 0 ? double(total) : 1;
        entropy[j] = (all - sum.by_bin) / size;
        const double value = (sum.joint - sum.by_class - sum.by_bin + all) / size;
        // Independence leaves a rounding error, which may fall below zero.
        information[j] = value > 1e-14 ? value : 0;
    }
}

// `Classes` is a constant for two classes, which lets the compiler unroll.
template <class Count, class Total, class Function>
void measure_any(const Count* counts, std::size_t columns, std::size_t classes, std::size_t bins,
                 Total most, double* information, double* entropy, const Function& value_of) {
    if (classes == 2)
        measure(counts, columns, TWO, bins, most, information, entropy, value_of);
    else
        measure(counts, columns, classes, bins, most, information, entropy, value_of);
}

// More logarithms than this are looked up only where there are as many counts.
constexpr std::int64_t FEW = 1 << 16;

}  // namespace

void information(const std::int32_t* counts, std::size_t columns, std::size_t classes,
                 std::size_t bins, std::int64_t most, double* information, double* entropy) {
    if (most > FEW && std::size_t(most) > columns * classes * bins)
        measure_any(counts, columns, classes, bins, most, information, entropy, n_log_n);
    else
        measure_any(counts, columns, classes, bins, most, information, entropy, Lookup(most));
}

void information(const double* counts, std::size_t columns, std::size_t classes, std::size_t bins,
                 double most, double* information, double* entropy) {
    measure(counts, columns, classes, bins, most, information, entropy, n_log_n);
}

}  // namespace featrank

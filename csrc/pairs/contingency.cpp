#include "pairs/contingency.hpp"

#include <vector>

#include "common/checks.hpp"
#include "common/dispatch.hpp"
#include "common/signals.hpp"

namespace featrank {
namespace {

// Codes that are checked together, in vectors.
constexpr std::size_t CODES_PER_STEP = 16;

void check_codes(const Codes& all, std::size_t feature) {
    look_for_signals(all.rows / CODES_PER_STEP);
    const std::uint8_t* code = all.codes + feature * all.rows;
    std::uint8_t largest = 0;
    for (std::size_t r = 0; r < all.rows; ++r) largest = code[r] > largest ? code[r] : largest;
    require(largest < all.bins, "codes must be below the number of bins");
}

void check_codes(const Codes& all, const std::int64_t* features, std::size_t count) {
    for (std::size_t j = 0; j < count; ++j) check_codes(all, std::size_t(features[j]));
}

void check_codes(const Codes& all, const Pairs& pairs) {
    check_codes(all, pairs.chosen);
    check_codes(all, pairs.candidates, pairs.count);
}

struct Tables {
    std::vector<std::uint32_t> counts;

    explicit Tables(const Codes& all) : counts(3 * all.bins * all.bins) {}
    Scratch scratch() {
        const std::size_t cells = counts.size() / 3;
        return {counts.data(), counts.data() + cells, counts.data() + 2 * cells};
    }
};

struct Smallest {
    const Codes& all;
    const Minima& minima;
    const Segments& classes;
    Scratch scratch;

    double bound(std::size_t feature) const { return minima.smallest[feature]; }
    double value(std::size_t feature, double floor) const {
        check_codes(all, feature);
        return FEATRANK_DISPATCH(smallest_relevance(all, minima, classes, scratch, feature, floor));
    }
};

// Σ n·log(n) over the cells of some rows, whose counts are taken from the table; it is left empty.
std::int64_t sum_of_cells(const std::uint8_t* code, const std::uint32_t* state, std::size_t begin,
                          std::size_t end, const Codes& all, std::vector<std::uint32_t>& table) {
    for (std::size_t r = begin; r < end; ++r) ++table[state[r] * all.bins + code[r]];
    std::int64_t total = 0;
    for (std::uint32_t& cell : table) {
        total += all.n_log_n[cell];
        cell = 0;
    }
    return total;
}

// The same as the sum of what each row adds to its cell: with far more cells than rows the empty
// ones are never visited.
std::int64_t sum_of_rows(const std::uint8_t* code, const std::uint32_t* state, std::size_t begin,
                         std::size_t end, const Codes& all, std::vector<std::uint32_t>& table) {
    if (table.size() <= end - begin) return sum_of_cells(code, state, begin, end, all, table);
    std::int64_t total = 0;
    for (std::size_t r = begin; r < end; ++r) {
        std::uint32_t& cell = table[state[r] * all.bins + code[r]];
        total += all.n_log_n[cell + 1] - all.n_log_n[cell];
        ++cell;
    }
    for (std::size_t r = begin; r < end; ++r) table[state[r] * all.bins + code[r]] = 0;
    return total;
}

}  // namespace

void pair_sums(const Codes& all, const Pairs& pairs, std::int64_t* pair) {
    check_codes(all, pairs);
    Tables tables(all);
    FEATRANK_DISPATCH(pair_sums(all, pairs, tables.scratch(), pair));
}

void class_sums(const Codes& all, const Pairs& pairs, const Segments& classes, std::int64_t* pair,
                std::int64_t* triple) {
    check_codes(all, pairs);
    Tables tables(all);
    FEATRANK_DISPATCH(class_sums(all, pairs, classes, tables.scratch(), pair, triple));
}

void class_tables(const Codes& all, std::size_t features, const std::uint8_t* first,
                  std::size_t n_first, const Segments& classes, std::int64_t* tables) {
    check_codes({first, all.rows, n_first, nullptr}, 0);
    Tables counts(all);
    const std::size_t size = classes.count * n_first * all.bins;
    for (std::size_t j = 0; j < features; ++j, tables += size) {
        check_codes(all, j);
        FEATRANK_DISPATCH(class_tables(all, j, first, n_first, classes, counts.scratch(), tables));
    }
}

Best best_smallest(const Codes& all, const Minima& minima, const Segments& classes,
                   const Candidates& candidates) {
    check_codes(all, minima.chosen, minima.n_chosen);
    Tables tables(all);
    return best_of(Smallest{all, minima, classes, tables.scratch()}, candidates);
}

void state_sums(const Codes& all, const States& states, const Segments& classes,
                const std::int64_t* candidates, std::size_t count, std::int64_t* pair,
                std::int64_t* triple) {
    check_codes(all, candidates, count);
    std::vector<std::uint32_t> table(states.count * all.bins);
    for (std::size_t j = 0; j < count; ++j) {
        look_for_signals(all.rows);
        const std::uint8_t* code = all.codes + candidates[j] * all.rows;
        pair[j] = sum_of_rows(code, states.states, 0, all.rows, all, table);
        triple[j] = 0;
        for (std::size_t c = 0; c < classes.count; ++c)
            triple[j] += sum_of_rows(code, states.states, classes.offsets[c],
                                     classes.offsets[c + 1], all, table);
    }
}

}  // namespace featrank

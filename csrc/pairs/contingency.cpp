#include "pairs/contingency.hpp"
#include "common/signals.hpp"

#include <vector>

namespace featrank {
namespace {

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

void state_sums(const Codes& all, const States& states, const Segments& classes,
                const std::int64_t* candidates, std::size_t count, std::int64_t* pair,
                std::int64_t* triple) {
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

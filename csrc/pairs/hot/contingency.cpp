// Counting of pairs of codes: compiled once for each instruction set, plain loops only.
#include "pairs/contingency.hpp"
#include "common/signals.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// From this many rows on, even and odd rows have their own table: an increment need not wait
// for the one before it when both hit the same cell.
constexpr std::size_t TWO_TABLES = 512;

// Rows whose cells are found together, in vectors.
constexpr std::size_t STRETCH = 16;

void clear(std::uint32_t* table, std::size_t cells) {
    for (std::size_t c = 0; c < cells; ++c) table[c] = 0;
}

// Counts rows over the cells (first, second): at most bins·bins cells.
void count(const std::uint8_t* first, const std::uint8_t* second, std::size_t rows,
           std::size_t bins, std::size_t cells, const Scratch& scratch) {
    look_for_signals(rows);
    std::uint32_t* even = scratch.table;
    std::uint32_t* odd = rows < TWO_TABLES ? scratch.table : scratch.other;
    clear(even, cells);
    if (odd != even) clear(odd, cells);
    std::size_t r = 0;
    for (; r + STRETCH <= rows; r += STRETCH) {
        std::uint16_t cell[STRETCH];
        for (std::size_t s = 0; s < STRETCH; ++s)
            cell[s] = std::uint16_t(first[r + s] * std::uint16_t(bins) + second[r + s]);
        for (std::size_t s = 0; s < STRETCH; s += 2) {
            ++even[cell[s]];
            ++odd[cell[s + 1]];
        }
    }
    for (; r < rows; ++r) ++even[first[r] * bins + second[r]];
    if (odd == even) return;
    for (std::size_t c = 0; c < cells; ++c) even[c] += odd[c];
}

std::int64_t sum(const std::uint32_t* table, std::size_t cells, const std::int64_t* n_log_n) {
    std::int64_t total = 0;
    for (std::size_t c = 0; c < cells; ++c) total += n_log_n[table[c]];
    return total;
}

struct Sums {
    std::int64_t pair, triple;
};

Sums sums_of(const Codes& all, std::size_t first, std::size_t second, const Segments& classes,
             const Scratch& scratch) {
    const std::size_t cells = all.bins * all.bins;
    const std::uint8_t* a = all.codes + first * all.rows;
    const std::uint8_t* b = all.codes + second * all.rows;
    std::int64_t triple = 0;
    clear(scratch.all, cells);
    for (std::size_t c = 0; c < classes.count; ++c) {
        const std::int64_t begin = classes.offsets[c], end = classes.offsets[c + 1];
        count(a + begin, b + begin, end - begin, all.bins, cells, scratch);
        triple += sum(scratch.table, cells, all.n_log_n);
        for (std::size_t k = 0; k < cells; ++k) scratch.all[k] += scratch.table[k];
    }
    return {sum(scratch.all, cells, all.n_log_n), triple};
}

}  // namespace

void pair_sums(const Codes& all, const Pairs& pairs, const Scratch& scratch, std::int64_t* pair) {
    const std::uint8_t* chosen = all.codes + pairs.chosen * all.rows;
    const std::size_t cells = all.bins * all.bins;
    for (std::size_t j = 0; j < pairs.count; ++j) {
        count(chosen, all.codes + pairs.candidates[j] * all.rows, all.rows, all.bins, cells,
              scratch);
        pair[j] = sum(scratch.table, cells, all.n_log_n);
    }
}

void class_sums(const Codes& all, const Pairs& pairs, const Segments& classes,
                const Scratch& scratch, std::int64_t* pair, std::int64_t* triple) {
    for (std::size_t j = 0; j < pairs.count; ++j) {
        const Sums sums = sums_of(all, pairs.chosen, pairs.candidates[j], classes, scratch);
        pair[j] = sums.pair;
        triple[j] = sums.triple;
    }
}

double smallest_relevance(const Codes& all, const Minima& minima, const Segments& classes,
                          const Scratch& scratch, std::size_t feature, double floor) {
    std::int64_t& known = minima.n_known[feature];
    double& smallest = minima.smallest[feature];
    for (; std::size_t(known) < minima.n_chosen && smallest >= floor; ++known) {
        const std::int64_t s = minima.chosen[known];
        const Sums sums = sums_of(all, s, feature, classes, scratch);
        const std::int64_t units = sums.triple - sums.pair - minima.given[s];
        // What rounding alone can make is nothing.
        const double value = units > std::int64_t(all.rows) ? double(units) * minima.factor : 0;
        smallest = value < smallest ? value : smallest;
    }
    return smallest;
}

void class_tables(const Codes& all, std::size_t feature, const std::uint8_t* first,
                  std::size_t n_first, const Segments& classes, const Scratch& scratch,
                  std::int64_t* tables) {
    const std::size_t cells = n_first * all.bins;
    const std::uint8_t* own = all.codes + feature * all.rows;
    for (std::size_t c = 0; c < classes.count; ++c, tables += cells) {
        const std::int64_t begin = classes.offsets[c], end = classes.offsets[c + 1];
        count(first + begin, own + begin, end - begin, all.bins, cells, scratch);
        for (std::size_t k = 0; k < cells; ++k) tables[k] = scratch.table[k];
    }
}

}  // namespace FEATRANK_ISA
}  // namespace featrank

// Counting and adding over stored entries: compiled once for each instruction set, plain loops
// only.
#include "pairs/sparse_pairs.hpp"
#include "common/signals.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// Visiting this many cells costs as much as visiting an entry once more.
constexpr std::size_t CELLS_AN_ENTRY = 4;

struct Entries {
    const std::uint32_t* row;
    const std::uint8_t* code;
    std::size_t count;
    std::size_t zero;
};

Entries entries_of(const SparseCodes& all, std::size_t feature) {
    const std::int64_t begin = all.begin[feature];
    return {all.row + begin, all.code + begin, std::size_t(all.begin[feature + 1] - begin),
            all.zero[feature]};
}

// Rows of a state that no entry takes; never more than there are, whatever was passed in.
std::uint32_t remaining(std::uint32_t size, std::uint32_t taken) {
    return size > taken ? size - taken : 0;
}

// Even and odd entries have their own table: most have the same state and few bins, and an
// increment need not wait for the one before it.
template <class S>
void count(const Entries& own, const S* state, std::size_t bins, const SparseScratch& scratch) {
    std::size_t e = 0;
    for (; e + 2 <= own.count; e += 2) {
        ++scratch.table[state[own.row[e]] * bins + own.code[e]];
        ++scratch.other[state[own.row[e + 1]] * bins + own.code[e + 1]];
    }
    if (e < own.count) ++scratch.table[state[own.row[e]] * bins + own.code[e]];
}

// Adds up the two tables of one state; its bins are complete once the rows of 0 are among them.
std::uint32_t* complete(std::size_t s, std::uint32_t size, std::size_t zero, std::size_t bins,
                        const SparseScratch& scratch) {
    std::uint32_t *cell = scratch.table + s * bins, *other = scratch.other + s * bins;
    std::uint32_t taken = 0;
    for (std::size_t b = 0; b < bins; ++b) {
        cell[b] += other[b];
        other[b] = 0;
        taken += cell[b];
    }
    cell[zero] += remaining(size, taken);
    return cell;
}

// Σ n·log(n) over some cells, which are left empty.
std::int64_t sum_and_clear(std::uint32_t* cell, std::size_t cells, const SparseCodes& all) {
    std::int64_t total = 0;
    for (std::size_t c = 0; c < cells; ++c) {
        total += all.n_log_n[cell[c] < all.rows ? cell[c] : all.rows];
        cell[c] = 0;
    }
    return total;
}

// With many entries, all cells are visited.
template <class S>
PairSums sums_of_cells(const Entries& own, const SparseCodes& all, const Chosen<S>& chosen,
                       const SparseScratch& scratch) {
    count(own, chosen.state, all.bins, scratch);
    const bool with_class = scratch.states > scratch.width;
    std::int64_t triple = 0;
    for (std::size_t s = 0; s < scratch.states; ++s) {
        std::uint32_t* cell = complete(s, chosen.size[s], own.zero, all.bins, scratch);
        std::uint32_t* sum = scratch.all + scratch.code_of[s] * all.bins;
        for (std::size_t b = 0; with_class && b < all.bins; ++b) sum[b] += cell[b];
        triple += sum_and_clear(cell, all.bins, all);
    }
    return {with_class ? sum_and_clear(scratch.all, scratch.width * all.bins, all) : triple,
            triple};
}

// Tables over keys, which are states or codes: `size` rows have each key.
struct Level {
    std::uint32_t *table, *taken;
    const std::uint32_t* size;

    void add(std::size_t key, std::size_t cell) const {
        ++table[cell];
        ++taken[key];
    }
    // n·log(n) of a cell, less what the rows of 0 with this key lose: once, at the first entry.
    std::int64_t take_once(std::size_t key, std::size_t cell, const SparseCodes& all) const {
        const std::int64_t rest = all.n_log_n[remaining(size[key], taken[key])];
        taken[key] = 0;
        return sum_and_clear(table + cell, 1, all) + rest - all.n_log_n[size[key]];
    }
};

// With few entries, only the cells that they fall into are visited.
template <bool with_class, class S>
PairSums sums_of_entries(const Entries& own, const SparseCodes& all, const Chosen<S>& chosen,
                         const SparseScratch& scratch) {
    const Level by_state{scratch.table, scratch.taken, chosen.size};
    const Level by_code{scratch.all, scratch.taken_all, chosen.whole};
    for (std::size_t e = 0; e < own.count; ++e) {
        const std::size_t state = chosen.state[own.row[e]], code = scratch.code_of[state];
        by_state.add(state, state * all.bins + own.code[e]);
        if (with_class) by_code.add(code, code * all.bins + own.code[e]);
    }
    PairSums sums{chosen.pair, chosen.triple};
    for (std::size_t e = 0; e < own.count; ++e) {
        const std::size_t state = chosen.state[own.row[e]], code = scratch.code_of[state];
        sums.triple += by_state.take_once(state, state * all.bins + own.code[e], all);
        if (with_class) sums.pair += by_code.take_once(code, code * all.bins + own.code[e], all);
    }
    return {with_class ? sums.pair : sums.triple, sums.triple};
}

}  // namespace

template <class S>
PairSums sparse_sums(const SparseCodes& all, const Chosen<S>& chosen, const SparseScratch& scratch,
                     std::size_t feature) {
    const Entries own = entries_of(all, feature);
    look_for_signals(own.count);
    if (own.count * CELLS_AN_ENTRY >= scratch.states * all.bins)
        return sums_of_cells(own, all, chosen, scratch);
    return scratch.states > scratch.width ? sums_of_entries<true>(own, all, chosen, scratch)
                                          : sums_of_entries<false>(own, all, chosen, scratch);
}

// Σ (x - mean)·chosen over all rows. Lanes are fixed, so that equal features give equal bits.
template <class T>
double sparse_product(const T* values, const std::uint32_t* row, std::size_t count, double mean,
                      const T* chosen, double chosen_sum) {
    look_for_signals(count);
    constexpr std::size_t WIDTH = 4;
    double product[WIDTH] = {}, met[WIDTH] = {};
    std::size_t e = 0;
    for (; e + WIDTH <= count; e += WIDTH)
        for (std::size_t l = 0; l < WIDTH; ++l) {
            const double z = chosen[row[e + l]];
            product[l] += (double(values[e + l]) - mean) * z;
            met[l] += z;
        }
    for (std::size_t l = 0; e < count; ++e, ++l) {
        const double z = chosen[row[e]];
        product[l] += (double(values[e]) - mean) * z;
        met[l] += z;
    }
    const double zeros = chosen_sum - ((met[0] + met[1]) + (met[2] + met[3]));
    return ((product[0] + product[1]) + (product[2] + product[3])) - mean * zeros;
}

#define FEATRANK_INSTANTIATE(S)                                                                  \
    template PairSums sparse_sums<S>(const SparseCodes&, const Chosen<S>&, const SparseScratch&, \
                                     std::size_t);
FEATRANK_INSTANTIATE(std::uint8_t)
FEATRANK_INSTANTIATE(std::uint16_t)
FEATRANK_INSTANTIATE(std::uint32_t)

template double sparse_product<float>(const float*, const std::uint32_t*, std::size_t, double,
                                      const float*, double);
template double sparse_product<double>(const double*, const std::uint32_t*, std::size_t, double,
                                       const double*, double);

}  // namespace FEATRANK_ISA
}  // namespace featrank

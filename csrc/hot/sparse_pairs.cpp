// Counting and adding over stored entries: compiled once for each instruction set, plain loops
// only.
#include "sparse_pairs.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

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
std::uint32_t left(std::uint32_t size, std::uint32_t taken) {
    return size > taken ? size - taken : 0;
}

// Even and odd entries have their own table: most have the same state and few bins, and an
// increment need not wait for the one before it.
template <class S>
void count(const Entries& own, const S* state, std::size_t bins, const SparseRoom& room) {
    std::size_t e = 0;
    for (; e + 2 <= own.count; e += 2) {
        ++room.table[state[own.row[e]] * bins + own.code[e]];
        ++room.other[state[own.row[e + 1]] * bins + own.code[e + 1]];
    }
    if (e < own.count) ++room.table[state[own.row[e]] * bins + own.code[e]];
}

// Σ n·log(n) over one state's bins, which are complete once the rows of 0 are among them. Leaves
// the cells empty, and adds the counts to those of the state's code.
std::int64_t sum_state(std::size_t s, std::uint32_t size, std::size_t zero, const SparseCodes& all,
                       const SparseRoom& room) {
    std::uint32_t *cell = room.table + s * all.bins, *other = room.other + s * all.bins;
    std::uint32_t* sum = room.all + room.code_of[s] * all.bins;
    std::uint32_t taken = 0;
    for (std::size_t b = 0; b < all.bins; ++b) {
        cell[b] += other[b];
        taken += cell[b];
    }
    cell[zero] += left(size, taken);
    std::int64_t total = 0;
    for (std::size_t b = 0; b < all.bins; ++b) {
        total += all.n_log_n[cell[b]];
        sum[b] += cell[b];
        cell[b] = other[b] = 0;
    }
    return total;
}

// With many entries, all cells are looked at.
template <class S>
PairSums sums_of_cells(const Entries& own, const SparseCodes& all, const Chosen<S>& chosen,
                       const SparseRoom& room) {
    count(own, chosen.state, all.bins, room);
    PairSums sums{0, 0};
    for (std::size_t s = 0; s < room.states; ++s)
        sums.triple += sum_state(s, chosen.size[s], own.zero, all, room);
    for (std::size_t c = 0; c < room.width * all.bins; ++c) {
        sums.pair += all.n_log_n[room.all[c] < all.rows ? room.all[c] : all.rows];
        room.all[c] = 0;
    }
    return sums;
}

// What the rows of 0 lose by those taken, once for each state or code, which is left empty.
std::int64_t loss(std::uint32_t size, std::uint32_t& taken, const std::int64_t* n_log_n) {
    const std::int64_t lost = n_log_n[size] - n_log_n[left(size, taken)];
    taken = 0;
    return lost;
}

std::int64_t take(std::uint32_t& cell, const std::int64_t* n_log_n) {
    const std::int64_t value = n_log_n[cell];
    cell = 0;
    return value;
}

// With few entries, only the cells that they fall into, each at its first entry.
template <class S>
PairSums sums_of_entries(const Entries& own, const SparseCodes& all, const Chosen<S>& chosen,
                         const SparseRoom& room) {
    for (std::size_t e = 0; e < own.count; ++e) {
        const std::size_t s = chosen.state[own.row[e]], k = room.code_of[s];
        ++room.table[s * all.bins + own.code[e]];
        ++room.all[k * all.bins + own.code[e]];
        ++room.taken[s];
        ++room.taken_all[k];
    }
    PairSums sums{chosen.pair, chosen.triple};
    for (std::size_t e = 0; e < own.count; ++e) {
        const std::size_t s = chosen.state[own.row[e]], k = room.code_of[s];
        sums.triple += take(room.table[s * all.bins + own.code[e]], all.n_log_n) -
                       loss(chosen.size[s], room.taken[s], all.n_log_n);
        sums.pair += take(room.all[k * all.bins + own.code[e]], all.n_log_n) -
                     loss(chosen.whole[k], room.taken_all[k], all.n_log_n);
    }
    return sums;
}

}  // namespace

template <class S>
PairSums sparse_sums(const SparseCodes& all, const Chosen<S>& chosen, const SparseRoom& room,
                     std::size_t feature) {
    const Entries own = entries_of(all, feature);
    return own.count < room.states * all.bins ? sums_of_entries(own, all, chosen, room)
                                              : sums_of_cells(own, all, chosen, room);
}

// Σ (x - mean)·chosen over all rows. Lanes are fixed, so that equal features give equal bits.
template <class T>
double sparse_product(const T* values, const std::uint32_t* row, std::size_t count, double mean,
                      const T* chosen, double chosen_sum) {
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

#define FEATRANK_INSTANTIATE(S)                                                               \
    template PairSums sparse_sums<S>(const SparseCodes&, const Chosen<S>&, const SparseRoom&, \
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

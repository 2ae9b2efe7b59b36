// Argsort of doubles: a radix sort on each value's place in the range, in 30 bits, then each run
// that these leave undecided by comparison. Several times faster than comparing throughout.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "common/signals.hpp"
#include "graph/graph.hpp"

namespace featrank {
namespace {

// A value's place in the range, and below it, in 32 bits, its position.
typedef unsigned long long Item;

std::uint32_t key(Item item) { return std::uint32_t(item >> 32); }
std::uint32_t position(Item item) { return std::uint32_t(item); }

constexpr int DIGIT_BITS = 10, DIGITS = 3;
constexpr std::size_t BUCKETS = std::size_t(1) << DIGIT_BITS;
constexpr double LAST = (1 << DIGITS * DIGIT_BITS) - 1;

struct Range {
    double low, high;

    // Several at a time, as each comparison waits for the one before it.
    Range(const double* values, std::size_t size) {
        constexpr std::size_t L = 8;
        double lows[L], highs[L];
        for (std::size_t l = 0; l < L; ++l) lows[l] = highs[l] = values[0];
        const auto add = [&](double value, std::size_t l) {
            lows[l] = value < lows[l] ? value : lows[l];
            highs[l] = value > highs[l] ? value : highs[l];
        };
        std::size_t i = 0;
        for (; i + L <= size; i += L)
            for (std::size_t l = 0; l < L; ++l) add(values[i + l], l);
        for (; i < size; ++i) add(values[i], 0);
        low = *std::min_element(lows, lows + L);
        high = *std::max_element(highs, highs + L);
    }
};

// Places values on a scale between their extremes; ascends with the values.
struct Scale {
    double low, factor = 0;

    explicit Scale(const Range& range) : low(range.low) {
        const double factor_of_range = LAST / (range.high - range.low);
        // Infinite ends, or all but equal ones, leave all to the comparison.
        if (std::isfinite(range.high - range.low) && std::isfinite(factor_of_range))
            factor = factor_of_range;
    }
    Item operator()(double value) const {
        const double place = factor > 0 ? (value - low) * factor : 0;
        return Item(place < LAST ? place : LAST) << 32;
    }
};

std::size_t digit(Item item, int d) { return key(item) >> (d * DIGIT_BITS) & (BUCKETS - 1); }

// Sorts from one array to the other and back, digit by digit; the result is in `other`.
void radix_sort(Item* items, Item* other, std::size_t size) {
    std::vector<std::size_t> starts(DIGITS * BUCKETS, 0);
    for (std::size_t i = 0; i < size; ++i)
        for (int d = 0; d < DIGITS; ++d) ++starts[d * BUCKETS + digit(items[i], d)];
    for (int d = 0; d < DIGITS; ++d) {
        look_for_signals(size);
        std::size_t* start = &starts[d * BUCKETS];
        for (std::size_t b = 0, sum = 0; b < BUCKETS; ++b) {
            const std::size_t count = start[b];
            start[b] = sum;
            sum += count;
        }
        for (std::size_t i = 0; i < size; ++i) other[start[digit(items[i], d)]++] = items[i];
        std::swap(items, other);
    }
}

// Orders a run whose keys are equal, by value; most runs are a few items long.
void finish(const double* values, Item* begin, Item* end) {
    const auto less = [values](Item a, Item b) {
        return values[position(a)] < values[position(b)];
    };
    if (end - begin > 32) {
        std::stable_sort(begin, end, less);
        return;
    }
    for (Item* i = begin + 1; i < end; ++i) {
        const Item item = *i;
        Item* j = i;
        for (; j > begin && less(item, *(j - 1)); --j) *j = *(j - 1);
        *j = item;
    }
}

}  // namespace

void argsort(const double* values, std::size_t size, long long* scratch, long long* order) {
    if (size == 0) return;
    Item *items = reinterpret_cast<Item*>(scratch), *first = reinterpret_cast<Item*>(order);
    const Scale scale(Range(values, size));
    for (std::size_t i = 0; i < size; ++i) first[i] = scale(values[i]) | i;
    radix_sort(first, items, size);
    for (std::size_t begin = 0, end; begin < size; begin = end) {
        for (end = begin + 1; end < size && key(items[end]) == key(items[begin]);) ++end;
        look_for_signals(end - begin);
        if (end - begin > 1) finish(values, items + begin, items + end);
    }
    for (std::size_t i = 0; i < size; ++i) order[i] = position(items[i]);
}

}  // namespace featrank

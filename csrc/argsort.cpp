// Argsort of doubles: a radix sort on each value's place in the range, in 32 bits, then each run
// that these leave undecided by comparison. Several times faster than comparing throughout.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph.hpp"

namespace featrank {
namespace {

struct Item {
    std::uint32_t key, position;
};

constexpr int DIGIT_BITS = 11, DIGITS = 3;
constexpr std::size_t BUCKETS = std::size_t(1) << DIGIT_BITS;

// Places values on a scale of 2^32 steps between their extremes; ascends with the values.
struct Scale {
    double low = 0, factor = 0;

    Scale(const double* values, std::size_t size) {
        if (size == 0) return;
        low = values[0];
        double high = low;
        for (std::size_t i = 1; i < size; ++i) {
            low = values[i] < low ? values[i] : low;
            high = values[i] > high ? values[i] : high;
        }
        // Infinite ends leave all to the comparison.
        if (high > low && std::isfinite(high - low)) factor = 4294967295.0 / (high - low);
    }
    std::uint32_t operator()(double value) const {
        const double place = factor > 0 && std::isfinite(factor) ? (value - low) * factor : 0;
        return place < 4294967295.0 ? std::uint32_t(place) : 4294967295u;
    }
};

std::size_t digit(std::uint32_t key, int d) { return key >> (d * DIGIT_BITS) & (BUCKETS - 1); }

using Items = std::unique_ptr<Item[]>;  // unlike a vector's, not cleared first

Items radix_sort(Items items, std::size_t size) {
    std::vector<std::size_t> starts(DIGITS * BUCKETS, 0);
    for (std::size_t i = 0; i < size; ++i)
        for (int d = 0; d < DIGITS; ++d) ++starts[d * BUCKETS + digit(items[i].key, d)];
    Items other(new Item[size]);
    for (int d = 0; d < DIGITS; ++d) {
        std::size_t* start = &starts[d * BUCKETS];
        for (std::size_t b = 0, sum = 0; b < BUCKETS; ++b) {
            const std::size_t count = start[b];
            start[b] = sum;
            sum += count;
        }
        for (std::size_t i = 0; i < size; ++i) other[start[digit(items[i].key, d)]++] = items[i];
        items.swap(other);
    }
    return items;
}

// Orders a run whose keys are equal, by value; most runs are a few items long.
void finish(const double* values, Item* begin, Item* end) {
    const auto less = [values](const Item& a, const Item& b) {
        return values[a.position] < values[b.position];
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

void argsort(const double* values, std::size_t size, long long* order) {
    Items items(new Item[size]);
    const Scale scale(values, size);
    for (std::size_t i = 0; i < size; ++i) items[i] = {scale(values[i]), std::uint32_t(i)};
    items = radix_sort(std::move(items), size);
    for (std::size_t begin = 0, end; begin < size; begin = end) {
        for (end = begin + 1; end < size && items[end].key == items[begin].key;) ++end;
        if (end - begin > 1) finish(values, &items[begin], &items[begin] + (end - begin));
    }
    for (std::size_t i = 0; i < size; ++i) order[i] = items[i].position;
}

}  // namespace featrank

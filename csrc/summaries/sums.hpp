// Sums of doubles that do not depend on the order of their terms.
//
// Adding an anchor, a power of two that is not below any term, rounds a term to a multiple of the
// anchor's last place; the bits of the result, less those of the anchor, are that multiple as an
// integer. Integers add up to the same in any order. The anchor depends on the range of the terms
// alone, so rows may be cut and merged at will. A term errs by at most half a unit, 2^-53 of the
// largest one (2^-52 where terms have signs): no more than adding up in doubles may lose.
#pragma once
#include <cstddef>
#include <cstdint>

namespace featrank {

__extension__ typedef __int128 Total;

static inline std::int64_t bits_of(double value) {
    std::int64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double double_of(std::int64_t bits) {
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

// What one unit of a sum is worth: the last place of its anchor.
static inline double unit_of(double anchor) { return double_of(bits_of(anchor) + 1) - anchor; }

// A term as a number of units.
static inline std::int64_t units(double term, double anchor) {
    return bits_of(term + anchor) - bits_of(anchor);
}

// The least power of two that is not below a number, which is 0 or more; 0 for 0.
static inline double power_above(double value) {
    constexpr std::int64_t FRACTION = 0x000fffffffffffff;
    return double_of((bits_of(value) + FRACTION) & ~FRACTION);
}

// Rounded correctly, so that an integer is the same double whichever way it came about.
static inline double rounded(std::int64_t total) { return double(total); }

static inline double rounded(Total total) {
    if (total == Total(std::int64_t(total))) return double(std::int64_t(total));
    __extension__ typedef unsigned __int128 Magnitude;
    Magnitude rest = total < 0 ? -Magnitude(total) : Magnitude(total);
    double scale = total < 0 ? -1 : 1;
    bool lost = false;
    while (rest >> 62) {  // few enough bits to convert; what is cut off still breaks ties
        lost = lost || (rest & 1);
        rest >>= 1;
        scale *= 2;
    }
    return scale * double(std::int64_t(rest) | std::int64_t(lost));
}

// Where the values of one class and column are measured from, and the anchors of their deviations
// and squared deviations.
struct Anchors {
    double centre, first, second;
};

// Without branches, as columns are worked on side by side.
static inline Anchors anchors_of(double low, double high) {
    const bool any = low <= high;  // else all values are missing
    const double centre = low + (high - low) / 2;
    const double above = high - centre, below = centre - low;
    const double power = power_above(any ? (above > below ? above : below) : 0.0);
    return {any ? centre : 0.0, 3 * power, power * power};
}

// The anchor of signed terms, whose absolute values are at most the reach.
static inline double product_anchor(double reach) { return 3 * power_above(reach); }

// A total as two words, the lower one first.
static inline void store_total(Total total, std::uint64_t* words) {
    words[0] = std::uint64_t(total);
    words[1] = std::uint64_t(total >> 64);
}

static inline Total total_of(const std::uint64_t* words) {
    return Total(std::int64_t(words[1])) * (Total(1) << 64) + words[0];
}

static inline double absolute_anchor(double low, double high) {
    const double above = high < 0 ? -high : high, below = low < 0 ? -low : low;
    return power_above(low <= high ? (above > below ? above : below) : 0.0);
}

struct MeanAndM2 {
    double mean, m2;
};

// The mean, and the sum of squared deviations from it, of `count` values, from sums in units.
static inline MeanAndM2 finish(const Anchors& anchors, double first, double second, double low,
                               double high, double count, double weight_unit) {
    const double sum = first * unit_of(anchors.first) * weight_unit;
    const double squares = second * unit_of(anchors.second) * weight_unit;
    const double off = sum / count;
    const double middle = anchors.centre + off, spread = squares - off * sum;
    const double inside = middle < low ? low : middle > high ? high : middle;
    // A constant must have its own value as the mean, so that its spread is exactly nothing. Values
    // whose weights were all rounded to nothing have neither.
    const bool differ = (low < high) & (count > 0);
    const double mean = differ ? inside : count > 0 ? low : 0.0;
    const double m2 = differ && !(spread < 0) ? spread : 0.0;
    const double range = high - low, infinite = differ ? range - range : 0.0;  // not a number
    return {mean + infinite, m2 + infinite};
}

static inline double finish_absolute(double sum, double anchor, double weight_unit) {
    return sum * unit_of(anchor) * weight_unit;
}

}  // namespace featrank

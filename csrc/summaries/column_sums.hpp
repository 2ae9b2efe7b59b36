// What the kernels that take equal values together share: each value comes with how often it
// occurs, and what is found has the bits of the kernels that read values one by one.
#pragma once
#include "summaries/summaries.hpp"
#include "summaries/sums.hpp"

#include <cmath>
#include <vector>

namespace featrank {

// One class of a column: its extremes, and the number or weight of its values.
struct Extremes {
    double low = INFINITY, high = -INFINITY, present = 0;

    void accumulate(double value, double weight) {
        low = value < low ? value : low;
        high = value > high ? value : high;
        present += weight;
    }
    void store(const Ranges& out, std::size_t at) const {
        out.minimum[at] = low + 0.0;  // -0 is 0
        out.maximum[at] = high + 0.0;
        out.present[at] = present;
    }
};

inline bool is_whole(double value) { return value - ((value + ROUNDER) - ROUNDER) == 0; }

// The bin of a value: the number of inner edges that are not above it.
inline std::int32_t bin_of(double value, double low, double step, std::int32_t count) {
    if (count == 1) return 0;
    const double guess = (value - low) / step;
    std::int32_t k = guess >= count ? count - 1 : guess > 0 ? std::int32_t(guess) : 0;
    while (k > 0 && !(value >= low + k * step)) --k;
    while (k + 1 < count && value >= low + (k + 1) * step) ++k;
    return k;
}

// The same among given edges.
inline std::size_t place(const std::vector<double>& edges, double value) {
    std::size_t k = 0;
    while (k < edges.size() && edges[k] <= value) ++k;
    return k;
}

// Sums of one column, in the units that its ranges define.
class ColumnSums {
    struct OfClass {
        Anchors anchors;
        Total first, second;
    };
    std::vector<OfClass> classes;
    double anchor = 0;
    Total absolute = 0;

    static void write(Total total, std::uint64_t* words) {
        words[0] = std::uint64_t(total);
        words[1] = std::uint64_t(total >> 64);
    }

public:
    explicit ColumnSums(std::size_t number) : classes(number) {}

    // Begins with column j.
    void start(const Ranges& ranges, std::size_t columns, std::size_t j) {
        double low = INFINITY, high = -INFINITY;
        for (std::size_t c = 0; c < classes.size(); ++c) {
            const double least = ranges.minimum[c * columns + j];
            const double most = ranges.maximum[c * columns + j];
            classes[c] = {anchors_of(least, most), 0, 0};
            low = least < low ? least : low;
            high = most > high ? most : high;
        }
        anchor = absolute_anchor(low, high);
        absolute = 0;
    }
    // Adds a value of a class that occurs `times` times.
    void accumulate(std::size_t c, double value, std::int64_t times) {
        if (std::isnan(value)) return;
        OfClass& own = classes[c];
        const double off = value - own.anchors.centre;
        own.first += Total(units(off, own.anchors.first)) * times;
        own.second += Total(units(off * off, own.anchors.second)) * times;
        absolute += Total(units(std::fabs(value), anchor)) * times;
    }
    void store(const UnitSums& out, std::size_t columns, std::size_t j) const {
        for (std::size_t c = 0; c < classes.size(); ++c) {
            write(classes[c].first, out.first + 2 * (c * columns + j));
            write(classes[c].second, out.second + 2 * (c * columns + j));
        }
        write(absolute, out.absolute + 2 * j);
    }
};

}  // namespace featrank

#include "solvers/forest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "common/signals.hpp"

namespace featrank {
namespace {

// A node whose deviations are below this part of the root's is pure.
constexpr double PURE = 1e-12;
// Splits whose gains differ by less than this part are equally good: the first is taken, so that it
// is left to chance and not to rounding.
constexpr double EQUAL = 1e-10;
// Orders negative numbers before others where they are taken for numbers without a sign.
constexpr std::uint32_t SIGN = 0x80000000;
// Up to FEW samples are sorted by insertion if their values span more than MARKED times their
// number.
constexpr std::size_t FEW = 24;
constexpr std::int64_t MARKED = 256;
constexpr std::size_t BITS = 64;

// Sebastiano Vigna's SplitMix64: any seed will do, and that is all of its state.
class Random {
public:
    explicit Random(std::uint64_t seed) : state(seed) {}

    std::size_t below(std::size_t bound) {
        state += 0x9e3779b97f4a7c15;
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        z ^= z >> 31;
        return std::size_t(((z >> 32) * bound) >> 32);
    }

private:
    std::uint64_t state;
};

struct Node {
    std::size_t begin, end, level;
};

struct Split {
    std::size_t feature = 0;
    std::int32_t last = 0;  // value of the left side
    double gain = -1;
};

void sort_few(std::uint64_t* keys, std::size_t count) {
    for (std::size_t i = 1; i < count; ++i) {
        const std::uint64_t key = keys[i];
        std::size_t j = i;
        for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

// Grows trees one after the other in the same memory. OUTPUTS is the number of outputs, or 0 if
// it is only known at run time.
template <std::size_t OUTPUTS>
class Grower {
public:
    Grower(const ForestData& data, const ForestShape& shape)
        : data(data),
          shape(shape),
          weight(data.samples),
          weighted(data.samples * outputs()),
          order(data.features),
          keys(data.samples),
          sums(data.samples * (outputs() + 1)),
          whole(outputs() + 1),
          left(outputs() + 1) {}

    // Returns whether the tree has splits.
    bool grow(std::uint64_t seed, double* importance) {
        Random random(seed);
        gains.clear();
        draw(random);
        std::iota(order.begin(), order.end(), std::int32_t(0));
        nodes.assign(1, {0, drawn.size(), 0});
        while (!nodes.empty()) {
            const Node node = nodes.back();
            nodes.pop_back();
            divide(node, random);
        }
        double total = 0;
        for (const Split& split : gains) total += split.gain;
        if (!(total > 0)) return false;
        for (const Split& split : gains) importance[split.feature] += split.gain / total;
        return true;
    }

private:
    const ForestData& data;
    const ForestShape& shape;
    std::vector<double> weight, weighted;         // times a sample was drawn, and times its target
    std::vector<std::int32_t> drawn, order, put;  // samples of the nodes; features; right sides
    std::vector<std::uint64_t> keys, marks;
    std::vector<double> sums, whole, left;  // of weights first, of targets then
    std::vector<Node> nodes;
    std::vector<Split> gains;
    double root = 0;

    std::size_t outputs() const { return OUTPUTS ? OUTPUTS : data.outputs; }

    void draw(Random& random) {
        std::fill(weight.begin(), weight.end(), 0.0);
        for (std::size_t t = 0; t < data.samples; ++t) weight[random.below(data.samples)] += 1;
        drawn.clear();
        for (std::size_t t = 0; t < data.samples; ++t) {
            if (weight[t] > 0) drawn.push_back(std::int32_t(t));
            for (std::size_t c = 0; c < outputs(); ++c)
                weighted[t * outputs() + c] = weight[t] * data.target[t * outputs() + c];
        }
    }

    // Sums of the node, and its squared deviations.
    double deviations(const Node& node) {
        std::fill(whole.begin(), whole.end(), 0.0);
        double squares = 0;
        for (std::size_t i = node.begin; i < node.end; ++i) {
            const std::size_t t = std::size_t(drawn[i]);
            add(t, whole.data());
            for (std::size_t c = 0; c < outputs(); ++c)
                squares += weighted[t * outputs() + c] * data.target[t * outputs() + c];
        }
        return squares - squared(whole.data()) / whole[0];
    }

    void add(std::size_t t, double* total) const {
        total[0] += weight[t];
        for (std::size_t c = 0; c < outputs(); ++c) total[c + 1] += weighted[t * outputs() + c];
    }

    double squared(const double* total) const {
        double result = 0;
        for (std::size_t c = 1; c <= outputs(); ++c) result += total[c] * total[c];
        return result;
    }

    // Splits the node where that reduces its deviations most, and puts both sides on the stack.
    void divide(const Node& node, Random& random) {
        const std::size_t count = node.end - node.begin;
        if (count < 2 || (shape.depth > 0 && node.level >= shape.depth)) return;
        const double here = deviations(node);
        if (node.level == 0) root = here;
        if (!(here > PURE * root)) return;
        Split best;
        for (std::size_t seen = 0, varied = 0; seen < data.features; ++seen) {
            if (seen >= shape.tried && varied > 0) break;
            std::swap(order[seen], order[seen + random.below(data.features - seen)]);
            varied += try_feature(node, std::size_t(order[seen]), best);
            look_for_signals(count);
        }
        if (best.gain < 0) return;
        const std::size_t middle = part(node, best);
        best.gain -= squared(whole.data()) / whole[0];
        if (best.gain > 0) gains.push_back(best);
        nodes.push_back({middle, node.end, node.level + 1});
        nodes.push_back({node.begin, middle, node.level + 1});
    }

    // Looks at all splits by a feature; returns whether there are any.
    bool try_feature(const Node& node, std::size_t feature, Split& best) {
        const std::int32_t* values = data.values + feature * data.samples;
        std::int32_t low = values[drawn[node.begin]], high = low;
        for (std::size_t i = node.begin + 1; i < node.end; ++i) {
            const std::int32_t value = values[drawn[i]];
            low = std::min(low, value);
            high = std::max(high, value);
        }
        if (low == high) return false;
        std::fill(left.begin(), left.end(), 0.0);
        const std::size_t count = node.end - node.begin;
        if (std::int64_t(high) - low < MARKED * std::int64_t(count))
            by_marking(node, feature, low, high, best);
        else
            by_sorting(node, feature, best);
        return true;
    }

    // Sums of each value, and a mark for it; the marks are then met in the order of the values.
    void by_marking(const Node& node, std::size_t feature, std::int32_t low, std::int32_t high,
                    Split& best) {
        const std::size_t width = outputs() + 1, range = std::size_t(std::int64_t(high) - low);
        const std::int32_t* values = data.values + feature * data.samples;
        if (sums.size() < (range + 1) * width) sums.resize((range + 1) * width);
        if (marks.size() < range / BITS + 1) marks.resize(range / BITS + 1, 0);
        for (std::size_t i = node.begin; i < node.end; ++i) {
            const std::size_t t = std::size_t(drawn[i]),
                              place = std::size_t(std::int64_t(values[t]) - low);
            const std::uint64_t mark = std::uint64_t(1) << place % BITS;
            double* own = &sums[place * width];
            if (!(marks[place / BITS] & mark)) std::fill(own, own + width, 0.0);
            marks[place / BITS] |= mark;
            add(t, own);
        }
        marks[range / BITS] &= ~(std::uint64_t(1) << range % BITS);  // nothing is above the largest
        for (std::size_t word = 0; word <= range / BITS; ++word)
            for (std::uint64_t& left_here = marks[word]; left_here; left_here &= left_here - 1) {
                const std::size_t place = word * BITS + std::size_t(__builtin_ctzll(left_here));
                move(&sums[place * width], feature, low + std::int32_t(place), best);
            }
    }

    void by_sorting(const Node& node, std::size_t feature, Split& best) {
        const std::size_t count = node.end - node.begin;
        const std::int32_t* values = data.values + feature * data.samples;
        for (std::size_t i = 0; i < count; ++i) {
            const std::int32_t t = drawn[node.begin + i];
            keys[i] = std::uint64_t(std::uint32_t(values[t]) ^ SIGN) << 32 | std::uint32_t(t);
        }
        if (count <= FEW)
            sort_few(keys.data(), count);
        else
            std::sort(keys.begin(), keys.begin() + std::ptrdiff_t(count));
        const std::uint64_t largest = keys[count - 1] >> 32;
        double* own = sums.data();
        for (std::size_t i = 0; keys[i] >> 32 < largest;) {
            const std::uint64_t value = keys[i] >> 32;
            std::fill(own, own + outputs() + 1, 0.0);
            for (; keys[i] >> 32 == value; ++i) add(std::size_t(std::uint32_t(keys[i])), own);
            move(own, feature, std::int32_t(std::uint32_t(value) ^ SIGN), best);
        }
    }

    // Adds samples of one value to the left side, and evaluates the split after them.
    void move(const double* own, std::size_t feature, std::int32_t value, Split& best) {
        double lower = 0, upper = 0;
        left[0] += own[0];
        for (std::size_t c = 1; c <= outputs(); ++c) {
            left[c] += own[c];
            const double rest = whole[c] - left[c];
            lower += left[c] * left[c];
            upper += rest * rest;
        }
        const double weight = left[0], other = whole[0] - weight, scale = weight * other;
        const double gain = lower * other + upper * weight;  // times the scale, to divide rarely
        if (gain > best.gain * (1 + EQUAL) * scale) best = {feature, value, gain / scale};
    }

    // Orders the node's samples, those of the left side first; returns where the right one begins.
    std::size_t part(const Node& node, const Split& split) {
        const std::int32_t* values = data.values + split.feature * data.samples;
        std::size_t middle = node.begin;
        put.clear();
        for (std::size_t i = node.begin; i < node.end; ++i) {
            const std::int32_t t = drawn[i];
            if (values[t] <= split.last)
                drawn[middle++] = t;
            else
                put.push_back(t);
        }
        std::copy(put.begin(), put.end(), drawn.begin() + std::ptrdiff_t(middle));
        return middle;
    }
};

template <std::size_t OUTPUTS>
std::size_t grow_all(const ForestData& data, const ForestShape& shape, const std::uint64_t* seeds,
                     std::size_t count, double* importance) {
    Grower<OUTPUTS> grower(data, shape);
    std::size_t grown = 0;
    for (std::size_t k = 0; k < count; ++k) grown += grower.grow(seeds[k], importance);
    return grown;
}

}  // namespace

std::size_t grow_trees(const ForestData& data, const ForestShape& shape, const std::uint64_t* seeds,
                       std::size_t count, double* importance) {
    const auto grow = data.outputs == 1 ? grow_all<1> : grow_all<0>;
    return grow(data, shape, seeds, count, importance);
}

}  // namespace featrank

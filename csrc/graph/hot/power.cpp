// The hot loops of the power iteration: see summaries.cpp for what may stand here.
#include "graph/power.hpp"

#include <cmath>

#include "common/hot/doubles.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

constexpr std::size_t BLOCK = 64;

// Walks up the levels: value_i = Σ_j max(level_i, level_j)·v_j gains, from each level to the
// next, their difference for all nodes below, so that equal levels get equal bits.
struct Walk {
    double value, below = 0, previous;

    void go(const double* level, const double* vector, double factor, std::size_t count,
            double* values) {
        for (std::size_t i = 0; i < count; ++i) {
            value += (level[i] - previous) * below;
            previous = level[i];
            below += factor * vector[i];
            values[i] = value;
        }
    }
};

// The terms of the image and the sums over it. `gap` is the difference from eigenvalue·vector.
template <std::size_t TERMS>
struct Pass {
    const Levelled& graph;
    const Iterate& iterate;
    double weights[TERMS];  // of the left vectors
    Doubles square = {}, gap_square = {}, gap_product = {}, level_product = {};
    Doubles products[TERMS] = {};

    Doubles step(Doubles vector, Doubles value, Doubles level, const Doubles* left,
                 const Doubles* right) {
        const Doubles v = iterate.factor * vector;
        Doubles image = graph.weights[TERMS] * value;
        for (std::size_t t = 0; t < TERMS; ++t) image += weights[t] * left[t];
        const Doubles gap = image - iterate.eigenvalue * v, moved = image + iterate.shift * v;
        gap_square += gap * gap;
        gap_product += gap * v;
        square += moved * moved;
        for (std::size_t t = 0; t < TERMS; ++t) products[t] += right[t] * moved;
        level_product += level * moved;
        return moved;
    }

    void four(std::size_t at, const double* values) {
        Doubles left[TERMS], right[TERMS];
        for (std::size_t t = 0; t < TERMS; ++t) {
            left[t] = widened(graph.left + t * graph.size + at);
            right[t] = widened(graph.right + t * graph.size + at);
        }
        double* vector = iterate.vector + at;
        store(step(widened(vector), widened(values), widened(graph.level + at), left, right),
              vector);
    }

    // The last nodes, filled up with zeros, which add nothing.
    void rest(std::size_t at, const double* values) {
        Doubles vector = {}, value = {}, level = {}, left[TERMS] = {}, right[TERMS] = {};
        const std::size_t count = graph.size - at;
        for (std::size_t l = 0; l < count; ++l) {
            vector[l] = iterate.vector[at + l];
            value[l] = values[l];
            level[l] = graph.level[at + l];
            for (std::size_t t = 0; t < TERMS; ++t) {
                left[t][l] = graph.left[t * graph.size + at + l];
                right[t][l] = graph.right[t * graph.size + at + l];
            }
        }
        const Doubles moved = step(vector, value, level, left, right);
        for (std::size_t l = 0; l < count; ++l) iterate.vector[at + l] = moved[l];
    }
};

template <std::size_t TERMS>
Step step_of(const Levelled& graph, const Iterate& iterate) {
    Pass<TERMS> pass{graph, iterate, {}};
    for (std::size_t t = 0; t < TERMS; ++t)
        pass.weights[t] = graph.weights[t] * (iterate.factor * iterate.products[t]);
    Walk walk{iterate.factor * iterate.products[TERMS], 0, graph.level[0]};
    double values[BLOCK];
    for (std::size_t begin = 0; begin < graph.size; begin += BLOCK) {
        const std::size_t remaining = graph.size - begin;
        const std::size_t count = remaining < BLOCK ? remaining : BLOCK;
        walk.go(graph.level + begin, iterate.vector + begin, iterate.factor, count, values);
        std::size_t i = 0;
        for (; i + FOUR <= count; i += FOUR) pass.four(begin + i, values + i);
        if (i < count) pass.rest(begin + i, values + i);
    }
    for (std::size_t t = 0; t < TERMS; ++t) iterate.products[t] = sum_of(pass.products[t]);
    iterate.products[TERMS] = sum_of(pass.level_product);
    // The residual is least for the true eigenvalue, which the guess misses by `missed`.
    const double missed = sum_of(pass.gap_product);
    const double rest = sum_of(pass.gap_square) - missed * missed;
    return {iterate.eigenvalue + missed, std::sqrt(sum_of(pass.square)),
            std::sqrt(rest > 0 ? rest : 0)};
}

}  // namespace

Step levelled_step(const Levelled& graph, const Iterate& iterate) {
    return graph.terms == 1 ? step_of<1>(graph, iterate) : step_of<2>(graph, iterate);
}

}  // namespace FEATRANK_ISA
}  // namespace featrank

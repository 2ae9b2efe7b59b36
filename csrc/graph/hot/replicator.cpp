// Payoffs of replicator dynamics: compiled once for each instruction set, plain loops only.
#include "graph/replicator.hpp"

#include "common/hot/doubles.hpp"
#include "common/signals.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// Rows that are multiplied together, so that the vectors are read and written once for all.
constexpr std::size_t ROWS = 4;

// Weights of rows i … i + count - 1 with the vertices from `begin` on, one by one.
void corner(const Weights& W, const double* x, std::size_t i, std::size_t count, std::size_t begin,
            std::size_t end, double* result) {
    for (std::size_t r = i; r < i + count; ++r)
        for (std::size_t j = begin > r ? begin : r + 1; j < end; ++j) {
            result[r] += W.row(r)[j] * x[j];
            result[j] += W.row(r)[j] * x[r];
        }
}

void rows_at_once(const Weights& W, const double* x, std::size_t i, double* result) {
    const std::size_t begin = i + ROWS, end = begin + (W.size - begin) / FOUR * FOUR;
    const double* row[ROWS];
    for (std::size_t r = 0; r < ROWS; ++r) row[r] = W.row(i + r);
    Doubles sum[ROWS] = {};
    for (std::size_t j = begin; j < end; j += FOUR) {
        const Doubles share = widened(x + j);
        Doubles own = widened(result + j);
        for (std::size_t r = 0; r < ROWS; ++r) {
            const Doubles weight = widened(row[r] + j);
            sum[r] += weight * share;
            own += weight * x[i + r];
        }
        store(own, result + j);
    }
    for (std::size_t r = 0; r < ROWS; ++r) result[i + r] += sum_of(sum[r]);
    corner(W, x, i, ROWS, i, begin, result);
    corner(W, x, i, ROWS, end, W.size, result);
}

struct Extremes {
    double most, least;  // payoff of all vertices, and of those that have a share
};

Extremes extremes(const double* payoff, const double* shares, std::size_t size) {
    const double infinity = __builtin_inf();
    Doubles most = Doubles{} - infinity, least = Doubles{} + infinity;
    std::size_t j = 0;
    for (; j + FOUR <= size; j += FOUR) {
        const Doubles share = widened(shares + j);
        Doubles own = widened(payoff + j);
        most = own > most ? own : most;
        own = share > 0 ? own : infinity;
        least = own < least ? own : least;
    }
    for (std::size_t l = 0; j < size; ++j, ++l) {
        if (payoff[j] > most[l]) most[l] = payoff[j];
        if (shares[j] > 0 && payoff[j] < least[l]) least[l] = payoff[j];
    }
    for (std::size_t l = 1; l < FOUR; ++l) {
        if (most[l] > most[0]) most[0] = most[l];
        if (least[l] < least[0]) least[0] = least[l];
    }
    return {most[0], least[0]};
}

void shift_payoff(const double* gaining, const double* losing, double step, std::size_t size,
                  double* payoff) {
    for (std::size_t j = 0; j < size; ++j) payoff[j] += step * (gaining[j] - losing[j]);
}

}  // namespace

void product(const Weights& W, const double* shares, std::size_t begin, std::size_t end,
             double* result) {
    std::size_t i = begin;
    for (; i + ROWS <= end; i += ROWS) {
        look_for_signals(ROWS * W.size);
        rows_at_once(W, shares, i, result);
    }
    corner(W, shares, i, end - i, i, W.size, result);
}

std::size_t exchange(const Weights& W, const Population& x, double tol, std::size_t most) {
    for (std::size_t moves = 0; moves < most; ++moves) {
        look_for_signals(W.size);
        const Extremes ends = extremes(x.payoff, x.shares, W.size);
        const double gap = ends.most - ends.least;
        if (gap <= tol * *x.coherence) return moves;
        std::size_t best = 0, worst = 0;
        while (x.payoff[best] != ends.most) ++best;
        while (!(x.shares[worst] > 0) || x.payoff[worst] != ends.least) ++worst;
        // xᵀWx is a parabola in the step: its top, or as far as the share goes.
        const double weight = W.row(best)[worst], share = x.shares[worst];
        const double step = gap < share * 2 * weight ? gap / (2 * weight) : share;
        x.shares[best] += step;
        x.shares[worst] -= step;
        *x.coherence += 2 * step * (gap - step * weight);
        shift_payoff(W.row(best), W.row(worst), step, W.size, x.payoff);
    }
    return most;
}

}  // namespace FEATRANK_ISA
}  // namespace featrank

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "common/signals.hpp"
#include "neighbours/neighbours.hpp"

namespace featrank {
namespace {

// The k smallest of the values that are put in, as a heap.
void keep_smallest(std::vector<double>& heap, std::size_t k, double value) {
    if (heap.size() == k) {
        if (value >= heap.front()) return;
        std::pop_heap(heap.begin(), heap.end());
        heap.pop_back();
    }
    heap.push_back(value);
    std::push_heap(heap.begin(), heap.end());
}

// A pair as one of its rows sees it.
struct End {
    double distance;
    std::int64_t other, pair;
    bool operator<(const End& end) const {
        return distance < end.distance || (distance == end.distance && other < end.other);
    }
};

// The pairs of each row: those of row r are all[offsets[r]] … all[offsets[r + 1] - 1].
struct Ends {
    std::vector<std::size_t> offsets;
    std::vector<End> all;

    Ends(const Links& pairs, const double* distance, std::size_t rows)
        : offsets(rows + 1), all(2 * pairs.offsets[pairs.count]) {
        each(pairs, [&](std::int64_t row, std::int64_t, std::int64_t) { ++offsets[row + 1]; });
        std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
        std::vector<std::size_t> next = offsets;
        each(pairs, [&](std::int64_t row, std::int64_t other, std::int64_t pair) {
            all[next[row]++] = {distance[pair], other, pair};
        });
    }

    template <class Work>
    static void each(const Links& pairs, const Work& work) {
        for (std::size_t i = 0; i < pairs.count; ++i)
            for (std::int64_t e = pairs.offsets[i]; e < pairs.offsets[i + 1]; ++e) {
                work(pairs.rows[i], pairs.neighbour[e], e);
                work(pairs.neighbour[e], pairs.rows[i], e);
            }
    }
};

}  // namespace

void possible_pairs(const double* products, std::size_t rows, std::size_t k, const Slack& slack,
                    bool* possible) {
    std::vector<double> least(rows), most;
    for (std::size_t i = 0; i < rows; ++i) {
        look_for_signals(rows);
        most.clear();
        for (std::size_t h = 0; h < rows; ++h) {
            if (h == i) continue;
            const double sizes = products[i * rows + i] + products[h * rows + h];
            const double product = products[std::min(i, h) * rows + std::max(i, h)];
            const double error = slack.relative * sizes + slack.absolute;
            least[h] = sizes - 2 * product - error;
            keep_smallest(most, k, sizes - 2 * product + error);
        }
        const double limit = most.size() < k ? INFINITY : most.front();
        for (std::size_t h = 0; h < rows; ++h)
            if (h != i && least[h] <= limit)
                possible[std::min(i, h) * rows + std::max(i, h)] = true;
    }
}

void count_near(const Links& pairs, const double* distance, std::size_t rows, std::size_t k,
                std::int64_t* times) {
    std::fill(times, times + pairs.offsets[pairs.count], 0);
    Ends ends(pairs, distance, rows);
    for (std::size_t r = 0; r < rows; ++r) {
        look_for_signals(ends.offsets[r + 1] - ends.offsets[r]);
        const auto first = ends.all.begin() + ends.offsets[r];
        const auto last = ends.all.begin() + ends.offsets[r + 1];
        const std::size_t count = std::min(k, std::size_t(last - first));
        std::partial_sort(first, first + count, last);
        for (std::size_t n = 0; n < count; ++n) ++times[first[n].pair];
    }
}

}  // namespace featrank

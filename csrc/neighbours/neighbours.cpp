#include "neighbours/neighbours.hpp"
#include "common/signals.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace featrank {
namespace {

constexpr std::size_t GROUP = 32;        // rows whose distances by sketch are held at a time
constexpr std::size_t SKETCH_TILE = 64;  // rows that they are compared with at a time
constexpr std::size_t LIGHT = 16;        // bytes or shorts cost less than other values
constexpr std::size_t HEIGHT = 2, TILE = 8, CHUNK = 512;  // rows, others, columns of a call

// Rows that may be among the nearest of one sample, in ascending order of position.
struct Candidates {
    std::vector<std::uint32_t> position;
    std::vector<double> distance;
};

template <class T>
std::size_t samples(const Search<T>& search) {
    return search.X.count;
}

// Distances by sketch, in steps: sums of absolute differences, or the sums of squares
// |a|² + |b|² - 2ab, which are whole numbers.
template <class T>
void estimate(const Search<T>& search, std::size_t begin, std::size_t count,
              std::vector<double>& out) {
    const Sketch& sketch = search.sketch;
    const std::size_t total = samples(search), stride = sketch.stride;
    out.assign(count * total, 0.0);
    for (std::size_t tile = 0; tile < total; tile += SKETCH_TILE)
        for (std::size_t first = 0; first < stride; first += SKETCH_COLUMNS) {
            const std::size_t rows = std::min(SKETCH_TILE, total - tile);
            const std::size_t columns = std::min(SKETCH_COLUMNS, stride - first);
            const std::size_t a = begin * stride + first, b = tile * stride + first;
            look_for_signals(count * rows * columns / LIGHT);
            if (sketch.bytes != nullptr)
                search.loops.byte_distances(sketch.bytes + a, count, sketch.bytes + b, rows, stride,
                                            columns, total, out.data() + tile);
            else
                search.loops.short_products(sketch.shorts + a, count, sketch.shorts + b, rows,
                                            stride, columns, total, out.data() + tile);
        }
    for (std::size_t i = 0; i < count && sketch.shorts != nullptr; ++i)
        for (std::size_t p = 0; p < total; ++p) {
            double& value = out[i * total + p];
            value = sketch.norm[begin + i] + sketch.norm[p] - 2 * value;
        }
}

// Adds the distances of rows at neighbouring positions to a few others, over a chunk of columns.
template <class T>
void add_distances(const Search<T>& search, std::size_t position, std::size_t height,
                   const std::uint32_t* others, std::size_t count, std::size_t first, double* out) {
    look_for_signals(height * count * std::min(CHUNK, search.X.columns - first));
    const T *row[HEIGHT], *other[TILE];
    const auto at = [&](std::size_t p) { return search.X.row(search.groups.order[p]) + first; };
    for (std::size_t a = 0; a < height; ++a) row[a] = at(position + a);
    for (std::size_t b = 0; b < count; ++b) other[b] = at(others[b]);
    search.loops.distances(search.metric, search.missing.offsets != nullptr, row, height, other,
                           count, search.scale + first, std::min(CHUNK, search.X.columns - first),
                           samples(search), out);
}

// The distances of all candidates, in an order that keeps both sides in the cache. A distance
// is the sum over chunks of columns, whichever rows are asked for.
template <class T>
void measure(const Search<T>& search, std::size_t begin, std::vector<Candidates>& rows) {
    std::vector<std::size_t> cursor(rows.size());
    for (std::size_t first = 0; first < search.X.columns; first += CHUNK) {
        std::fill(cursor.begin(), cursor.end(), 0);
        for (std::size_t tile = 0; tile < samples(search); tile += TILE)
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const auto& positions = rows[i].position;
                const std::size_t at = cursor[i];
                std::size_t& next = cursor[i];
                while (next < positions.size() && positions[next] < tile + TILE) ++next;
                if (next > at)
                    add_distances(search, begin + i, 1, positions.data() + at, next - at, first,
                                  rows[i].distance.data() + at);
            }
    }
}

// Calls work(slot, expected difference) for the columns that `row` lacks; `both` says whether
// those that the other row lacks too are among them.
template <class T, class Work>
void each_unknown(const Samples<T>& X, const Missing& missing, const std::int64_t* code,
                  std::int64_t row, std::int64_t other, bool both, const Work& work) {
    for (std::int64_t e = missing.offsets[row]; e < missing.offsets[row + 1]; ++e) {
        const std::int64_t slot = missing.slot[e];
        if (both || !std::isnan(X.row(other)[missing.column[slot]]))
            work(slot, missing.at(slot, code[row], other));
    }
}

// What the unknown values of two rows add to their distance.
template <class T>
double unknown_part(const Search<T>& search, std::size_t position, std::size_t other_position) {
    const std::int64_t row = search.groups.order[position];
    const std::int64_t other = search.groups.order[other_position];
    double sum = 0;
    const auto add = [&](std::int64_t, double expected) { sum += expected; };
    each_unknown(search.X, search.missing, search.groups.code, row, other, true, add);
    each_unknown(search.X, search.missing, search.groups.code, other, row, false, add);
    return sum;
}

template <class T>
void add_unknown(const Search<T>& search, std::size_t begin, std::vector<Candidates>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t e = 0; e < rows[i].position.size(); ++e) {
            look_for_signals(LIGHT);
            rows[i].distance[e] += unknown_part(search, begin + i, rows[i].position[e]);
        }
}

template <class T>
void measure_all(const Search<T>& search, std::size_t begin, std::vector<Candidates>& rows) {
    for (Candidates& row : rows) row.distance.assign(row.position.size(), 0.0);
    measure(search, begin, rows);
    if (search.missing.offsets != nullptr) add_unknown(search, begin, rows);
}

// The k positions of [first, last) that are nearest by sketch, in ascending order.
void add_seeds(const double* distance, std::size_t self, std::size_t first, std::size_t last,
               std::size_t k, std::vector<std::uint32_t>& out) {
    look_for_signals(last - first);
    std::vector<std::pair<double, std::uint32_t>> heap;
    for (std::size_t p = first; p < last; ++p) {
        if (p == self || (heap.size() == k && distance[p] >= heap.front().first)) continue;
        if (heap.size() == k) {
            std::pop_heap(heap.begin(), heap.end());
            heap.pop_back();
        }
        heap.emplace_back(distance[p], std::uint32_t(p));
        std::push_heap(heap.begin(), heap.end());
    }
    const std::size_t before = out.size();
    for (const auto& entry : heap) out.push_back(entry.second);
    std::sort(out.begin() + before, out.end());
}

template <class T>
std::size_t wanted(const Search<T>& search, std::size_t c) {
    return search.slots[c + 1] - search.slots[c];
}

// Of each class, the samples that the sketch does not prove to be farther than the farthest of
// the k seeds: by the triangle inequality a distance lies within both rows' errors of the one by
// sketch, whose square is given for squares.
template <class T>
void choose(const Search<T>& search, std::size_t self, const double* distance,
            const Candidates& seeds, Candidates& out) {
    look_for_signals(samples(search));
    const double* error = search.sketch.error;
    std::size_t e = 0;
    for (std::size_t c = 0; c < search.groups.count; ++c) {
        const std::size_t first = search.groups.offsets[c], last = search.groups.offsets[c + 1];
        const std::size_t before = e;
        double limit = 0;
        for (; e < seeds.position.size() && seeds.position[e] < last; ++e)
            limit = std::max(limit, seeds.distance[e]);
        const bool square = search.metric == Metric::square;
        if (square) limit = std::sqrt(limit);
        limit = e - before < wanted(search, c) ? INFINITY
                                               : search.sketch.steps * limit + error[self];
        for (std::size_t p = first; p < last; ++p) {
            const double reach = limit + error[p];
            if (distance[p] <= (square ? reach * reach : reach) && p != self)
                out.position.push_back(std::uint32_t(p));
        }
    }
}

template <class T>
void choose_by_sketch(const Search<T>& search, std::size_t begin, std::vector<Candidates>& rows) {
    std::vector<double> distance;
    for (std::size_t at = 0; at < rows.size(); at += GROUP) {
        const std::size_t count = std::min(GROUP, rows.size() - at), total = samples(search);
        estimate(search, begin + at, count, distance);
        std::vector<Candidates> seeds(count);
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t c = 0; c < search.groups.count; ++c)
                add_seeds(distance.data() + i * total, begin + at + i, search.groups.offsets[c],
                          search.groups.offsets[c + 1], wanted(search, c), seeds[i].position);
        measure_all(search, begin + at, seeds);
        for (std::size_t i = 0; i < count; ++i)
            choose(search, begin + at + i, distance.data() + i * total, seeds[i], rows[at + i]);
    }
}

// All samples but the row itself.
void choose_others(std::size_t total, std::size_t self, Candidates& out) {
    look_for_signals(total);
    for (std::size_t p = 0; p < total; ++p)
        if (p != self) out.position.push_back(std::uint32_t(p));
}

template <class T>
void look_up(const Search<T>& search, std::size_t self, Candidates& out) {
    look_for_signals(out.position.size());
    for (std::uint32_t p : out.position)
        out.distance.push_back(search.known[self * samples(search) + p]);
}

// The k nearest candidates of each class, nearest first; equally near ones by position.
template <class T>
void select(const Search<T>& search, const Candidates& row, std::int64_t* neighbour,
            double* distance) {
    look_for_signals(row.position.size());
    std::vector<std::pair<double, std::uint32_t>> all;
    std::size_t e = 0;
    for (std::size_t c = 0; c < search.groups.count; ++c) {
        const std::size_t end = search.groups.offsets[c + 1];
        all.clear();
        for (; e < row.position.size() && row.position[e] < end; ++e)
            all.emplace_back(row.distance[e], row.position[e]);
        const std::size_t slot = search.slots[c], count = wanted(search, c);
        const std::size_t k = std::min(count, all.size());
        std::partial_sort(all.begin(), all.begin() + k, all.end());
        for (std::size_t n = 0; n < count; ++n) {
            neighbour[slot + n] = n < k ? search.groups.order[all[n].second] : -1;
            distance[slot + n] = n < k ? all[n].first : INFINITY;
        }
    }
}

}  // namespace

template <class T>
void nearest(const Search<T>& search, std::size_t begin, std::size_t end, std::int64_t* neighbour,
             double* distance) {
    const std::size_t width = search.slots[search.groups.count];
    std::vector<Candidates> rows(end - begin);
    if (search.known == nullptr && !search.sketch.empty())
        choose_by_sketch(search, begin, rows);
    else
        for (std::size_t i = 0; i < rows.size(); ++i)
            choose_others(samples(search), begin + i, rows[i]);
    if (search.known == nullptr)
        measure_all(search, begin, rows);
    else
        for (std::size_t i = 0; i < rows.size(); ++i) look_up(search, begin + i, rows[i]);
    for (std::size_t i = 0; i < rows.size(); ++i)
        select(search, rows[i], neighbour + i * width, distance + i * width);
}

template <class T>
void all_distances(const Search<T>& search, std::size_t begin, std::size_t end, double* table) {
    const std::size_t total = samples(search);
    for (std::size_t p = begin; p < end; ++p)
        std::fill(table + p * total + p, table + (p + 1) * total, 0.0);
    for (std::size_t first = 0; first < search.X.columns; first += CHUNK)
        for (std::size_t p = begin; p < end; p += HEIGHT)
            for (std::size_t q = p + 1; q < total; q += TILE) {
                std::uint32_t others[TILE];
                std::iota(others, others + TILE, std::uint32_t(q));
                add_distances(search, p, std::min(HEIGHT, end - p), others,
                              std::min(TILE, total - q), first, table + p * total + q);
            }
    for (std::size_t p = begin; p < end; ++p) {
        look_for_signals(LIGHT * total);
        for (std::size_t q = p + 1; q < total; ++q) {
            double& distance = table[p * total + q];
            if (search.missing.offsets != nullptr) distance += unknown_part(search, p, q);
            table[q * total + p] = distance;
        }
    }
}

template <class T>
void expected_differences(const Samples<T>& X, const Links& links, const Missing& missing,
                          const std::int64_t* code, double* out) {
    for (std::size_t i = 0; i < links.count; ++i)
        for (std::int64_t e = links.offsets[i]; e < links.offsets[i + 1]; ++e) {
            look_for_signals(LIGHT);
            const std::int64_t row = links.rows[i], other = links.neighbour[e];
            const auto add = [&](std::int64_t slot, double expected) {
                out[slot] += links.weight[e] * expected;
            };
            each_unknown(X, missing, code, row, other, true, add);
            each_unknown(X, missing, code, other, row, false, add);
        }
}

#define FEATRANK_INSTANTIATE(T)                                                                   \
    template void nearest<T>(const Search<T>&, std::size_t, std::size_t, std::int64_t*, double*); \
    template void all_distances<T>(const Search<T>&, std::size_t, std::size_t, double*);          \
    template void expected_differences<T>(const Samples<T>&, const Links&, const Missing&,        \
                                          const std::int64_t*, double*);
FEATRANK_INSTANTIATE(float)
FEATRANK_INSTANTIATE(double)

}  // namespace featrank

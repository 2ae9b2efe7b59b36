#include "pairs/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/signals.hpp"
#include "graph/graph.hpp"

namespace featrank {
namespace {

// Below this many values comparing is faster than a radix sort.
constexpr std::size_t FEW = 1024;

struct Sorted {
    double value;
    std::size_t row;
};

class Ranks {
public:
    explicit Ranks(std::size_t size)
        : values(size), scratch(size), order(size), sorted(size), ranks(size) {}

    template <class T>
    void read(const Matrix<T>& X, std::size_t column) {
        const T* source = X.data + std::ptrdiff_t(column) * X.column_stride;
        for (std::size_t r = 0; r < values.size(); ++r)
            values[r] = double(source[std::ptrdiff_t(r) * X.row_stride]);
        sort();
    }

    // Twice the average rank, less its mean, up to sign: whole numbers, so that sums are exact.
    const std::vector<std::int64_t>& centred() {
        const std::size_t size = values.size();
        for (std::size_t begin = 0, end; begin < size; begin = end) {
            for (end = begin + 1; end < size && sorted[end].value == sorted[begin].value;) ++end;
            const std::int64_t rank = std::int64_t(begin + end) - std::int64_t(size);
            for (std::size_t i = begin; i < end; ++i) ranks[sorted[i].row] = rank;
        }
        std::size_t first = 0;
        while (first < size && ranks[first] == 0) ++first;
        if (first < size && ranks[first] < 0)
            for (std::int64_t& rank : ranks) rank = -rank;
        return ranks;
    }

private:
    void sort() {
        const std::size_t size = values.size();
        if (size < FEW) {
            for (std::size_t r = 0; r < size; ++r) sorted[r] = {values[r], r};
            std::sort(sorted.begin(), sorted.end(),
                      [](const Sorted& a, const Sorted& b) { return a.value < b.value; });
            return;
        }
        argsort(values.data(), size, scratch.data(), order.data());
        for (std::size_t i = 0; i < size; ++i)
            sorted[i] = {values[std::size_t(order[i])], std::size_t(order[i])};
    }

    std::vector<double> values;
    std::vector<long long> scratch, order;
    std::vector<Sorted> sorted;
    std::vector<std::int64_t> ranks;
};

// Mixes a number into a key (the finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t key, std::int64_t number) {
    std::uint64_t z = key * 0x9e3779b97f4a7c15u + std::uint64_t(number);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

}  // namespace

template <class T, class Out>
void unit_ranks(const Matrix<T>& X, Out* out, std::uint64_t* keys) {
    Ranks ranks(X.rows);
    for (std::size_t column = 0; column < X.columns; ++column, out += X.rows) {
        look_for_signals(X.rows);
        ranks.read(X, column);
        const std::vector<std::int64_t>& centred = ranks.centred();
        double square = 0;
        std::uint64_t key = 1;
        for (std::int64_t rank : centred) {
            square += double(rank) * double(rank);
            key = mixed(key, rank);
        }
        keys[column] = key;
        const double length = std::sqrt(square);
        for (std::size_t r = 0; r < X.rows; ++r)
            out[r] = Out(length > 0 ? double(centred[r]) / length : 0.0);
    }
}

#define FEATRANK_INSTANTIATE(T, Out) \
    template void unit_ranks<T, Out>(const Matrix<T>&, Out*, std::uint64_t*);
FEATRANK_INSTANTIATE(float, float)
FEATRANK_INSTANTIATE(float, double)
FEATRANK_INSTANTIATE(double, float)
FEATRANK_INSTANTIATE(double, double)

}  // namespace featrank

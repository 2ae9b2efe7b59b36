#include <algorithm>
#include <cmath>
#include <vector>

#include "common/signals.hpp"
#include "neighbours/neighbours.hpp"

namespace featrank {
namespace {

// Sorted values, asked for the mean of |value - x| at any x.
class Spread {
public:
    explicit Spread(std::vector<double> values) : values_(std::move(values)) {
        std::sort(values_.begin(), values_.end());
        sums_.reserve(values_.size() + 1);
        sums_.push_back(0);
        for (double value : values_) sums_.push_back(sums_.back() + value);
    }

    double mean_distance(double x) const {
        const auto at = std::lower_bound(values_.begin(), values_.end(), x) - values_.begin();
        const double below = double(at), count = double(values_.size());
        const double sum = x * (2 * below - count) + (sums_.back() - 2 * sums_[at]);
        return std::max(sum, 0.0) / count;
    }

    double mean_distance(const Spread& other) const {
        double sum = 0;
        for (double value : other.values_) sum += mean_distance(value);
        return sum / double(other.values_.size());
    }

    double median() const { return values_[values_.size() / 2]; }

private:
    std::vector<double> values_, sums_;
};

// The known values of each class; those of all classes for a class without.
std::vector<Spread> spreads(const std::vector<double>& column, const std::int64_t* code,
                            std::size_t classes) {
    std::vector<std::vector<double>> known(classes + 1);
    for (std::size_t r = 0; r < column.size(); ++r)
        if (!std::isnan(column[r])) {
            known[code[r]].push_back(column[r]);
            known[classes].push_back(column[r]);
        }
    std::vector<Spread> out;
    for (std::size_t c = 0; c < classes && !known[classes].empty(); ++c)
        out.emplace_back(known[c].empty() ? known[classes] : known[c]);
    return out;
}

void fill_column(const std::vector<double>& column, const std::int64_t* code,
                 const std::vector<Spread>& spreads, const Expected& out) {
    const std::size_t rows = column.size();
    for (std::size_t c = 0; c < spreads.size(); ++c) {
        look_for_signals(rows);
        std::vector<double> both;
        for (const Spread& other : spreads) both.push_back(spreads[c].mean_distance(other));
        for (std::size_t r = 0; r < rows; ++r)
            out.table[c * rows + r] = std::isnan(column[r]) ? both[code[r]]
                                                            : spreads[c].mean_distance(column[r]);
        // A byte's place, so that the deviation bounds what bytes do not tell.
        const double place = std::floor(255 * spreads[c].median() + 0.5) / 255;
        out.place[c] = place;
        out.deviation[c] = spreads[c].mean_distance(place);
    }
}

}  // namespace

template <class T>
void expect(const Samples<T>& X, const Selection& columns, const double* low, const double* scale,
            const std::int64_t* code, std::size_t classes, const Expected& out) {
    std::fill(out.table, out.table + columns.count * classes * X.count, 0.0);
    std::fill(out.place, out.place + columns.count * classes, 0.0);
    std::fill(out.deviation, out.deviation + columns.count * classes, 0.0);
    std::vector<double> values(X.count);
    for (std::size_t i = 0; i < columns.count; ++i) {
        const std::int64_t column = columns.data[i];
        for (std::size_t r = 0; r < X.count; ++r)
            values[r] = (double(X.row(r)[column]) - low[column]) * scale[column];
        const std::size_t at = i * classes;
        fill_column(values, code, spreads(values, code, classes),
                    {out.table + at * X.count, out.place + at, out.deviation + at});
    }
}

template void expect<float>(const Samples<float>&, const Selection&, const double*, const double*,
                            const std::int64_t*, std::size_t, const Expected&);
template void expect<double>(const Samples<double>&, const Selection&, const double*, const double*,
                             const std::int64_t*, std::size_t, const Expected&);

}  // namespace featrank

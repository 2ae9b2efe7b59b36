// Summaries of sparse columns from what is stored: zeros are what is left over.
#pragma once
#include "summaries/products.hpp"
#include "summaries/summaries.hpp"

namespace featrank {

// Columns of a compressed matrix: column j has entries starts[j] … starts[j + 1] - 1, each of
// another row.
template <class T, class I>
struct Columns {
    const T* values;
    const I* rows;
    const std::int64_t* starts;
    std::size_t count;
};

// The class of each row, its weight, or null, and the rows or the weight of each class. A row whose
// code is of no class takes no part: codes are not checked beforehand, as there may be many more rows
// than entries in a few columns.
struct RowLabels {
    const std::int32_t* codes;
    const double* weights;
    const double* sizes;
    double weight_unit;
    std::size_t classes;
};

template <class T, class I>
void sparse_ranges(const Columns<T, I>&, const RowLabels&, const Ranges&);
// As products does it, of rows that have a factor each; what is not stored is measured from 0, as
// it must where a column has zeros.
template <class T, class I>
void sparse_products(const Columns<T, I>&, const double* factors, const Origins&, double* sums);
template <class T, class I>
void sparse_sums(const Columns<T, I>&, const RowLabels&, const Ranges&, const UnitSums&);
// counts has shape (columns, classes, bins.most) and holds zeros.
template <class T, class I, class Count>
void sparse_histogram(const Columns<T, I>&, const RowLabels&, const Bins&, Count* counts);
template <class T, class I, class Count>
void sparse_quantile_histogram(const Columns<T, I>&, const RowLabels&, std::int32_t most,
                               Count* counts);

}  // namespace featrank

// Summaries of columns whose values come with a weight each, with the same bits as the summaries
// of dense columns. `Columns` is CountedColumns or SparseColumns.
#pragma once
#include "summaries/products.hpp"
#include "summaries/summaries.hpp"
#include "summaries/value_columns.hpp"

namespace featrank {

template <class Columns>
void value_ranges(Columns X, const Ranges& out);

// Sums in the units that the ranges of all rows define.
template <class Columns>
void value_sums(Columns X, const Ranges& all, const UnitSums& out);

// counts has shape (columns, classes, bins.most) and contains zeros.
template <class Columns, class Count>
void value_histogram(Columns X, const Bins& bins, Count* counts);

// The same for bins of about equal content: see quantile.hpp.
template <class Columns, class Count>
void value_quantile_histogram(Columns X, std::int32_t most, Count* counts);

// The sums of products.hpp for a factor per row. Values that are not stored are measured from 0,
// so the centre of a column with zeros must be 0.
template <class T, class I>
void sparse_products(const SparseEntries<T, I>& X, const double* factors, const Origins& origins,
                     double* sums);

}  // namespace featrank

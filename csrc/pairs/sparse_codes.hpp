// Bins of sparse columns, from their stored entries alone: zeros are what is left over.
#pragma once
#include "summaries/summaries.hpp"

namespace featrank {

// Entries of some columns: those of column j are values[begin[j]] … values[begin[j + 1] - 1], at
// most one per row. A row without an entry holds 0.
template <class T>
struct StoredColumns {
    const T* values;
    const std::int64_t* begin;
    std::size_t rows, columns;
};

// The bin of each entry, and for each column the bin of 0 and how many entries fall into others.
struct StoredCodes {
    std::uint8_t* code;
    std::uint8_t* zero;
    std::int64_t* kept;
};

// A value falls into the bin that bin_codes gives it in a dense column.
#define FEATRANK_DECLARE_STORED_CODES(ISA)                                              \
    namespace ISA {                                                                     \
    template <class T>                                                                  \
    void stored_bin_codes(const StoredColumns<T>&, const Bins&, const StoredCodes& to); \
    }
FEATRANK_DECLARE_STORED_CODES(baseline)
FEATRANK_DECLARE_STORED_CODES(avx2)

// A value falls into the bin that quantile_codes gives it in a dense column; number[j] is how many
// bins column j has.
template <class T>
void stored_quantile_codes(const StoredColumns<T>& X, std::int32_t most, const StoredCodes& to,
                           std::int32_t* number);

// Copies the rows and codes of those entries that are not in the bin of 0.
void keep_codes(const std::int64_t* begin, std::size_t columns, const std::uint32_t* row,
                const StoredCodes& from, std::uint32_t* kept_row, std::uint8_t* kept_code);

}  // namespace featrank

// What the bindings of kernels on stored entries share.
#pragma once
#include "bindings/bindings.hpp"

namespace featrank {

// Entries of column j are begin[j] … begin[j + 1] - 1.
inline void check_begin(const Vector<const std::int64_t>& begin, std::size_t entries) {
    require(begin.shape(0) >= 1, "begin must not be empty");
    const std::size_t columns = begin.shape(0) - 1;
    for (std::size_t j = 0; j < columns; ++j)
        require(begin.data()[j] <= begin.data()[j + 1], "begin must ascend");
    require(begin.data()[0] == 0 && std::size_t(begin.data()[columns]) == entries,
            "begin must span the entries");
}

}  // namespace featrank

#include "summaries/byte_counts.hpp"

#include <memory>
#include <vector>

#include "common/dispatch.hpp"

namespace featrank {

template <class Count>
void add_byte_counts(const Matrix<std::uint8_t>& X, const std::int32_t* codes, std::size_t classes,
                     Count* counts) {
    const std::unique_ptr<ByteScratch> scratch(new ByteScratch());
    std::vector<std::size_t> starts(classes + 1);
    FEATRANK_DISPATCH(byte_counts(X, codes, classes, starts.data(), *scratch, counts));
}

template void add_byte_counts(const Matrix<std::uint8_t>&, const std::int32_t*, std::size_t,
                              std::int32_t*);
template void add_byte_counts(const Matrix<std::uint8_t>&, const std::int32_t*, std::size_t,
                              std::int64_t*);

}  // namespace featrank

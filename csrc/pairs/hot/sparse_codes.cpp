// Bins of stored entries: compiled once for each instruction set, plain loops only.
#include "pairs/sparse_codes.hpp"

#include "common/signals.hpp"
#include "summaries/hot/binning.hpp"

namespace featrank {
namespace FEATRANK_ISA {
namespace {

// Every lane of the locator is the same column, so that its entries are located together.
template <class T>
void locate(const T* values, std::size_t count, const BinLocator<LANES>& locator,
            std::uint8_t* code) {
    std::uint32_t bin[LANES];
    std::size_t e = 0;
    for (; locator.reliable && e + LANES <= count; e += LANES) {
        locator.locate(values + e, bin);
        for (std::size_t l = 0; l < LANES; ++l) code[e + l] = std::uint8_t(bin[l]);
    }
    for (; e < count; ++e) code[e] = std::uint8_t(locator.bin_of(values[e], 0));
}

}  // namespace

template <class T>
void stored_bin_codes(const StoredColumns<T>& X, const Bins& bins, const StoredCodes& to) {
    for (std::size_t j = 0; j < X.columns; ++j) {
        const std::int64_t begin = X.begin[j], count = X.begin[j + 1] - begin;
        look_for_signals(std::size_t(count));
        const BinLocator<LANES> locator(bins, j, 1);
        std::uint8_t* code = to.code + begin;
        locate(X.values + begin, count, locator, code);
        const std::uint8_t zero = std::uint8_t(locator.bin_of(0, 0));
        std::int64_t kept = 0;
        for (std::int64_t e = 0; e < count; ++e) kept += code[e] != zero;
        to.zero[j] = zero;
        to.kept[j] = kept;
    }
}

template void stored_bin_codes<float>(const StoredColumns<float>&, const Bins&, const StoredCodes&);
template void stored_bin_codes<double>(const StoredColumns<double>&, const Bins&,
                                       const StoredCodes&);

}  // namespace FEATRANK_ISA
}  // namespace featrank

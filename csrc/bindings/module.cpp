// The Python module: chooses the instruction set and gathers the bindings.
#ifdef _WIN32
#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

#include "bindings/bindings.hpp"

namespace featrank {
namespace {

bool wide_vectors() {
#if !defined(FEATRANK_HAS_avx2)
    return false;
#elif defined(_WIN32)  // where Clang's own question needs a library that is not linked
    return IsProcessorFeaturePresent(PF_AVX2_INSTRUCTIONS_AVAILABLE);
#else
    return __builtin_cpu_supports("avx2");
#endif
}

}  // namespace

bool use_wide = wide_vectors();

NB_MODULE(_featrank, m) {
    bind_contingency(m);
    bind_correlation(m);
    bind_counts(m);
    bind_forest(m);
    bind_graph(m);
    bind_lasso(m);
    bind_neighbours(m);
    bind_replicator(m);
    bind_signals(m);
    bind_sparse_codes(m);
    bind_sparse_pairs(m);
    bind_summaries(m);
    bind_svm(m);
    bind_svm_path(m);
    bind_value_summaries(m);
    bind_volume(m);
    m.def("instruction_set", [] { return use_wide ? "avx2" : "baseline"; });
    m.def("use_wide_vectors", [](bool wanted) { use_wide = wanted && wide_vectors(); });
}

}  // namespace featrank

// The Python module: chooses the instruction set and gathers the bindings.
#include "bindings.hpp"

namespace featrank {
namespace {

bool wide_vectors() {
#ifdef FEATRANK_HAS_avx2
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

}  // namespace

bool use_wide = wide_vectors();

NB_MODULE(_featrank, m) {
    bind_summaries(m);
    bind_graph(m);
    bind_contingency(m);
    bind_correlation(m);
    bind_neighbours(m);
    bind_replicator(m);
    bind_svm(m);
    bind_svm_path(m);
    bind_volume(m);
    m.def("instruction_set", [] { return use_wide ? "avx2" : "baseline"; });
    m.def("use_wide_vectors", [](bool wanted) { use_wide = wanted && wide_vectors(); });
}

}  // namespace featrank

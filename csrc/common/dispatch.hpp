// Calls the version of a hot kernel that this processor can run.
#pragma once

namespace featrank {

// Whether the hot kernels compiled for wide vectors are in use.
extern bool use_wide;

#ifdef FEATRANK_HAS_avx2
#define FEATRANK_DISPATCH(call) (use_wide ? avx2::call : baseline::call)
#else
#define FEATRANK_DISPATCH(call) (baseline::call)
#endif

}  // namespace featrank

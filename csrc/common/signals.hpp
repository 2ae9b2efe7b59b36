// Ctrl-C in the midst of a kernel. Kernels call look_for_signals between pieces of work; it throws
// once the work is of no use any more.
#pragma once
#include <cstddef>

namespace featrank {

// `work` is about how many values were read since the last call: only after some ten thousands
// does the call do more than add them up.
void look_for_signals(std::size_t work);

}  // namespace featrank

// Errors for arguments that a kernel cannot work with. Python raises them as ValueError.
#pragma once
#include <stdexcept>
#include <string>

namespace featrank {

inline void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(std::string("featrank kernel: ") + what);
}

}  // namespace featrank

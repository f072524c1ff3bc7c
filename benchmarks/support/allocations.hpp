#pragma once

#include <cstdint>

namespace benchmarks {

/// The number of calls of all forms of `operator new` by the program so far.
std::uint64_t allocation_count();

} // namespace benchmarks

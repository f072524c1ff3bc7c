#pragma once

#include <cstdint>

namespace benchmarks {

/// How often the program has called `operator new`, and its siblings.
std::uint64_t allocation_count();

} // namespace benchmarks

#pragma once

/// \file
/// What nearly every test includes of others' headers. A build with NPUZZLE_PRECOMPILE_HEADERS
/// compiles it once; a test includes what it needs all the same, since other builds do without.

#include "support/catch.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

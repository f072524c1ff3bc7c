#pragma once

#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/search/core/stop.hpp"

#include <cstdint>
#include <functional>

/// \file
/// How to build a table, and how far it has come.

namespace npuzzle {

/// How far the building of a table has come.
struct BuildProgress {
    TableShape shape;               ///< the table
    std::uint64_t entries_done = 0; ///< entries whose value is known
    std::uint64_t entries = 0;      ///< all of them
    int depth = 0;                  ///< the greatest value so far
    double seconds = 0;             ///< since the building began
    double seconds_left = 0;        ///< at the pace so far; an estimate

    [[nodiscard]] double percent() const noexcept {
        return entries == 0 ? 0 : 100 * static_cast<double>(entries_done) / static_cast<double>(entries);
    }
};

/// How to build a table.
struct BuildOptions {
    /// How many threads work on it at most; 0 for as many as the machine runs at once. Small tables take fewer. The table is
    /// the same for any number.
    unsigned threads = 0;
    /// Called by the thread that builds, after each depth and several times a second in between; at the end with all
    /// entries done. What it throws ends the building and reaches the caller.
    std::function<void(const BuildProgress&)> progress = {};
    /// Ends the building within milliseconds when a stop is requested. Asked by the thread that builds.
    StopToken stop = {};
    /// Receives the bytes that were held at the peak, the table's own included.
    std::uint64_t* peak_bytes = nullptr;
};

} // namespace npuzzle

#pragma once

#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/search/core/stop.hpp"

#include <cstdint>
#include <functional>

/// \file
/// Options for the build of a table, and its progress.

namespace npuzzle {

/// The progress of a build.
struct BuildProgress {
    TableShape shape;               ///< the table
    std::uint64_t entries_done = 0; ///< entries whose value is known
    std::uint64_t entries = 0;      ///< all of them
    int depth = 0;                  ///< the greatest value so far
    double seconds = 0;             ///< since the start of the build
    double seconds_left = 0;        ///< an estimate

    /// The share of entries that are done, in percent.
    [[nodiscard]] double percent() const noexcept {
        return entries == 0 ? 0 : 100 * static_cast<double>(entries_done) / static_cast<double>(entries);
    }
};

/// Options for the build of a table.
struct BuildOptions {
    /// The greatest number of threads; 0 for the number of hardware threads. Small tables use fewer. The
    /// table does not depend on the number.
    unsigned threads = 0;
    /// Called by the building thread after each depth, several times a second in between, and at the end with
    /// all entries done. An exception from it ends the build and is passed to the caller.
    std::function<void(const BuildProgress&)> progress = {};
    /// Ends the building within milliseconds when a stop is requested. Asked by the thread that builds.
    StopToken stop = {};
    /// If not null, receives the peak of the bytes held, including the table itself.
    std::uint64_t* peak_bytes = nullptr;
};

} // namespace npuzzle

#pragma once

#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/search/core/stop.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

/// \file
/// Options for the build of a table, its progress, and what it is when it is stopped.

namespace npuzzle {

/// The progress of a build.
struct BuildProgress {
    TableShape shape;                 ///< the table
    std::uint64_t entries_done = 0;   ///< entries whose value is known
    std::uint64_t entries = 0;        ///< all of them
    std::uint64_t entries_before = 0; ///< those that were known from a checkpoint
    int depth = 0;                    ///< the greatest value so far
    double seconds = 0;               ///< since the start of the build
    double seconds_left = 0;          ///< an estimate

    /// The share of entries that are done, in percent.
    [[nodiscard]] double percent() const noexcept {
        return entries == 0 ? 0 : 100 * static_cast<double>(entries_done) / static_cast<double>(entries);
    }
};

/// Keeps the state of an unfinished build, so that another one goes on from there and makes the same table,
/// with any number of threads. `BuildCheckpointFile` keeps it in a file.
///
/// The state is a few sequences of bytes. How many there are, and their lengths, depend on the shape alone.
class BuildCheckpoint {
public:
    virtual ~BuildCheckpoint() = default;

    /// Fills the sequences with the state that was saved for a shape. Called once, when a build begins.
    /// \return false, and fills nothing, if there is none
    virtual bool load(const TableShape& shape, std::span<const std::span<std::uint8_t>> state) = 0;

    /// Whether to save the state now. Asked by the building thread, every few hundred microseconds.
    virtual bool is_due() = 0;

    /// Saves the state. Called when it is due, and when a stop ends the build, while no thread works on it.
    /// What it throws ends the build and is passed to the caller.
    virtual void save(const TableShape& shape, std::span<const std::span<std::uint8_t>> state) = 0;

    /// Called when a table is finished, and its file cannot be written, whatever the reason: for lack of room
    /// as a rule. May keep the table there in place of the state. What it throws is passed to the caller.
    /// \return false if it does not; the error that there was is thrown then
    virtual bool keep(const PatternTable& /*table*/, const std::filesystem::path& /*file*/) { return false; }
};

/// Options for the build of a table.
struct BuildOptions {
    /// The greatest number of threads; 0 for the number of hardware threads. Small tables use fewer. The
    /// table does not depend on the number.
    unsigned threads = 0;
    /// Called by the building thread after each depth, several times a second in between, and at the end with
    /// all entries done. An exception from it ends the build and is passed to the caller.
    std::function<void(const BuildProgress&)> progress = {};
    /// Ends the building within milliseconds when a stop is requested, and `checkpoint` has saved its state.
    /// Asked by the thread that builds.
    StopToken stop = {};
    /// If not null, the build goes on from what it loads, and saves its state there. Not for classical
    /// tables.
    BuildCheckpoint* checkpoint = nullptr;
    /// If not null, receives the peak of the bytes held, including the table itself.
    std::uint64_t* peak_bytes = nullptr;
};

} // namespace npuzzle

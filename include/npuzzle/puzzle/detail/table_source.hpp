#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/search/core/limits.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

/// \file
/// What a `Solver` asks of pattern databases. "npuzzle/puzzle/solver_tables.hpp" has the answers, so that a
/// program without tables compiles none of their code.

namespace npuzzle {

/// How a `Solver` may use the tables of pattern databases.
enum class TableUse : std::uint8_t {
    automatic, ///< n = 5: builds them if a board is not near its goal; n = 4: uses them if they are there, and
               ///< builds smaller ones in memory for a search that gets long
    if_there,  ///< uses the files that are there
    build_if_missing, ///< builds and saves those that are not
};

namespace detail {

class SharedLimits;
class SolverObserver;
struct SolverRun;

/// What is known of the tables that a `Solver` could use.
struct TableSupply {
    TableUse use = TableUse::automatic;
    bool are_there = false;
    bool can_be_saved = true;         ///< there is a folder for them
    std::uint64_t bytes = 0;          ///< of all of them
    std::uint64_t bytes_to_build = 0; ///< that are held, at the most, while they are built
};

/// Pattern databases that are in memory.
class LoadedTables {
public:
    virtual ~LoadedTables() = default;

    /// What the tables hold.
    [[nodiscard]] virtual std::uint64_t bytes() const = 0;

    /// IDA*.
    virtual void search(const Board& board, const Board& goal, const Limits& limits, SolverObserver& observer,
                        SolverRun& run) const = 0;
};

/// Where a `Solver` finds pattern databases.
class TableSource {
public:
    virtual ~TableSource() = default;

    /// The partition for boards of size `n`, 4 or 5, by its name or its drawing.
    [[nodiscard]] virtual std::string partition(int n) const = 0;

    /// \throws std::invalid_argument if there is no such partition
    [[nodiscard]] virtual TableSupply supply(int n, int blank_cell) const = 0;

    /// The tables, loaded, or built if they are missing; nothing if a limit ended that.
    /// \throws std::bad_alloc; TableFileError also if tables are missing that are not to be built
    [[nodiscard]] virtual std::unique_ptr<const LoadedTables> load(int n, int blank_cell,
                                                                   const SharedLimits& limits) const = 0;

    /// Whether somebody other than the limits asked for the building to stop.
    [[nodiscard]] virtual bool is_stopped() const = 0;
};

} // namespace detail

} // namespace npuzzle

#pragma once

#include "npuzzle/macros.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace npuzzle {

/// What `parallel_ida_star` counted in one unit of work, as a journal keeps it.
struct UnitRecord {
    std::uint64_t iteration = 0; ///< of those that are divided
    std::uint64_t units = 0;     ///< of this iteration
    std::uint64_t unit = 0;
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t contract_violations = 0;
    std::array<std::uint64_t, 8> bound{}; ///< what it knows of the next bound, in bytes

    friend bool operator==(const UnitRecord&, const UnitRecord&) = default;
};

/// Keeps finished units of a `parallel_ida_star`, so that another one need not search them. See
/// `IdaStarJournal`, which keeps them in a file.
class UnitJournal {
public:
    /// A search begins. `search` tells it from others, as far as the search itself can tell.
    virtual void begin(const std::string& search) = 0;
    /// A unit that is known, or null. Valid until the next call.
    [[nodiscard]] virtual const UnitRecord* find(std::uint64_t iteration, std::uint64_t unit) = 0;
    /// A unit is finished. Several threads call this at the same time.
    virtual void append(const UnitRecord& record) = 0;

protected:
    ~UnitJournal() = default;
};

/// The options of `parallel_ida_star`.
struct ParallelIdaStarOptions {
    /// How many threads at most, the caller's own among them; 0 for as many as the machine runs at once.
    unsigned threads = 0;
    /// An iteration is divided among the threads if the last one expanded so many states. That many take
    /// about as long as to start a few threads, if an expansion takes nanoseconds; less is better if it takes
    /// microseconds.
    std::uint64_t least_divided = std::uint64_t{1} << 14;
    /// Where finished units are kept, so that a search that is killed can go on; null: nowhere. It must
    /// outlive the search. What it throws ends the search.
    UnitJournal* journal = nullptr;
};

} // namespace npuzzle

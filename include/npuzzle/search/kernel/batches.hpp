#pragma once

#include "npuzzle/macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// Goes through an open list by batches of nodes of equal priority, so that cache misses overlap with other
/// work. In each round one batch is prefetched, the one before it is expanded, and the successors of the one
/// before that are inserted: each prefetch has a round's time to complete.
///
/// A batch is prefetched ahead only if its priority is that of the one before: no path of a lesser priority
/// can still turn up. So the order of priorities is that of a search that goes node by node.
///
/// \tparam width the most nodes in a batch; 0 lets the library choose, and begins when the search is large
template <class Open, class Successor, std::size_t width>
class Batches {
    using Entry = typename Open::Entry;

    /// Measured on the 15-puzzle: less leaves memory idle, more gains nothing.
    static constexpr std::size_t most = width != 0 ? width : 16;
    /// With fewer nodes than this, cache misses are few, and a batch can cost more expansions than it saves
    /// time.
    static constexpr std::uint64_t from_nodes = width != 0 ? 0 : std::uint64_t{1} << 16;
    /// Nor does a short open list have batches to give.
    static constexpr std::uint64_t from_open = width != 0 ? 1 : 64;

    struct Always {
        template <class Priority>
        constexpr bool operator()(const Priority& /*priority*/) const {
            return true;
        }
    };

public:
    /// Whether the search is large enough.
    template <class Table>
    static bool pay_off(const Open& open, const Table& table) {
        return most > 1 && table.size() >= from_nodes && open.size() >= from_open;
    }

    /// Runs while the open list is long enough, and `goes_on(priority)` is true, which is asked before nodes
    /// are taken. Unless the search is over, no successors wait after that but what `insert` has left in
    /// `successors`.
    /// \param successors where `visit` leaves them
    /// \param visit expands the node of an entry, if it is not superseded; false if the search is over
    /// \param insert `insert(successors, priority)` puts them into the table and clears them; false if the
    ///         search is over
    template <class Table, class Visit, class Insert, class GoesOn = Always>
    void run(Open& open, Table& table, std::vector<Successor>& successors, Visit&& visit, Insert&& insert,
             GoesOn&& goes_on = {}) {
        waiting_.clear(); // of a search that was over, and began again
        Batch now;
        Batch next;
        for (;;) {
            if (now.count == 0) {
                if (open.size() < from_open || !goes_on(open.first_priority())) {
                    return;
                }
                take(now, open, table);
            }
            const auto priority = now.entries[0].priority;
            next.count = 0;
            if (!open.empty() && open.first_priority() == priority && goes_on(priority)) {
                take(next, open, table);
            }
            prefetch(table);
            for (std::size_t i = 0; i < now.count; ++i) {
                if (!visit(now.entries[i])) {
                    return;
                }
            }
            const bool is_running = insert(waiting_, priority);
            std::swap(waiting_, successors);
            if (!is_running) {
                return;
            }
            if (next.count == 0) {
                prefetch(table);
                if (!insert(waiting_, priority)) {
                    return;
                }
            }
            std::swap(now, next);
        }
    }

private:
    struct Batch {
        std::array<Entry, most> entries;
        std::size_t count = 0;
    };

    template <class Table>
    static void take(Batch& batch, Open& open, const Table& table) {
        batch.count = open.pop_equal(batch.entries.data(), most);
        for (std::size_t i = 0; i < batch.count; ++i) {
            table.prefetch(batch.entries[i].key);
        }
    }

    /// Prefetches what is left to prefetch of the successors' slots, now that their first cache lines are
    /// there.
    template <class Table>
    void prefetch(const Table& table) const {
        for (const Successor& successor : waiting_) {
            table.prefetch(successor.probe);
        }
    }

    std::vector<Successor> waiting_; // the successors of the batch before
};

} // namespace npuzzle::detail

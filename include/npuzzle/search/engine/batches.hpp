#pragma once

#include "npuzzle/macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// Goes through an open list by batches of nodes of equal priority, so that cache misses overlap with other
/// work. In each round one batch is prefetched, the one before it is expanded, and the successors of the one
/// before that are inserted: each prefetch has a round's time to complete.
///
/// A batch is prefetched ahead only if its priority equals the last one's: no path of a lesser priority
/// can still turn up. So the order of priorities is the same as in a search that goes node by node.
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

public:
    /// Whether the search is large enough.
    template <class Table>
    static bool pay_off(const Open& open, const Table& table) {
        return most > 1 && table.size() >= from_nodes && open.size() >= from_open;
    }

    /// Runs while the open list is long enough, and `goes_on()` is true, which is asked before nodes are
    /// taken. Unless the search is over, no successors wait after that.
    ///
    /// A run that ends since `visit` says so is interrupted: the next one goes on where it was.
    /// \param successors where `visit` leaves them
    /// \param visit expands the node of an entry, if it is not superseded; false if the search is over
    /// \param insert `insert(successors, priority)` puts them into the table, where their slots have been
    ///         prefetched, and clears them; false if the search is over
    template <class Table, class Visit, class Insert, class GoesOn>
    void run(Open& open, Table& table, std::vector<Successor>& successors, Visit&& visit, Insert&& insert,
             GoesOn&& goes_on) {
        Taken taken;
        bool is_taken = interrupted_.has_value();
        if (is_taken) [[unlikely]] {
            taken = *std::move(interrupted_);
            interrupted_.reset();
        } else {
            waiting_.clear(); // of a search that was over, and began again
        }
        auto& [now, next, at] = taken;
        for (;;) {
            if (now.count == 0) {
                if (open.size() < from_open || !goes_on()) {
                    return;
                }
                take(now, open, table);
            }
            const auto priority = now.entries[0].priority;
            if (!std::exchange(is_taken, false)) {
                next.count = 0;
                if (!open.empty() && open.first_priority() == priority && goes_on()) {
                    take(next, open, table);
                }
            }
            prefetch(table);
            for (; at < now.count; ++at) {
                if (!visit(now.entries[at])) {
                    interrupted_ = std::move(taken);
                    return;
                }
            }
            // All at once: a processor waits for each prefetch's translation of an address, but for many
            // of them at a time.
            for (const Successor& successor : successors) {
                table.prefetch_slot(successor.probe);
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
            at = 0;
            std::swap(now, next);
        }
    }

    /// Whether a run was interrupted: some entries are taken, and some successors wait.
    [[nodiscard]] bool is_interrupted() const noexcept { return interrupted_.has_value(); }

    /// Puts what an interrupted run had taken back on the open list, and inserts what waits, in `successors`
    /// last: for a search that goes on node by node.
    template <class Insert>
    void put_back(Open& open, std::vector<Successor>& successors, Insert&& insert) {
        const auto [now, next, at] = *std::move(interrupted_);
        interrupted_.reset();
        for (std::size_t i = next.count; i-- > 0;) {
            open.push(next.entries[i]);
        }
        for (std::size_t i = now.count; i-- > at;) {
            open.push(now.entries[i]);
        }
        insert(waiting_, now.entries[0].priority);
        insert(successors, now.entries[0].priority);
    }

    /// Forgets an interrupted run.
    void forget() noexcept { interrupted_.reset(); }

private:
    struct Batch {
        std::array<Entry, most> entries;
        std::size_t count = 0;
    };

    /// What a run has taken from the open list: a batch that is being expanded, up to an entry, and the next
    /// one.
    struct Taken {
        Batch now;
        Batch next;
        std::size_t at = 0;
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
    std::optional<Taken> interrupted_;
};

} // namespace npuzzle::detail

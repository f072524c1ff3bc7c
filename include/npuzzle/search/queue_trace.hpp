#pragma once

#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/engine/parts.hpp"
#include "npuzzle/search/open_list/open_list.hpp"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <vector>

namespace npuzzle {

/// An observer that writes down the whole open list before each node is taken from it, as textbooks do:
/// \code
/// QueueTrace<SlidingPuzzle<3>, Manhattan> trace;
/// astar<ParentOnly>(puzzle, start, Manhattan{}, {}, trace);
/// std::cout << trace; // step 0: (4,0,4)
/// \endcode
/// Superseded entries are left out. For small searches: each step takes time and memory linear in the open
/// list.
template <Problem P, class H>
    requires HeuristicFor<H, P>
class QueueTrace : public SilentObserver {
public:
    /// An entry of the open list.
    struct Entry {
        typename AStarPriority<cost_t<P>, estimate_t<H, P>>::Value priority;
        cost_t<P> cost;
        estimate_t<H, P> estimate;
        state_t<P> state;
    };

    /// For each node taken: the entries that were on the open list just before, in the order of f, the
    /// greatest g first among equals.
    [[nodiscard]] const std::vector<std::vector<Entry>>& steps() const noexcept { return steps_; }

    /// How many entries were put on the open list.
    [[nodiscard]] std::size_t enqueued() const noexcept { return enqueued_; }

    void start(const auto& node) { enqueue(node); }
    void generate(const auto& node, const auto& /*parent*/) { enqueue(node); }

    void duplicate(const auto& node) {
        if (!detail::is_infinite(node.priority)) {
            queue_.pop_back();
            --enqueued_;
        }
    }

    void improve(const auto& node) {
        // The last entry is the new one; the one before it is superseded.
        erase_first(queue_.end() - 1, [&](const Entry& entry) { return entry.state == node.state; });
    }

    void expand(const auto& node) { dequeue(node); }
    void goal(const auto& node) { dequeue(node); }

    /// A line a step: `step 1: (4,1,3) (6,1,5)`, each entry as (f,g,h).
    friend std::ostream& operator<<(std::ostream& out, const QueueTrace& trace) {
        for (std::size_t step = 0; step < trace.steps_.size(); ++step) {
            out << "step " << step << ':';
            for (const Entry& entry : trace.steps_[step]) {
                out << " (" << entry.priority << ',' << entry.cost << ',' << entry.estimate << ')';
            }
            out << '\n';
        }
        return out;
    }

private:
    void enqueue(const auto& node) {
        if (!detail::is_infinite(node.priority)) {
            queue_.push_back({node.priority, node.cost, node.estimate, node.state});
            ++enqueued_;
        }
    }

    void dequeue(const auto& node) {
        std::vector<Entry> sorted = queue_;
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const Entry& a, const Entry& b) { return detail::comes_before(a, b); });
        steps_.push_back(std::move(sorted));
        erase_first(queue_.end(),
                    [&](const Entry& entry) { return entry.state == node.state && entry.cost == node.cost; });
    }

    void erase_first(auto end, const auto& is_it) {
        if (const auto found = std::find_if(queue_.begin(), end, is_it); found != end) {
            queue_.erase(found);
        }
    }

    std::vector<Entry> queue_;
    std::vector<std::vector<Entry>> steps_;
    std::size_t enqueued_ = 0;
};

} // namespace npuzzle

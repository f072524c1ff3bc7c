#pragma once

#include "npuzzle/search/kernel/best_first_engine.hpp"
#include "npuzzle/search/kernel/relay_search.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

/// \file
/// What engines share that go on by a search of less memory when A* has come to its bytes: A* that leaves its
/// node table and its open nodes to others, and states by their depths, for a search by layers.

namespace npuzzle::detail {

/// The bytes that A* may hold before another search goes on.
/// \param asked 0: a quarter of what the limits say, if they say anything
constexpr std::uint64_t bytes_before(std::uint64_t asked, std::uint64_t limit) {
    return asked > 0 ? asked : limit == Limits::unlimited ? Limits::unlimited : limit / 4;
}

/// A* that stops at a number of bytes, and gives its open nodes away.
template <Problem P, class H, class O>
class LeavingAStar : public BestFirstEngine<P, H, O&> {
    using Base = BestFirstEngine<P, H, O&>;

public:
    using Base::Base, Base::estimates, Base::nearest, Base::run_until;
    using typename Base::Table, typename Base::TableNode;

    /// Whether some path was not followed since it costs too much.
    [[nodiscard]] bool has_pruned() const noexcept { return this->pruned_by_bound_; }
    [[nodiscard]] const LimitMonitor& monitor() const noexcept { return this->monitor_; }
    [[nodiscard]] MemoryBudget& budget() noexcept { return this->budget_; }
    [[nodiscard]] const MemoryBudget& budget() const noexcept { return this->budget_; }
    [[nodiscard]] const Table& table() const noexcept { return this->table_; }

    /// How a search ends that has nothing left of what this one has left.
    [[nodiscard]] Status exhausted() const { return Base::exhausted(); }

    /// Calls `visit(node, priority)` for each open node, in the order of the open list, and empties that.
    template <class F>
    void take_open(F&& visit) {
        while (!this->open_.empty()) {
            const auto entry = this->open_.pop();
            if (const std::optional<TableNode> node = this->find_open(entry)) {
                visit(*node, entry.priority);
            }
        }
        // An empty open list keeps its memory; a new one has none.
        std::destroy_at(&this->open_);
        std::construct_at(&this->open_, this->budget_);
    }

    /// Puts the path to a state into a result.
    template <class Result>
    void add_path_to(const state_t<P>& state, Result& result) const {
        const auto node = this->table_.find(this->table_.lookup_hint(state), state);
        this->add_path(*node, result.path, result);
    }

    /// The same to the state that came nearest to a goal, if there is one, as a partial path.
    template <class Result>
    void add_partial_path(Result& result) const {
        if (const std::optional<TableNode> node = nearest()) {
            this->add_path(*node, result.partial_path, result);
        }
    }
};

/// The base of such an engine. It has `astar_`, a `LeavingAStar`; `leave_astar()`, which takes over; and
/// `advance_below(most)`, which goes on from there by some expansions.
template <class Engine, class Cost, class O>
class AStarThen : public EngineBase<Engine, Cost, O> {
    using Base = EngineBase<Engine, Cost, O>;

public:
    /// Whether A* has come to its bytes or nodes.
    [[nodiscard]] bool has_left_astar() const noexcept { return has_left_astar_; }

protected:
    friend Base;

    /// \param bytes, nodes what A* may hold; no bytes are a quarter of what the limits say
    AStarThen(const BasicLimits<Cost>& limits, O&& observer, std::uint64_t bytes,
              std::uint64_t nodes = Limits::unlimited)
        : Base(limits, std::forward<O>(observer)), nodes_(nodes), bytes_(bytes_before(bytes, limits.bytes)) {}
    ~AStarThen() = default;

    void advance_many() { advance(layer_batch); }

    void advance(unsigned most = 1) {
        if (has_left_astar_) {
            self().advance_below(most);
            return;
        }
        if (most == 1) {
            self().astar_.step();
        } else {
            self().astar_.run_until(bytes_, nodes_);
        }
        follow_astar();
    }

    /// Ends with A*, or goes on below it.
    void follow_astar() {
        const auto& astar = self().astar_;
        if (astar.status() != Status::running) {
            this->end(astar.status()); // The observer has been told.
        } else if (astar.budget().used() >= bytes_ || astar.table().size() >= nodes_) {
            has_left_astar_ = true;
            self().leave_astar();
        }
    }

private:
    Engine& self() { return static_cast<Engine&>(*this); }

    std::uint64_t nodes_;
    std::uint64_t bytes_;
    bool has_left_astar_ = false;
};

/// The states to which a node table has a path that is no longer.
template <class Table>
class KnownByTable {
public:
    explicit KnownByTable(const Table& table) : table_(&table) {}

    void prefetch(const typename Table::State& state) const {
        table_->prefetch_slot(table_->lookup_hint(state));
    }

    template <class Cost>
    [[nodiscard]] bool contains(const typename Table::State& state, const Cost& cost) const {
        const auto node = table_->find(table_->lookup_hint(state), state);
        return node && !(cost < node->cost());
    }

private:
    const Table* table_;
};

/// States by their depths, numbered from 0 in that order.
template <FrontierProblem P>
class StatesByDepth {
    using Storage = LayerStorage<P>;
    using Items = std::vector<typename Storage::Item, BudgetAllocator<typename Storage::Item>>;

public:
    using State = state_t<P>;

    StatesByDepth(const P& problem, MemoryBudget& budget)
        : problem_(&problem), items_(BudgetAllocator<Items>(budget)), budget_(&budget) {}

    void add(const State& state, int depth) {
        const auto row = static_cast<std::size_t>(depth);
        while (items_.size() <= row) {
            items_.emplace_back(BudgetAllocator<typename Storage::Item>(*budget_));
        }
        items_[row].push_back(Storage::pack(*problem_, state));
        ++size_;
    }

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// The least depth of the states from a number on, which is less than `size()`.
    [[nodiscard]] int depth_of(std::uint64_t number) const {
        int depth = 0;
        for (; items_[static_cast<std::size_t>(depth)].size() <= number; ++depth) {
            number -= items_[static_cast<std::size_t>(depth)].size();
        }
        return depth;
    }

    /// How many states are less deep.
    [[nodiscard]] std::uint64_t first_of(int depth) const {
        std::uint64_t first = 0;
        for (int i = 0; i < depth; ++i) {
            first += items_[static_cast<std::size_t>(i)].size();
        }
        return first;
    }

    /// Calls `visit(state, number)` for each state of a depth whose number is in [begin, end).
    template <class F>
    void for_each(int depth, std::uint64_t begin, std::uint64_t end, F&& visit) const {
        if (depth < 0 || static_cast<std::size_t>(depth) >= items_.size()) {
            return;
        }
        const Items& items = items_[static_cast<std::size_t>(depth)];
        const std::uint64_t first = first_of(depth);
        for (std::uint64_t i = std::max(begin, first); i < std::min<std::uint64_t>(end, first + items.size());
             ++i) {
            visit(Storage::unpack(*problem_, items[static_cast<std::size_t>(i - first)]), i);
        }
    }

private:
    const P* problem_;
    std::vector<Items, BudgetAllocator<Items>> items_;
    MemoryBudget* budget_;
    std::uint64_t size_ = 0;
};

} // namespace npuzzle::detail

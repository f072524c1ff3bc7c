#pragma once

#include "npuzzle/search/best_first.hpp"
#include "npuzzle/search/memory/budget_allocator.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace npuzzle {

namespace detail {

/// An open list by layers: entries are pushed into the next layer. When a layer begins, its best `width`
/// entries are kept: by the least priority, then the least cost, then the order of pushes. Linear time.
template <class Priority, class Cost, class Key>
class BeamOpenList {
public:
    using Entry = OpenEntry<Priority, Cost, Key>;

    explicit BeamOpenList(MemoryBudget& budget)
        : layer_(BudgetAllocator<Entry>(budget)), next_(BudgetAllocator<Entry>(budget)) {}

    void push(const Entry& entry) { next_.push_back(entry); }

    /// Requires an entry.
    Entry pop() {
        if (position_ == layer_.size()) begin_layer();
        return layer_[position_++];
    }

    bool empty() const { return position_ == layer_.size() && next_.empty(); }
    std::uint64_t size() const { return layer_.size() - position_ + next_.size(); }

    void clear() {
        layer_.clear();
        next_.clear();
        position_ = 0;
        has_dropped_ = false;
    }
    /// Whether an entry has been dropped since the list was made or cleared.
    bool has_dropped() const noexcept { return has_dropped_; }

    std::size_t width = 1;
    std::function<void(const Entry&)> drop; ///< called for each dropped entry

private:
    static bool is_better(const Entry& a, const Entry& b) {
        return a.priority < b.priority || (!(b.priority < a.priority) && a.cost < b.cost);
    }

    void begin_layer() {
        position_ = 0;
        layer_ = next_;
        if (width < layer_.size()) {
            has_dropped_ = true;
            const auto last = layer_.begin() + static_cast<std::ptrdiff_t>(width - 1);
            std::nth_element(layer_.begin(), last, layer_.end(), is_better);
            const Entry worst = *last;
            // How many equals stand before it does not depend on the standard library, which ones does.
            auto equals = std::count_if(layer_.begin(), last + 1,
                                        [&](const Entry& entry) { return !is_better(entry, worst); });
            layer_.clear();
            for (const Entry& entry : next_) {
                if (is_better(entry, worst) || (!is_better(worst, entry) && equals-- > 0)) {
                    layer_.push_back(entry);
                } else {
                    drop(entry);
                }
            }
        }
        next_.clear();
    }

    std::vector<Entry, BudgetAllocator<Entry>> layer_;
    std::vector<Entry, BudgetAllocator<Entry>> next_;
    std::size_t position_ = 0; // in the layer
    bool has_dropped_ = false;
};

struct BeamPolicy : PooledPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = BeamOpenList<Priority, Cost, Key>;
    static constexpr bool reopens = false;
    static constexpr bool early_goal_test = true;
};

/// `BestFirst` with an open list that drops entries. Each state is expanded once; a dropped state may be
/// generated again. With a `max_cost`, both may be expanded again, but only by a cheaper path.
template <Problem P, class H, class O>
class BeamSearch : public best_first_t<P, H, O, BeamPolicy, GreedyPriority<cost_t<P>, estimate_t<H, P>>> {
    using Base = typename BeamSearch::BestFirst;

public:
    BeamSearch(const P& problem, const state_t<P>& start, H&& heuristic, std::size_t width,
               BasicLimits<cost_t<P>> limits, O&& observer)
        : Base(problem, start, std::forward<H>(heuristic), std::move(limits), std::forward<O>(observer)) {
        if (width == 0) throw std::invalid_argument("a beam has a width of 1 or more");
        this->open_.width = width;
        this->open_.drop = [this](const typename Base::Entry& entry) { forget_path(entry); };
    }

    /// Begins again with a beam twice as wide; statistics and limits go on.
    void widen(const state_t<P>& start) {
        constexpr std::size_t widest = (std::numeric_limits<std::size_t>::max)();
        std::size_t& width = this->open_.width;
        width = width > widest / 2 ? widest : 2 * width;
        Engine::guarded(this->observer_, [&] {
            this->begin_again();
            this->insert_start(start);
        });
    }

private:
    /// Makes any new path to the node of a dropped entry cheaper. Not if nodes are reopened: the node may be
    /// on the path to others, and they on the new path to it.
    void forget_path(const typename Base::Entry& entry) {
        if constexpr (std::numeric_limits<cost_t<P>>::is_specialized) {
            const auto any = [](const state_t<P>&) { return true; };
            if (auto node = this->table_.find_open(entry.key, entry.cost, any); node && !this->may_reopen()) {
                node->relax(infinite<cost_t<P>>(), node->estimate(), node->link());
            }
        }
    }
};

} // namespace detail

/// The options of beam search: `{.width = 100}`.
struct BeamOptions {
    std::size_t width = 1; ///< how many nodes of each layer are expanded; `doubling_beam` begins with it
};

/// Beam search (B. Lowerre 1976). A layer holds the states generated from the layer before. Its `width` nodes
/// of the least h are expanded, the others are dropped. It ends at the first goal that is generated. It finds
/// some path in spaces that are too large for an optimal search. The cost has no bound; a wider beam tends to
/// find a cheaper path, in more time. Memory: all states generated.
///
/// \param limits `max_cost` prunes by g + h
/// \return as from `astar`; without a path, the status is `Status::beam_exhausted`, or a proof if nothing was
///         dropped: `unsolvable` or `cost_limit`
/// \throws std::invalid_argument if the width is 0
template <Problem P, class H, class O = detail::default_observer_t<P, H, detail::BeamPolicy>>
    requires HeuristicFor<H, P>
search_result_t<P> beam_search(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                               BeamOptions options, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<detail::BeamSearch<P, H, O>>(problem, start, std::forward<H>(heuristic),
                                                           options.width, limits, std::forward<O>(observer));
}

/// Beam search until solved: an exhausted beam begins again, twice as wide. A finite space gives a path, or
/// the proof that there is none. All beams share the limits and the statistics.
///
/// \throws std::invalid_argument if the width is 0
template <Problem P, class H, class O = detail::default_observer_t<P, H, detail::BeamPolicy>>
    requires HeuristicFor<H, P>
search_result_t<P> doubling_beam(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                                 BeamOptions options = {}, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::guarded_search([&] {
        detail::BeamSearch<P, H, O> engine(problem, start, std::forward<H>(heuristic), options.width, limits,
                                           std::forward<O>(observer));
        while (engine.run() == SearchStatus::beam_exhausted) engine.widen(start);
        return engine.result();
    });
}

} // namespace npuzzle

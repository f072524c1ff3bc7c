#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/kernel/ida_star_base.hpp"
#include "npuzzle/search/kernel/interleaved_search.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>

/// \file
/// When an engine of IDA* searches several subtrees in turn, and what it makes of that.

namespace npuzzle::detail {

/// Whether `InterleavedSearch` can be used for a problem with a heuristic.
/// \tparam B the bound heuristic
template <class B, class P>
inline constexpr bool can_interleave =
    AwaitingHeuristicFor<B, P> && LimitsMoves<P> && std::is_trivially_copyable_v<state_t<P>> &&
    std::default_initializable<state_t<P>>;

/// Visits subtrees in place of `IdaStar`, by an `InterleavedSearch`, which is made for the first of them.
template <class P, class B, class Bound, bool is_end_told>
class Interleaving {
    using Search = InterleavedSearch<P, B, Bound, is_end_told>;
    using Node = typename Search::Node;

public:
    /// Visits the state of a node. Returns whether the search is over then, as the engine's visits do; nothing
    /// if one depth-first search is to visit it.
    template <class Engine>
    NPUZZLE_NOINLINE std::optional<bool> visit(Engine& engine, const Node& root) {
        engine.flush_counters();
        if (!is_worthwhile(engine)) {
            return std::nullopt;
        }
        if (!search_) {
            search_ = std::make_unique<Search>(*engine.problem_, engine.heuristic_, Engine::max_depth);
        }
        const Statistics before = engine.statistics_;
        const auto count = [&](const auto& counts) {
            engine.statistics_.expanded = before.expanded + counts.expanded;
            engine.statistics_.generated = before.generated + counts.generated;
        };
        Status limit = Status::running;
        const bool is_searched = search_->search(engine.bound_, root, [&](const auto& counts) {
            count(counts);
            limit = check(engine);
            return limit == Status::running ? engine.monitor_.grant(engine.statistics_.expanded, most_granted)
                                            : std::uint64_t{0};
        });
        if (limit == Status::expansion_limit) {
            engine.statistics_ = before;
            return std::nullopt;
        }
        if (!is_searched) {
            engine.end(limit, root.position);
            return true;
        }
        count(search_->counts());
        if (search_->error()) {
            std::rethrow_exception(search_->error());
        }
        if (!search_->end()) {
            return false;
        }
        const Node& end = *search_->end();
        engine.ends(end.state, end.position, engine.estimate_of(end.evaluation));
        std::copy_backward(search_->path_to_end().begin(), search_->path_to_end().end(), engine.taken_.end());
        return true;
    }

private:
    static constexpr std::uint64_t most_granted = std::uint64_t{1} << 16;

    /// Only a search that has taken some time, by tables that are large, and far from a limit of expansions:
    /// where that ends it, only one depth-first search can tell.
    template <class Engine>
    static bool is_worthwhile(Engine& engine) {
        constexpr std::uint64_t least_expanded = 1000;
        constexpr std::uint64_t greatest_growth = 16;
        constexpr std::size_t least_bytes = std::size_t{1} << 24;
        const std::uint64_t expanded = engine.statistics_.expanded;
        return expanded >= least_expanded && expanded < engine.monitor_.expansions() / greatest_growth &&
               engine.heuristic_.looked_up_bytes() >= least_bytes;
    }

    /// The limit that has been reached, if any. Else tells the progress.
    template <class Engine>
    static Status check(Engine& engine) {
        const std::uint64_t expanded = engine.statistics_.expanded;
        if (expanded >= engine.monitor_.expansions()) {
            return Status::expansion_limit;
        }
        Status limit = Status::running;
        if (engine.monitor_.is_due(expanded)) {
            limit = engine.monitor_.check(expanded);
            if (limit == Status::running) {
                tell_progress(engine.observer_, engine.statistics(), engine.bound_.value());
            }
        }
        return limit;
    }

    std::unique_ptr<Search> search_;
};

/// `Interleaving`, or nothing.
/// \tparam B the bound heuristic, or a reference to it
template <bool is_used, class P, class B, class Bound, bool is_end_told>
using interleaving_t =
    std::conditional_t<is_used, Interleaving<P, std::remove_reference_t<B>, Bound, is_end_told>, Nothing>;

} // namespace npuzzle::detail

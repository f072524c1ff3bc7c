#pragma once

#include "npuzzle/search/engine/engine.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

/// \file
/// What all engines that can be stepped have in common.

namespace npuzzle {

/// The base of all engines: steps and runs a search, ends it when a limit is reached or memory runs out, and
/// reports its state.
///
/// An engine befriends it and has `advance()`: one expansion, or the end by `finish`. It may have, in place
/// of those that are here, `advance_many()`, `complete(statistics)` and `finish(status)`.
///
/// \tparam Derived what derives from it
/// \tparam Cost of what the limits bound
/// \tparam O the observer; a reference type to refer to an lvalue
template <class Derived, class Cost, class O>
class EngineBase : public Engine {
public:
    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        guarded([&] {
            if (status_ == SearchStatus::running) {
                self().advance();
            }
        });
        return status_ == SearchStatus::running;
    }

    /// Steps to the end.
    SearchStatus run() {
        guarded([&] {
            while (status_ == SearchStatus::running) {
                self().advance_many();
            }
        });
        return status_;
    }

    /// What has been done so far.
    [[nodiscard]] NPUZZLE_NOINLINE Statistics statistics() const {
        Statistics statistics = measured();
        self().complete(statistics);
        return statistics;
    }

protected:
    EngineBase(const BasicLimits<Cost>& limits, O&& observer)
        : Engine(limits), observer_(std::forward<O>(observer)),
          max_cost_(detail::checked_max_cost(limits.max_cost)) {}
    ~EngineBase() = default;

    /// What `run` does by turns.
    void advance_many() { self().advance(); }

    /// Adds what is not in `statistics_`.
    void complete(Statistics& /*statistics*/) const {}

    NPUZZLE_NOINLINE void finish(SearchStatus status) {
        end(status);
        if constexpr (!is_silent) {
            observer_.progress(statistics());
        }
    }

    /// `work()`; the end of the search if there is no memory for it, or if it throws.
    template <class F>
    void guarded(F&& work) {
        Engine::guarded(work, [this](SearchStatus status) { self().finish(status); });
    }

    /// Looks at the limits: to be called when the monitor says that it is due. True if one of them has ended
    /// the search, else the observer is told of the progress.
    template <class... Bound>
    bool is_stopped(std::uint64_t expanded, const Bound&... bound) {
        if (const SearchStatus limit = monitor_.check(expanded, !is_silent); limit != SearchStatus::running) {
            self().finish(limit);
            return true;
        }
        if constexpr (!is_silent) {
            detail::tell_progress(observer_, statistics(), bound...);
        }
        return false;
    }

    /// How a search ends that has nothing left to expand.
    /// \param can_hold whether nodes can have such a cost
    template <class CanHold>
    SearchStatus exhausted(CanHold&& can_hold) const {
        return Engine::exhausted(detail::is_bound(max_cost_, can_hold));
    }
    SearchStatus exhausted() const { return exhausted(detail::is_finite); }

    /// The outcome, once `add_path(result)` has added the path; without it if there is no memory for that, or
    /// if the search has failed.
    template <class Result, class F>
    Result outcome(Result result, F&& add_path) const {
        return Engine::outcome(std::move(result), [this] { return statistics(); }, add_path);
    }

    O observer_;
    std::optional<Cost> max_cost_;

private:
    /// Whether nobody is told of the progress.
    static constexpr bool is_silent = std::same_as<std::remove_cvref_t<O>, SilentObserver>;

    Derived& self() { return static_cast<Derived&>(*this); }
    const Derived& self() const { return static_cast<const Derived&>(*this); }
};

} // namespace npuzzle

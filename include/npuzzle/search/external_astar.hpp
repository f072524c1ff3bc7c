#pragma once

#include "npuzzle/search/core/heuristic.hpp"
#include "npuzzle/search/engine/call.hpp"
#include "npuzzle/search/engine/engine.hpp"
#include "npuzzle/search/engine/external_buckets.hpp"
#include "npuzzle/search/engine/traveler.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// A* in a folder: what does not fit in memory is in a file.

namespace npuzzle {

/// Where a search keeps what does not fit in memory.
struct ExternalOptions {
    /// The folder of the file; empty for the folder of temporary files (`TMPDIR`, else `/tmp`, which may be
    /// in memory; on Windows `TMP` or `TEMP`). The file is gone when the search ends, or the process.
    std::string folder = {};
    /// The most bytes that the file may hold. Beyond it, or when the disk is full, the search ends with
    /// `Status::memory_limit`.
    std::uint64_t file_bytes = Limits::unlimited;
};

/// What external A* needs of a problem and a heuristic: costs and estimates are integers, a state is a word
/// (`PackedProblem`) or is copied like its bytes and has a hash, and so is a move.
template <class P, class H>
concept ExternalProblem = HeuristicFor<H, P> && std::integral<cost_t<P>> && std::integral<estimate_t<H, P>> &&
                          (PackedProblem<P> || (HasHash<P> && std::is_trivially_copyable_v<state_t<P>>)) &&
                          (!detail::has_moves<P> || std::is_trivially_copyable_v<move_t<P>>);

/// The outcome of external A*.
template <class State, class Cost, class Move = void>
struct ExternalResult : SearchResult<State, Cost, Move> {
    std::uint64_t file_bytes = 0; ///< the most bytes that the file held at one time
};

/// External A* as an object: each `step` expands a node, or removes the duplicates of the next ones. See
/// `external_astar`.
///
/// \tparam O an `ObserverOf` its nodes; told of no duplicates, which are found later
template <Problem P, class H, class O = SilentObserver>
    requires ExternalProblem<P, H>
class ExternalAStar : public Engine {
public:
    using State = state_t<P>;
    using Cost = cost_t<P>;
    using Estimate = estimate_t<H, P>;
    using Node = NodeView<State, Cost, Estimate, Estimate>; ///< as observers see it
    using Result = ExternalResult<State, Cost, move_t<P>>;

    /// No temporary problem: the engine refers to it.
    ExternalAStar(const P&& problem, const State& start, H&& heuristic, const ExternalOptions& options,
                  const BasicLimits<Cost>& limits = {}, O&& observer = O{}) = delete;

    /// \throws std::runtime_error, which names the folder, if no file can be made there
    ExternalAStar(const P& problem, const State& start, H&& heuristic, const ExternalOptions& options,
                  const BasicLimits<Cost>& limits = {}, O&& observer = O{})
        : Engine(limits), observer_(std::forward<O>(observer)),
          max_cost_(detail::checked_max_cost(limits.max_cost)), problem_(&problem),
          heuristic_(detail::make_bound_heuristic(std::forward<H>(heuristic), problem)),
          estimates_(heuristic_, statistics_),
          buckets_(Hash{&problem}, options.folder, options.file_bytes, limits, budget_) {
        monitor_.restart(); // To bind a heuristic may take long.
        guarded([&] { insert_start(start); });
    }

    /// One expansion, or the end of the search. Returns whether the search goes on.
    bool step() {
        guarded([this] {
            if (status_ == SearchStatus::running) {
                advance();
            }
        });
        return status_ == SearchStatus::running;
    }

    /// Steps to the end.
    SearchStatus run() {
        guarded([this] {
            while (status_ == SearchStatus::running) {
                advance();
            }
        });
        return status_;
    }

    /// What has been done so far.
    [[nodiscard]] NPUZZLE_NOINLINE Statistics statistics() const {
        Statistics statistics = measured();
        buckets_.add_to(statistics);
        return statistics;
    }

    /// The outcome, with the path if the search is solved, else with the partial path. Either is found by
    /// reading the nodes of as many buckets as it has steps. \throws std::runtime_error if they cannot be read
    [[nodiscard]] Result result() const {
        const auto add_paths = [this](Result& found) {
            if (status_ == SearchStatus::solved) {
                add_path(*goal_, found.path, found);
            } else if (detail::ends_without_goal(status_) && nearest_) {
                add_path(*nearest_, found.partial_path, found);
            }
        };
        Result result = outcome(Result{}, [this] { return statistics(); }, add_paths);
        result.file_bytes = file_bytes();
        return result;
    }

    /// The most bytes that the file held at one time.
    [[nodiscard]] std::uint64_t file_bytes() const noexcept { return buckets_.peak_file_bytes(); }

private:
    using Stored = detail::traveling_t<P>;
    using Link = typename std::conditional_t<detail::has_moves<P>, detail::move_of<P>,
                                             std::type_identity<Stored>>::type;
    using BoundHeuristic = typename detail::bound_heuristic<H, P>::type;
    using Estimates = detail::Estimator<BoundHeuristic, P>;

    static constexpr bool is_watched = sees_nodes<O>;
    static constexpr bool is_silent = std::same_as<std::remove_cvref_t<O>, SilentObserver>;
    static constexpr bool is_promised = declares_consistent<BoundHeuristic>;

    struct Hash {
        const P* problem;
        std::uint64_t operator()(const Stored& state) const {
            if constexpr (!PackedProblem<P>) {
                return detail::hash_state(*problem, state);
            } else if constexpr (std::same_as<Stored, State>) {
                return detail::mix_word(problem->pack(state));
            } else {
                return detail::mix_word(state);
            }
        }
    };
    using Buckets = detail::ExternalBuckets<Cost, Estimate, Stored, Link, Hash>;
    using Record = typename Buckets::Record;
    using Bucket = typename Buckets::Bucket;

    /// A record, and where it is.
    struct Found {
        Record record;
        Cost cost;
        Estimate estimate;
    };

    [[nodiscard]] State state_of(const Stored& stored) const {
        return detail::unpack_traveler(*problem_, Stored(stored));
    }
    [[nodiscard]] Stored stored_as(State state) const {
        return detail::pack_for_travel(*problem_, std::move(state));
    }

    static Link root_link([[maybe_unused]] const Stored& start) {
        if constexpr (detail::has_moves<P>) {
            return P::no_move;
        } else {
            return start;
        }
    }
    static bool is_root(const Record& record) {
        return detail::is_equal(record.link, root_link(record.state));
    }

    static Node view_of(const State& state, const Cost& cost, const Estimate& estimate) {
        return Node{state, cost, estimate, AStarPriority<Cost, Estimate>{}(cost, estimate)};
    }

    template <class F>
    void guarded(F&& work) {
        Engine::guarded(work, [this](SearchStatus status) { finish(status); });
    }

    void finish(SearchStatus status) {
        buckets_.release();
        end(status);
        if (!is_silent) {
            observer_.progress(statistics());
        }
    }

    /// Whether a limit ends the search; else the observer is told of the progress.
    bool is_stopped(const Estimate& priority) {
        const SearchStatus limit = monitor_.check(statistics_.expanded, !is_silent);
        if (limit != SearchStatus::running) {
            finish(limit);
        } else if (!is_silent) {
            detail::tell_progress(observer_, statistics(), priority);
        }
        return limit != SearchStatus::running;
    }

    void insert_start(const State& start) {
        const Node view = view_of(detail::checked_state(*problem_, start), Cost{}, estimates_(start));
        observer_.start(view);
        const Stored stored = stored_as(start);
        enqueue(view, Record{stored, root_link(stored)});
    }

    /// Puts a node that was reached into its bucket, unless no path through it is worth that.
    void enqueue(const Node& view, const Record& record) {
        if (detail::is_infinite(view.estimate)) {
            return; // a dead end
        }
        if (detail::is_infinite(view.priority) || detail::is_over(max_cost_, view.priority)) {
            pruned_by_bound_ = true;
            return;
        }
        buckets_.add(view.cost, view.estimate, view.priority, record);
    }

    void advance() {
        if (const std::optional<Record> record = buckets_.first()) {
            expand(*record, buckets_.current());
        } else if (!buckets_.is_empty()) {
            if (const SearchStatus limit = buckets_.go_on(statistics_); limit != SearchStatus::running) {
                finish(limit);
            }
        } else {
            finish(exhausted(detail::is_bound(max_cost_, detail::is_finite)));
        }
    }

    void expand(const Record& record, const Bucket& bucket) {
        const State state = state_of(record.state);
        const Node view = view_of(state, bucket.cost, bucket.estimate);
        note_nearest(record, view);
        if (problem_->is_goal(state)) {
            detail::check_goal(view.estimate, statistics_);
            observer_.goal(view);
            goal_ = Found{record, view.cost, view.estimate};
            finish(SearchStatus::solved);
            return;
        }
        if (monitor_.is_due(statistics_.expanded) && is_stopped(view.priority)) {
            return;
        }
        buckets_.pop();
        ++statistics_.expanded;
        observer_.expand(view);
        const auto evaluation = estimates_.evaluation_of(state, view.estimate);
        for_each_neighbor(record, state, [&](State&& child, const Cost& step, const auto& move) {
            const Cost cost = detail::saturating_add<Cost>(view.cost, step);
            if (!may_follow(step, cost, detail::is_finite)) {
                return;
            }
            ++statistics_.generated;
            const Node reached = view_of(child, cost, estimates_.after(evaluation, state, move, child));
            if constexpr (is_watched) {
                observer_.generate(reached, view);
            }
            detail::check_consistency<is_promised>(view.priority, reached.priority, statistics_);
            if constexpr (detail::has_moves<P>) {
                enqueue(reached, Record{stored_as(child), move});
            } else {
                enqueue(reached, Record{stored_as(child), record.state});
            }
        });
    }

    /// The neighbors of a node, without the way straight back.
    template <class F>
    void for_each_neighbor(const Record& record, const State& state, F&& visit) const {
        if constexpr (detail::has_moves<P>) {
            detail::for_each_neighbor(*problem_, state, record.link, detail::nothing_leads_back, visit);
        } else {
            const State before = state_of(record.link); // the start's is itself, to which no way need be gone
            const auto leads_back = [&](const State& child, const Cost&) {
                return detail::is_equal(before, child);
            };
            detail::for_each_neighbor(*problem_, state, detail::Nothing{}, leads_back, visit);
        }
    }

    /// Takes note of the node that is nearest to a goal: by the least estimate, without one by the greatest
    /// cost.
    void note_nearest(const Record& record, const Node& view) {
        const bool is_nearer = !nearest_ || (Estimates::is_zero ? nearest_->cost < view.cost
                                                                : view.estimate < nearest_->estimate);
        if (is_nearer) [[unlikely]] {
            nearest_ = Found{record, view.cost, view.estimate};
        }
    }

    /// Appends the path to a node, and puts its moves and its cost into a result.
    void add_path(const Found& end, std::vector<State>& path, Result& result) const {
        auto&& moves = detail::moves_of<P>(result);
        typename Buckets::Reader reader(buckets_);
        Found found = end;
        for (;; found = before(found, reader)) {
            path.push_back(state_of(found.record.state));
            if (is_root(found.record)) {
                break;
            }
            if constexpr (detail::has_moves<P>) {
                moves.push_back(found.record.link);
            }
        }
        std::reverse(path.begin(), path.end());
        if constexpr (detail::has_moves<P>) {
            std::reverse(moves.begin(), moves.end());
        }
        result.cost = end.cost;
    }

    /// The node that a node came from.
    [[nodiscard]] Found before(const Found& found, typename Buckets::Reader& reader) const {
        const State state = state_of(found.record.state);
        std::optional<Found> before;
        const auto look_up = [&](const State& from, const Cost& step) {
            if (!before && !(found.cost < step)) {
                const auto cost = static_cast<Cost>(found.cost - step);
                const Estimate estimate = estimates_(from);
                if (const auto link = reader.find(cost, estimate, stored_as(from))) {
                    before = Found{{stored_as(from), *link}, cost, estimate};
                }
            }
        };
        if constexpr (detail::has_moves<P>) {
            State from = state;
            problem_->apply(from, problem_->inverse(found.record.link));
            look_up(from, detail::step_cost(*problem_, from, found.record.link));
        } else {
            const State from = state_of(found.record.link);
            detail::for_each_neighbor(*problem_, from,
                                      [&](const State& neighbor, const Cost& step, const auto&) {
                                          if (detail::is_equal(neighbor, state)) {
                                              look_up(from, step);
                                          }
                                      });
        }
        if (!before) {
            throw std::logic_error("external A*: the heuristic or the problem gives a state two values");
        }
        return *before;
    }

    O observer_;
    std::optional<Cost> max_cost_;
    const P* problem_;
    BoundHeuristic heuristic_;
    Estimates estimates_;
    Buckets buckets_;
    std::optional<Found> goal_;
    std::optional<Found> nearest_;
};

template <class P, class H, class O = SilentObserver>
ExternalAStar(const P&, const state_t<P>&, H&&, const ExternalOptions&, limits_t<P> = {}, O&& = O{})
    -> ExternalAStar<P, H, O>;

/// A* whose nodes are in a file, by external A* (S. Edelkamp, S. Jabbar, S. Schroedl, "External A*", KI 2004)
/// with delayed duplicate detection by hashing (R. E. Korf, "Best-first frontier search with delayed
/// duplicate detection", AAAI 2004). For searches that do not fit in memory: the file is read and written in
/// order, so that it takes little more time than A* with memory for all.
///
/// Nodes of equal g and h form a bucket. A neighbor is appended to its bucket at once, even if it is a
/// duplicate. Before a bucket is expanded, its records go into a hash table, in parts if they do not fit.
/// Those that are also in a bucket of the same h and of no greater g are dropped. So memory holds one bucket
/// or a part of it, and the end of each other bucket.
///
/// Buckets are expanded in the order of f. Among buckets of equal f, the greatest g comes first, as
/// in `astar`, but several are taken at a time, so that the comparison with closed nodes pays off.
///
/// The cost is optimal if the heuristic is admissible. It need not be consistent; then states may be expanded
/// again, which `reopened` does not count. `stored` counts records, duplicates that wait among them. A file
/// that cannot be read or written is an exception; a full disk is `Status::memory_limit`.
///
/// \tparam P its costs and estimates are integers; see `ExternalProblem`
/// \param limits `bytes` is for memory: set it. A fiftieth of what `astar` would take is enough on the
///         15-puzzle. The least is some hundred kilobytes
/// \return as from `astar`, with `file_bytes`
/// \throws std::runtime_error, which names the folder, if no file can be made there
template <Problem P, class H, class O = detail::silent_observer_t<P, H, !PackedProblem<P>>>
    requires ExternalProblem<P, H>
auto external_astar(const P& problem, const detail::named_state_t<P>& start, H&& heuristic,
                    const ExternalOptions& options, limits_t<P> limits = {}, O&& observer = O{}) {
    return detail::run_engine<ExternalAStar<P, H, O>>(problem, start, std::forward<H>(heuristic), options,
                                                      limits, std::forward<O>(observer));
}

} // namespace npuzzle

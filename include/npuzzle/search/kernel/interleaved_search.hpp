#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/core/combinators.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// \file
/// A depth-first search under a bound that goes on elsewhere while it waits for memory.

namespace npuzzle::detail {

/// Searches a subtree under a bound, as the visits of `IdaStar` do, by several depth-first searches in turn:
/// each makes the children of a node and has their look-ups fetched; when it is its turn again, the values
/// are there (O. Kocberber, B. Falsafi, B. Grot, "Asynchronous memory access chaining", PVLDB 9, 2015).
///
/// The subtree is divided into parts, which are in a list in the order in which one depth-first search meets
/// them. Each search has one of the first parts. After so many expansions, it divides what is left of its
/// part: each node on its stack becomes a part of its own. So parts need not be of equal size, and all
/// searches stay near the beginning of what is left. Where one of them comes to a goal, or something is
/// thrown, all parts after that are given up, and those before it are searched to their end. So the first
/// goal, and what was counted before it, are those of one depth-first search.
///
/// \tparam B the bound heuristic, an `AwaitingHeuristicFor` the problem, which has a `move_count`
/// \tparam Bound of unit costs
/// \tparam is_end_told whether an estimate above zero tells that a path does not end at a state
template <class P, class B, class Bound, bool is_end_told>
class InterleavedSearch {
public:
    using State = state_t<P>;
    using Move = move_t<P>;
    using Estimate = estimate_t<B, P>;
    using Evaluation = typename B::Evaluation;
    using Position = typename Bound::Position;

    struct Node {
        State state;
        Evaluation evaluation;
        Position position;
        Move last;
    };

    struct Counts {
        std::uint64_t expanded = 0;
        std::uint64_t generated = 0; ///< all children of those

        void add(const Counts& other) {
            expanded += other.expanded;
            generated += other.generated;
        }
    };

    /// \param greatest_depth a node that is deeper, counted as by `Bound::depth`, ends the search
    InterleavedSearch(const P& problem, B& heuristic, std::size_t greatest_depth)
        : problem_(&problem), heuristic_(&heuristic), greatest_depth_(greatest_depth) {}

    /// Searches below a node, to the first end or wholly. Returns false if it was stopped.
    /// \param grant called with what was counted so far: how many expansions to make, or a few more, before
    ///     it is asked again; none to stop
    template <class Grant>
    bool search(Bound& bound, const Node& root, Grant&& grant) {
        begin(bound, root);
        while (searching_ > 0) {
            const std::uint64_t granted = grant(counted());
            if (granted == 0) {
                return false;
            }
            for (std::uint64_t made = 0; made < granted && searching_ > 0; made += searching_) {
                take_turns(bound);
            }
        }
        return true;
    }

    /// \name After a search
    /// @{

    /// What was counted: up to the end, as one depth-first search counts it, but for the children of a node
    /// on the path to it that one search would not have made yet.
    [[nodiscard]] const Counts& counts() const { return parts_.front().counts; }
    /// The first node that ends the search: a goal, or too deep. Empty if there is none, or an error before
    /// it.
    [[nodiscard]] const std::optional<Node>& end() const { return end_; }
    /// The moves from the root to it.
    [[nodiscard]] const std::vector<Move>& path_to_end() const { return path_; }
    /// What was thrown, if that was before all else that ends the search.
    [[nodiscard]] const std::exception_ptr& error() const { return error_; }

    /// @}

private:
    static constexpr std::size_t most_children = static_cast<std::size_t>(P::move_count);

    // Measured: so many searches in turn, and so many expansions before a part is divided; at first, and where
    // a search has nothing to do.
    static constexpr std::size_t most_searchers = 8;
    static constexpr std::uint64_t most_expansions = 2048;
    static constexpr std::uint64_t least_expansions = 128;

    enum class PartState : std::uint8_t { untaken, taken, done };

    /// A node, and what was counted below it, and in parts after it that were joined with this one.
    struct Part {
        std::optional<Node> node;
        std::vector<Move> path; ///< from the root; the first move is that to the root
        Counts counts;
        std::size_t previous = 0;
        std::size_t next = 0;
        PartState state = PartState::done;
    };

    struct Child {
        Move move{};
        typename B::Awaited awaited{};
    };

    /// A depth-first search.
    struct Searcher {
        std::size_t part = 0;
        std::uint64_t left = 0; ///< expansions before the part is divided
        Counts counts;
        bool is_at_end = false;
        std::size_t waiting = 0; ///< children whose values are on their way
        std::array<Child, most_children> children{};
        /// The end of the nodes to visit. The one that was there last is what the children are of.
        Node* top = nullptr;
        Node* last_top = nullptr; ///< beyond it, the stack grows
        std::vector<Node> stack;
        std::vector<Move> path; ///< to the node, as that of a part, and beyond
    };

    void begin(const Bound& bound, const Node& root) {
        searchers_.resize(most_searchers);
        parts_.assign(1, Part{});
        unused_.clear();
        end_.reset();
        error_ = nullptr;
        counted_ = {};
        root_depth_ = bound.depth(root.position);
        add_part(0, root, {});
        searching_ = 1;
        take(searchers_.front(), parts_.front().next, least_expansions);
    }

    /// What was counted in all parts, in any order.
    [[nodiscard]] Counts counted() const {
        Counts counts = counted_;
        for (std::size_t i = 0; i < searching_; ++i) {
            counts.add(searchers_[i].counts);
        }
        return counts;
    }

    /// Gives each search a turn.
    void take_turns(Bound& bound) {
        std::size_t i = 0;
        while (i < searching_) {
            try {
                while (i < searching_ && take_turn(bound, searchers_[i])) {
                    ++i;
                }
            } catch (...) {
                error_ = std::current_exception();
                end_.reset();
                give_up_after(i);
                continue;
            }
            if (i < searching_) {
                leave(bound, i);
            }
        }
    }

    /// Takes the values that were fetched since the last turn, and has those of the next node's children
    /// fetched. Returns whether the search goes on in its part.
    NPUZZLE_ALWAYS_INLINE bool take_turn(Bound& bound, Searcher& searcher) {
        visit_children(bound, searcher);
        if (searcher.top == searcher.stack.data() || searcher.left == 0) [[unlikely]] {
            return false;
        }
        if (searcher.top > searcher.last_top) [[unlikely]] {
            grow_stack(searcher);
        }
        const Node& node = *--searcher.top;
        const std::size_t depth = bound.depth(node.position);
        const std::size_t own_depth = depth - root_depth_;
        if (searcher.path.size() < own_depth + 2) [[unlikely]] { // with room for the move to a child
            searcher.path.resize(2 * (own_depth + 2), P::no_move);
        }
        searcher.path[own_depth] = node.last;
        if (depth > greatest_depth_ || is_goal(node)) [[unlikely]] {
            searcher.is_at_end = true;
            return false;
        }
        --searcher.left;
        ++searcher.counts.expanded;
        Child* child = searcher.children.data();
        problem_->for_each_move(node.state, node.last, [&](const Move& move) {
            child->move = move;
            heuristic_->await(child->awaited, node.evaluation, node.state, move);
            if constexpr (requires { problem_->prefetch_moves_after(move); }) {
                problem_->prefetch_moves_after(move);
            }
            ++child;
        });
        searcher.waiting = static_cast<std::size_t>(child - searcher.children.data());
        searcher.counts.generated += searcher.waiting;
        return true;
    }

    /// Puts the children that are within the bound on the stack.
    NPUZZLE_ALWAYS_INLINE void visit_children(Bound& bound, Searcher& searcher) {
        Node* const node = searcher.top;
        std::array<const Child*, most_children + 1> within;
        std::size_t count = 0;
        Position position = node->position;
        static_cast<void>(bound.advance(position, {}));
        for (std::size_t i = 0; i < searcher.waiting; ++i) {
            const Child& child = searcher.children[i];
            const auto estimate =
                convert_value<Estimate, B>(heuristic_->value(node->evaluation, child.awaited));
            within[count] = &child;
            count += bound.admits(node->position, position, estimate) ? 1 : 0;
        }
        searcher.waiting = 0;
        if (count == 0) {
            return;
        }
        // The first one on top; the last one in place of the node, of which the others are made.
        for (std::size_t i = count - 1; i-- > 0;) {
            *++searcher.top = *node;
            make(*searcher.top, *within[i], position);
        }
        make(*node, *within[count - 1], position);
        ++searcher.top;
    }

    /// Makes a child of its parent.
    NPUZZLE_ALWAYS_INLINE void make(Node& node, const Child& child, Position position) {
        problem_->apply(node.state, child.move);
        heuristic_->follow(node.evaluation, child.awaited);
        node.position = position;
        node.last = child.move;
    }

    NPUZZLE_NOINLINE static void grow_stack(Searcher& searcher) {
        const auto height = searcher.top - searcher.stack.data();
        searcher.stack.resize(std::max<std::size_t>(2 * searcher.stack.size(), 4 * most_children));
        searcher.top = searcher.stack.data() + height;
        searcher.last_top = searcher.stack.data() + searcher.stack.size() - most_children;
    }

    NPUZZLE_ALWAYS_INLINE bool is_goal(const Node& node) {
        return (!is_end_told ||
                !(Estimate{} < convert_value<Estimate, B>(heuristic_->value(node.evaluation)))) &&
               problem_->is_goal(node.state);
    }

    /// A search leaves its part, and takes another one; others may do so, too.
    NPUZZLE_NOINLINE void leave(const Bound& bound, std::size_t i) {
        Searcher& searcher = searchers_[i];
        if (searcher.is_at_end) {
            end_ = *searcher.top;
            error_ = nullptr;
            const auto length = static_cast<std::ptrdiff_t>(bound.depth(end_->position) - root_depth_);
            path_.assign(searcher.path.begin() + 1, searcher.path.begin() + 1 + length);
            give_up_after(i);
            return;
        }
        divide(bound, searcher);
        finish(i);
        take_parts();
    }

    /// Makes a part of each node that is left.
    void divide(const Bound& bound, Searcher& searcher) {
        std::size_t before = searcher.part;
        while (searcher.top > searcher.stack.data()) {
            const Node& node = *--searcher.top;
            const std::size_t depth = bound.depth(node.position) - root_depth_;
            searcher.path[depth] = node.last;
            before = add_part(before, node, {searcher.path.data(), depth + 1});
        }
    }

    /// The search is over, or goes on before the part of this searcher.
    void give_up_after(std::size_t i) {
        std::size_t number = parts_[searchers_[i].part].next;
        while (number != 0) {
            parts_[number].state = PartState::done;
            number = remove_part(number);
        }
        finish(i);
        for (std::size_t other = searching_; other-- > 0;) {
            if (parts_[searchers_[other].part].state == PartState::done) {
                drop(other);
            }
        }
        take_parts();
    }

    /// The part of a searcher is done.
    void finish(std::size_t i) {
        const std::size_t number = searchers_[i].part;
        Part& part = parts_[number];
        part.counts.add(searchers_[i].counts);
        part.state = PartState::done;
        drop(i);
        join_with_previous(part.next);
        join_with_previous(number);
    }

    void drop(std::size_t i) {
        counted_.add(searchers_[i].counts);
        --searching_;
        std::swap(searchers_[i], searchers_[searching_]);
    }

    /// The first parts are taken.
    void take_parts() {
        std::size_t number = parts_.front().next;
        while (searching_ < most_searchers && number != 0) {
            if (parts_[number].state == PartState::untaken) {
                take(searchers_[searching_++], number, most_expansions);
            }
            number = parts_[number].next;
        }
        if (searching_ < most_searchers) {
            for (std::size_t i = 0; i < searching_; ++i) {
                searchers_[i].left = std::min(searchers_[i].left, least_expansions);
            }
        }
    }

    void take(Searcher& searcher, std::size_t number, std::uint64_t expansions) {
        Part& part = parts_[number];
        part.state = PartState::taken;
        searcher.part = number;
        searcher.left = expansions;
        searcher.counts = {};
        searcher.is_at_end = false;
        searcher.waiting = 0;
        if (searcher.stack.empty()) {
            grow_stack(searcher);
        }
        searcher.top = searcher.stack.data();
        *searcher.top++ = *part.node;
        searcher.path.resize(std::max(searcher.path.size(), part.path.size()), P::no_move);
        std::copy(part.path.begin(), part.path.end(), searcher.path.begin());
    }

    /// \name The list of the parts
    /// Its head has the number 0, and is a part that is done, before all others.
    /// @{

    std::size_t add_part(std::size_t before, const Node& node, std::span<const Move> path) {
        if (unused_.empty()) {
            unused_.push_back(parts_.size());
            parts_.emplace_back();
        }
        const std::size_t number = unused_.back();
        unused_.pop_back();
        Part& part = parts_[number];
        part.node = node;
        part.path.assign(path.begin(), path.end());
        part.counts = {};
        part.state = PartState::untaken;
        part.previous = before;
        part.next = parts_[before].next;
        parts_[part.next].previous = number;
        parts_[before].next = number;
        return number;
    }

    /// Returns the one after it.
    std::size_t remove_part(std::size_t number) {
        const Part& part = parts_[number];
        parts_[part.previous].next = part.next;
        parts_[part.next].previous = part.previous;
        unused_.push_back(number);
        return part.next;
    }

    void join_with_previous(std::size_t number) {
        Part& part = parts_[number];
        Part& previous = parts_[part.previous];
        if (number != 0 && part.state == PartState::done && previous.state == PartState::done) {
            previous.counts.add(part.counts);
            remove_part(number);
        }
    }

    /// @}

    const P* problem_;
    B* heuristic_;
    std::size_t greatest_depth_;
    std::vector<Searcher> searchers_; ///< first those that have a part
    std::size_t searching_ = 0;       ///< how many these are
    std::vector<Part> parts_;
    std::vector<std::size_t> unused_; ///< parts
    Counts counted_;                  ///< in parts that were left
    std::size_t root_depth_ = 0;
    std::optional<Node> end_;
    std::vector<Move> path_;
    std::exception_ptr error_;
};

} // namespace npuzzle::detail

#pragma once

#include "npuzzle/search/engine/retrace.hpp"
#include "npuzzle/search/kernel/call.hpp"
#include "npuzzle/search/kernel/engine_base.hpp"
#include "npuzzle/search/kernel/layer_search.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// How many bits of a word the last move takes, if there is room for it.
template <class P>
inline constexpr unsigned last_move_bits = 0;

template <class P>
    requires MoveProblem<P> && has_word_bits<P> && HasMoveCount<P> &&
                 (P::word_bits + std::bit_width(unsigned{P::move_count}) <= 8 * sizeof(packed_t<P>))
inline constexpr unsigned last_move_bits<P> = 8 * sizeof(packed_t<P>) - P::word_bits;

/// Breadth-first search for states that fit a word, which ends when a goal is generated (Moore 1959). The
/// words in the order in which they were reached are both the queue and what the search remembers. A state
/// takes its word, with the last move in bits that the word leaves free, two bits that lead to its parent,
/// and five to ten bytes by which it is found again.
template <PackedProblem P, class O>
    requires(!is_weighted<P>)
class PackedBreadthFirst : public EngineBase<PackedBreadthFirst<P, O>, int, O> {
    using Base = EngineBase<PackedBreadthFirst, int, O>;
    friend Base;

public:
    using State = state_t<P>;
    using Word = packed_t<P>;
    using Node = NodeView<State, int, int, int>;

    /// \param limits `max_cost` is the greatest depth of a goal
    PackedBreadthFirst(const P& problem, const State& start, BasicLimits<int> limits, O&& observer)
        : Base(limits, std::forward<O>(observer)), problem_(&problem), max_depth_(max_layer(limits)),
          words_(budget_), parents_(budget_) {
        guarded([&] {
            const Word word = problem.pack(checked_state(problem, start));
            words_.insert(word, Words::hash(word), mark_of(detail::no_move<P>()));
            observer_.start(Node{start, 0, 0, 0});
            statistics_.peak_open = open();
        });
    }

    [[nodiscard]] search_result_t<P> result() const {
        return outcome(search_result_t<P>{}, [&](search_result_t<P>& result) {
            if (status_ == SearchStatus::solved) {
                retrace(goal_, result.path, result);
            } else if (ends_without_goal(status_) && words_.size() > 0) {
                retrace(next_ > 0 ? next_ - 1 : 0, result.partial_path, result); // expanded last: the deepest
            }
        });
    }

private:
    using Base::budget_, Base::finish, Base::guarded, Base::is_stopped, Base::monitor_, Base::observer_,
        Base::outcome, Base::statistics_, Base::status_;

    using Words = WordSequence<Word, last_move_bits<P>>;

    static constexpr bool is_watched = sees_nodes<std::remove_cvref_t<O>>;
    static constexpr bool keeps_moves = last_move_bits<P> > 0;
    /// With fewer states than this there is little memory to wait for.
    static constexpr std::uint32_t batch_from = std::uint32_t{1} << 16;

    /// A neighbor that waits to be looked up.
    struct Pending {
        Pending(State&& its_state, const Word& its_word, std::uint32_t its_parent, unsigned its_move)
            : state(std::move(its_state)), word(its_word), hash(Words::hash(its_word)), parent(its_parent),
              move(its_move) {}

        State state;
        Word word;
        std::uint64_t hash;
        std::uint32_t parent;
        unsigned move;
    };

    /// What a word keeps of the move that led to it.
    static unsigned mark_of([[maybe_unused]] const auto& move) {
        if constexpr (keeps_moves) {
            return static_cast<unsigned>(move);
        } else {
            return 0;
        }
    }

    void complete(Statistics& statistics) const { statistics.stored = words_.size(); }

    /// An expansion, some of them in a large search, or the end of a layer.
    void advance() {
        if (next_ == layer_end_) {
            insert_successors(waiting_);
            begin_layer();
        } else if (is_watched || words_.size() < batch_from) {
            expand();
        } else {
            expand_some();
        }
    }

    /// How many states wait to be expanded.
    [[nodiscard]] std::uint64_t open() const {
        return max_depth_ < 0 ? 0 : (depth_ < max_depth_ ? words_.size() : layer_end_) - next_;
    }

    void begin_layer() {
        if (status_ != SearchStatus::running) {
            return;
        }
        if (words_.size() == layer_end_) {
            finish(SearchStatus::unsolvable);
        } else if (depth_ == max_depth_) {
            finish(SearchStatus::cost_limit);
        } else {
            ++depth_;
            layer_end_ = words_.size();
        }
    }

    /// Expands the next state.
    void expand() {
        if (max_depth_ < 0) {
            finish(SearchStatus::cost_limit);
            return;
        }
        const std::uint32_t number = next_;
        const State state = problem_->unpack(words_.word(number));
        const Node node{state, depth_, 0, depth_};
        generate(number, node);
        insert_successors(pending_, &node);
    }

    /// Expands some states of the layer, and looks up the neighbors of those before, so that cache misses
    /// overlap.
    void expand_some() {
        for (unsigned i = 0; i < layer_batch && next_ < layer_end_ && status_ == SearchStatus::running; ++i) {
            const std::uint32_t number = next_;
            const State state = problem_->unpack(words_.word(number));
            generate(number, Node{state, depth_, 0, depth_});
        }
        for (const Pending& pending : pending_) { // all at once, so that their cache misses overlap
            words_.prefetch(pending.hash);
        }
        insert_successors(waiting_);
        std::swap(waiting_, pending_);
    }

    /// Puts the neighbors of the next state into `pending_`, or ends the search.
    void generate(std::uint32_t number, const Node& node) {
        if (number == 0 && problem_->is_goal(node.state)) {
            reach(number, node);
            return;
        }
        if (monitor_.is_due(statistics_.expanded) && is_stopped(statistics_.expanded, depth_)) {
            return;
        }
        ++next_;
        ++statistics_.expanded;
        observer_.expand(node);
        auto last = detail::no_move<P>();
        if constexpr (keeps_moves) {
            last = static_cast<move_t<P>>(words_.mark(number));
        }
        const bool leaves_out_parent = !keeps_moves && number > 0;
        const Word parent = leaves_out_parent ? words_.word(parents_.next(cursor_)) : Word{};
        for_each_neighbor(*problem_, node.state, last, nothing_leads_back,
                          [&](State&& child, int /*step*/, const auto& move) {
                              const Word word = problem_->pack(child);
                              if (!leaves_out_parent || word != parent) {
                                  pending_.emplace_back(std::move(child), word, number, mark_of(move));
                              }
                          });
    }

    /// Looks neighbors up, and appends those that are new.
    /// \param parent theirs, for the observer, where there is only one
    void insert_successors(std::vector<Pending>& neighbors, const Node* parent = nullptr) {
        for (const Pending& pending : neighbors) {
            words_.prefetch_word(pending.hash);
        }
        for (const Pending& pending : neighbors) {
            if (status_ != SearchStatus::running) {
                break;
            }
            const Node node{pending.state, depth_ + 1, 0, depth_ + 1};
            ++statistics_.generated;
            const bool is_new = words_.insert(pending.word, pending.hash, pending.move);
            if constexpr (is_watched) {
                observer_.generate(node, *parent);
            }
            if (!is_new) {
                ++statistics_.duplicates;
                observer_.duplicate(node);
                continue;
            }
            parents_.push_back(pending.parent);
            if (depth_ < max_depth_ && problem_->is_goal(pending.state)) {
                reach(words_.size() - 1, node);
            }
        }
        neighbors.clear();
        statistics_.peak_open = (std::max)(statistics_.peak_open, open());
    }

    void reach(std::uint32_t number, const Node& node) {
        observer_.goal(node);
        goal_ = number;
        finish(SearchStatus::solved);
    }

    /// The path to the state of a number.
    void retrace(std::uint32_t end, std::vector<State>& path, search_result_t<P>& result) const {
        typename ParentBits<std::uint32_t>::Cursor cursor = parents_.last();
        for (std::uint32_t number = end;; number = parents_.back_to(number, cursor)) {
            path.push_back(problem_->unpack(words_.word(number)));
            if (number == 0) {
                break;
            }
            if constexpr (keeps_moves) {
                result.moves.push_back(static_cast<move_t<P>>(words_.mark(number)));
            }
        }
        std::reverse(path.begin(), path.end());
        result.cost = static_cast<int>(path.size()) - 1;
        if constexpr (keeps_moves) {
            std::reverse(result.moves.begin(), result.moves.end());
        } else {
            look_up_steps(*problem_, path, moves_of<P>(result));
        }
    }

    const P* problem_;
    int max_depth_;
    Words words_;
    ParentBits<std::uint32_t> parents_;
    typename ParentBits<std::uint32_t>::Cursor cursor_; // at the next state
    std::uint32_t next_ = 0;                            // the first state that has not been expanded
    std::uint32_t layer_end_ = 1;                       // of the layer of that state
    int depth_ = 0;                                     // of that layer
    std::uint32_t goal_ = 0;
    std::vector<Pending> pending_; // neighbors of what was expanded last
    std::vector<Pending> waiting_; // and of what was expanded before
};

} // namespace npuzzle::detail

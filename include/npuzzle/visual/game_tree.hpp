#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/visual/detail/svg.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <locale>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The tree that a search grows, recorded by an observer. `game_tree_svg.hpp` and `game_tree_dot.hpp`
/// draw it.

namespace npuzzle {

namespace detail {

/// A number, or any other value with an output operator, written without a locale. An infinite number is ∞.
template <class T>
[[nodiscard]] std::string text_of(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
        if (is_infinite(value)) return "∞";
        if constexpr (std::integral<T>) {
            return svg_number(value);
        } else {
            return svg_number(static_cast<double>(value));
        }
    } else {
        std::ostringstream out;
        out.imbue(std::locale::classic());
        out << value;
        return out.str();
    }
}

} // namespace detail

/// The default label of a node. A board is a grid with a dot for the blank; any other state is written by its
/// output operator.
struct StateLabel {
    template <class State>
    [[nodiscard]] std::string operator()(const State& state) const {
        if constexpr (std::convertible_to<const State&, std::string_view>) {
            return std::string(std::string_view(state));
        } else if constexpr (requires {
                                 state.size();
                                 state.cells();
                                 state.tile(state.cells());
                             }) {
            const std::size_t width = std::to_string(state.cells() - 1).size();
            std::string text;
            for (decltype(state.cells()) cell = 0; cell < state.cells(); ++cell) {
                const int tile = state.tile(cell);
                const std::string digits = tile == 0 ? std::string() : std::to_string(tile);
                const std::size_t length = tile == 0 ? 1 : digits.size();
                if (cell != 0) text += cell % state.size() == 0 ? '\n' : ' ';
                text.append(width - length, ' ').append(tile == 0 ? "·" : digits);
            }
            return text;
        } else {
            return detail::text_of(state);
        }
    }
};

/// An observer that records the tree of a best-first search:
/// \code
/// GameTree<SlidingPuzzle<3>::State> tree;
/// astar(puzzle, start, Manhattan{}, {}, tree);
/// write_game_tree_svg(file, tree);
/// \endcode
/// It works for any problem. A bidirectional search gives two trees. It is made for small searches: after
/// `max_nodes` nodes it only counts, and each event takes time linear in the number of recorded nodes.
///
/// \tparam State `state_t<P>` of the problem
template <std::equality_comparable State>
class GameTree : public SilentObserver {
public:
    /// The state of a node in the search. A node whose state was later reached by a cheaper path is also a
    /// duplicate.
    enum class Kind : std::uint8_t { open, expanded, duplicate, dead_end };

    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct Node {
        State state;
        std::string f, g, h;       ///< written out
        std::size_t parent = none; ///< its index in `nodes()`, less than the node's own; `none` at a start
        Kind kind = Kind::open;
        bool is_goal = false;
        bool is_on_path = false;
        std::size_t expansion = 0; ///< the expansion order, from 1; 0 if it was not expanded
        std::size_t left_out = 0;  ///< neighbors that were not recorded, for want of room
    };

    /// \param max_nodes the number of nodes to record; further nodes are only counted
    explicit GameTree(std::size_t max_nodes = 200) : max_nodes_(max_nodes) {}

    /// In the order in which they were generated.
    [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }
    /// The number of nodes that were generated and not recorded.
    [[nodiscard]] std::size_t left_out() const noexcept { return left_out_; }

    void start(const auto& node) {
        add(node, none);
        is_latest_.resize(nodes_.size(), true);
    }

    void generate(const auto& node, const auto& parent) {
        const std::size_t from = find(parent);
        const std::size_t count = nodes_.size();
        add(node, from);
        has_added_ = nodes_.size() > count;
        // It represents its state only after `duplicate`, `improve` and `reopen` had their turn.
        is_latest_.resize(nodes_.size(), true);
        if (has_added_ && detail::is_infinite(node.estimate)) nodes_.back().kind = Kind::dead_end;
        if (!has_added_ && from != none) ++nodes_[from].left_out;
    }

    void duplicate(const auto& /*node*/) {
        if (!has_added_) return;
        is_latest_.back() = false;
        if (nodes_.back().kind == Kind::open) nodes_.back().kind = Kind::duplicate;
    }

    void improve(const auto& node) { supersede(node); }
    void reopen(const auto& node) { supersede(node); }

    void expand(const auto& node) {
        ++expansions_;
        if (const std::size_t index = find(node); index != none) {
            nodes_[index].kind = Kind::expanded;
            nodes_[index].expansion = expansions_;
        }
    }

    void goal(const auto& node) {
        // In a bidirectional search this is the meeting point: the path comes from both sides.
        for (std::size_t index = nodes_.size(); index-- > 0;) {
            if (!is_latest_[index] || !(nodes_[index].state == node.state)) continue;
            if (sides_[index] == side_of(node)) nodes_[index].is_goal = true;
            for (std::size_t at = index; at != none && !nodes_[at].is_on_path; at = nodes_[at].parent) {
                nodes_[at].is_on_path = true;
            }
        }
    }

private:
    template <class N>
    static std::uint8_t side_of(const N& node) {
        if constexpr (requires { node.direction; }) {
            return static_cast<std::uint8_t>(node.direction);
        } else {
            return 0;
        }
    }

    void add(const auto& node, std::size_t parent) {
        if (nodes_.size() >= max_nodes_) {
            ++left_out_;
            return;
        }
        Node added{node.state, detail::text_of(node.priority), detail::text_of(node.cost),
                   detail::text_of(node.estimate)};
        added.parent = parent;
        nodes_.push_back(std::move(added));
        sides_.push_back(side_of(node));
    }

    /// The node that represents a state: the last one that was generated and not dropped.
    std::size_t find(const auto& node, std::size_t before = none) const {
        for (std::size_t index = (std::min)(before, nodes_.size()); index-- > 0;) {
            if (is_latest_[index] && sides_[index] == side_of(node) && nodes_[index].state == node.state) {
                return index;
            }
        }
        return none;
    }

    /// The last node now represents its state. The node that did so before becomes a duplicate if it was not
    /// expanded.
    void supersede(const auto& node) {
        const std::size_t index = find(node, has_added_ ? nodes_.size() - 1 : none);
        if (index == none) return;
        is_latest_[index] = false;
        if (nodes_[index].kind == Kind::open) nodes_[index].kind = Kind::duplicate;
    }

    std::size_t max_nodes_;
    std::vector<Node> nodes_;
    std::vector<std::uint8_t> sides_;
    std::vector<bool> is_latest_;
    std::size_t left_out_ = 0;
    std::size_t expansions_ = 0;
    bool has_added_ = false;
};

/// Options of the game tree writers.
struct GameTreeOptions {
    /// The heading. If empty, the number of generated nodes.
    std::string title = {};
};

} // namespace npuzzle

#pragma once

#include "npuzzle/search/node_table/node_table.hpp"

#include <optional>
#include <type_traits>

namespace npuzzle::detail {

/// The node that is nearest to a goal of those that were taken from the open list: by the least estimate,
/// without a heuristic by the greatest cost. `partial_path` leads to it.
template <class Table, bool has_heuristic>
class NearestNode {
    using Cost = typename Table::Cost;
    using Estimate = typename Table::Estimate;

public:
    /// Whether the table can find it again.
    static constexpr bool is_kept = Table::finds_duplicates && (finds_by_key<Table> || FindsNodes<Table>);

    /// How near the node is, to compare it with another engine's.
    struct Nearness {
        std::conditional_t<has_heuristic, Estimate, Cost> value;

        [[nodiscard]] bool is_nearer_than(const Nearness& other) const {
            return is_nearer(value, other.value);
        }
    };

    /// Takes note of a node if none was nearer.
    template <class Node>
    void note(const typename Table::Key& key, const Node& node) {
        if constexpr (is_kept) {
            const auto& value = value_of(node);
            if (!handle_ || is_nearer(value, nearness_.value)) [[unlikely]] {
                if constexpr (finds_by_key<Table>) {
                    handle_ = key;
                } else {
                    handle_ = node.state;
                }
                nearness_.value = value;
            }
        }
    }

    [[nodiscard]] std::optional<typename Table::Node> find_in(const Table& table) const {
        if constexpr (is_kept) {
            if (handle_) {
                return node_of(table, *handle_);
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] bool has_value() const noexcept { return handle_.has_value(); }
    [[nodiscard]] const Nearness& nearness() const noexcept { return nearness_; }
    void reset() { handle_.reset(); }

private:
    template <class Node>
    static const auto& value_of(const Node& node) {
        if constexpr (has_heuristic) {
            return node.estimate;
        } else {
            return node.cost;
        }
    }

    static bool is_nearer(const auto& a, const auto& b) { return has_heuristic ? a < b : b < a; }

    std::optional<handle_t<Table>> handle_;
    Nearness nearness_{};
};

} // namespace npuzzle::detail

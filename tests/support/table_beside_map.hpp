/// @file
/// Random calls of a node table, and of a map that is told the same.
#pragma once

#include <npuzzle/search/memory/budget.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace test {

/// A node table whose states are numbers, beside a map.
template <class P, class Table>
class TableBesideMap {
    using Link = typename Table::Link;

    struct Expected {
        typename Table::Key key;
        int cost;
        std::uint8_t link;
        bool is_closed;
    };

    P problem_;

public:
    npuzzle::MemoryBudget budget;
    Table table;
    std::uint64_t calls = 0; ///< of the table
    int wrong = 0;           ///< how often table and map differed

    /// States are from 0 to `greatest`. Each time the table has grown, every `stride`th of those in it is
    /// looked up.
    TableBesideMap(const P& problem, int greatest, std::uint64_t stride)
        : problem_(problem), table(problem_, budget), greatest_(greatest), stride_(stride) {}

    /// Looks a random state up and inserts it. A new node is given a path and maybe closed; another is
    /// treated likewise, or closed alone, or left as it is. Whether the table has grown.
    bool step() {
        const int state = random_.between(0, greatest_);
        check(state);
        auto [node, is_new] = table.insert(int{state});
        ++calls;
        const auto [entry, is_new_to_map] = map_.try_emplace(state);
        wrong += is_new == is_new_to_map ? 0 : 1;
        Expected& expected = entry->second;
        if (is_new && table.size() % stride_ == 0) {
            sample_.push_back(state);
        }
        if (is_new || random_.one_in(2)) {
            expected = {node.key(), random_.between(0, longest_path()),
                        static_cast<std::uint8_t>(random_.below(6)), false};
            node.relax(expected.cost, 0, link(expected.link));
            ++calls;
        }
        if (random_.one_in(2)) {
            node.close();
            expected.is_closed = true;
            ++calls;
        }
        wrong += is_same(node, state, expected) ? 0 : 1;
        if (budget.used() == bytes_) {
            return false;
        }
        bytes_ = budget.used();
        for (const int known : sample_) {
            check(known);
        }
        return true;
    }

    void clear() {
        table.clear();
        map_.clear();
        sample_.clear();
    }

    /// Checks all states and nodes, and that nothing was wrong before.
    void check_all() {
        for (int state = 0; state <= greatest_; ++state) {
            check(state);
        }
        std::size_t visited = 0;
        table.for_each_node([&](const auto& node) {
            ++visited;
            const auto entry = map_.find(node.state());
            wrong += entry != map_.end() && is_same(node, entry->first, entry->second) ? 0 : 1;
        });
        CHECK(visited == map_.size());
        CHECK(table.size() == map_.size());
        CHECK(wrong == 0);
    }

private:
    static constexpr int longest_path() {
        if constexpr (requires { P::longest_path; }) {
            return P::longest_path;
        } else {
            return 1000;
        }
    }
    static Link link(std::uint8_t number) {
        if constexpr (std::is_integral_v<Link>) {
            return number;
        } else {
            return {number, {}};
        }
    }
    static std::uint64_t number(const Link& link) {
        if constexpr (std::is_integral_v<Link>) {
            return link;
        } else {
            return link.parent;
        }
    }

    static bool is_same(const typename Table::Node& node, int state, const Expected& expected) {
        return node.state() == state && node.key() == expected.key && node.cost() == expected.cost &&
               number(node.link()) == expected.link && node.is_closed() == expected.is_closed;
    }

    void check(int state) {
        ++calls;
        const auto node = table.find(table.lookup_hint(state), state);
        const auto entry = map_.find(state);
        if (!node || entry == map_.end()) {
            wrong += node || entry != map_.end() ? 1 : 0;
            return;
        }
        ++calls;
        const Expected& expected = entry->second;
        const auto open =
            table.find_open(expected.key, expected.cost, [&](int other) { return other == state; });
        const bool is_right = is_same(*node, state, expected) && open.has_value() == !expected.is_closed &&
                              (!open || open->state() == state);
        wrong += is_right ? 0 : 1;
    }

    int greatest_;
    std::uint64_t stride_;
    std::uint64_t bytes_ = 0;
    std::unordered_map<int, Expected> map_;
    std::vector<int> sample_;
    Random random_{20};
};

/// A hundred million calls: the table is cleared whenever it has grown to 600,000 nodes.
template <class P, class Table>
void check_beside_map_for_long(const P& problem) {
    TableBesideMap<P, Table> beside(problem, 1'000'000, 1024);
    while (beside.calls < 100'000'000) {
        beside.step();
        if (beside.table.size() == 600'000) {
            beside.clear();
        }
    }
    beside.check_all();
}

} // namespace test

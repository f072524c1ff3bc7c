#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace reference {

/// The outcome of a search; the cost is negative if there is no path.
template <class State>
struct Found {
    int cost = -1;
    std::vector<State> path;
    std::uint64_t expanded = 0;
};

/// A* on a problem with unit steps as one writes it by hand: `std::unordered_map` and `std::priority_queue`.
template <class Hash, class P>
Found<typename P::State> astar_with_hash_map(const P& problem, const typename P::State& start) {
    using State = typename P::State;
    struct Node {
        int g;
        State parent;
    };
    struct Entry {
        int f;
        int g;
        State state;
        bool operator<(const Entry& other) const { return f != other.f ? f > other.f : g < other.g; }
    };
    Found<State> found;
    std::unordered_map<State, Node, Hash> nodes;
    std::priority_queue<Entry> open;
    nodes.emplace(start, Node{0, start});
    open.push({problem.distance(start), 0, start});
    while (!open.empty()) {
        const Entry entry = open.top();
        open.pop();
        if (nodes.at(entry.state).g < entry.g) {
            continue; // superseded
        }
        if (problem.is_goal(entry.state)) {
            found.cost = entry.g;
            found.path.push_back(entry.state);
            while (found.path.back() != start) {
                found.path.push_back(State(nodes.at(found.path.back()).parent));
            }
            std::reverse(found.path.begin(), found.path.end());
            return found;
        }
        ++found.expanded;
        for (State& next : problem.neighbors(entry.state)) {
            const int g = entry.g + 1;
            const auto [place, is_new] = nodes.try_emplace(next, Node{g, entry.state});
            if (!is_new && place->second.g <= g) {
                continue;
            }
            place->second = {g, entry.state};
            const int f = g + problem.distance(next);
            open.push({f, g, std::move(next)});
        }
    }
    return found;
}

} // namespace reference

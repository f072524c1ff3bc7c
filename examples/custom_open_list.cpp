// test:
// An open list of one's own: a multimap, which is slower than the library's, and shows all that a search asks
// of one.

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <vector>

template <class Priority, class Cost, class Key>
class MapOpenList {
public:
    using Entry = npuzzle::OpenEntry<Priority, Cost, Key>;

    explicit MapOpenList(npuzzle::MemoryBudget&) {} // not charged: `Limits::bytes` does not see this list

    void push(const Entry& entry) { entries_.emplace(entry.priority, entry); }
    Entry pop() { // the least priority; among equals the one that came last
        const auto last = std::prev(entries_.upper_bound(entries_.begin()->first));
        const Entry entry = last->second;
        entries_.erase(last);
        return entry;
    }
    bool empty() const { return entries_.empty(); }
    std::size_t size() const { return entries_.size(); }
    void clear() { entries_.clear(); }

private:
    std::multimap<Priority, Entry> entries_;
};

struct WithMap : npuzzle::DefaultPolicy {
    template <class Priority, class Cost, class Key>
    using OpenList = MapOpenList<Priority, Cost, Key>;
};

struct Doubling { // from a number to the next one, or to twice as much
    using State = int;
    std::vector<int> neighbors(int x) const { return {x + 1, 2 * x}; }
    bool is_goal(int x) const { return x == 97; }
};

int main() {
    const Doubling doubling;
    const auto heuristic = [](int x) { return std::abs(x - 97) < 50 ? 0 : 1; };

    // The policy is a type, and goes to any search of the family.
    const auto found = npuzzle::astar<WithMap>(doubling, 1, heuristic, {.expansions = 100'000});
    const auto greedy = npuzzle::greedy_best_first<WithMap>(doubling, 1, heuristic, {.expansions = 100'000});

    // An engine that is stepped takes it, too.
    npuzzle::AStar<Doubling, decltype(heuristic)&, npuzzle::SilentObserver, WithMap> engine(doubling, 1,
                                                                                            heuristic);
    while (engine.step()) {
    }

    std::cout << found.cost << " steps by A*, " << engine.result().cost << " step by step, "
              << (greedy ? "some" : "none") << " by greedy search\n";
}

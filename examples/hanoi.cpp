// test:
// What it teaches: a pattern database made of the library's own parts. for_each_reachable fills a table with
// the distances of a smaller puzzle. Look-ups for different disks add up, because a move moves one disk (A.
// Felner, R. E. Korf, S. Hanan, "Additive pattern database heuristics", JAIR 2004). MaxOf takes the better of
// two partitions of the disks.

#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/combinators.hpp>
#include <npuzzle/search/core/heuristic.hpp>
#include <npuzzle/search/for_each_reachable.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <vector>

// Two bits per disk, the smallest disk first, say on which of four pegs it is. The goal: all disks on peg 0.
struct Hanoi {
    using State = std::uint32_t;
    static constexpr bool is_undirected = true;

    unsigned disks;

    std::vector<State> neighbors(State pegs) const {
        std::vector<State> result;
        unsigned covered = 0; // pegs with a smaller disk: no move from or to them
        for (unsigned disk = 0; disk < disks && covered != 0b1111; ++disk) {
            const unsigned from = pegs >> (2 * disk) & 3;
            for (unsigned to = 0; to < 4 && !(covered >> from & 1); ++to) {
                if (to != from && !(covered >> to & 1)) result.push_back(pegs ^ (from ^ to) << (2 * disk));
            }
            covered |= 1U << from;
        }
        return result;
    }
    State goal() const { return 0; }
    bool is_goal(State pegs) const { return pegs == 0; }
    std::size_t index(State pegs) const { return pegs; }
    std::size_t size() const { return std::size_t{1} << (2 * disks); }
};

// The number of moves of some disks if the others were not there. Only their order counts, so one table
// serves any of them. If they are fewer than the disks of the table, the table's larger disks are on the goal
// peg.
class Pattern {
public:
    Pattern(const std::vector<std::uint8_t>& table, unsigned first, unsigned count)
        : table_(&table), shift_(2 * first), mask_((1U << (2 * count)) - 1) {}

    int operator()(std::uint32_t pegs) const { return (*table_)[pegs >> shift_ & mask_]; }

private:
    const std::vector<std::uint8_t>* table_;
    unsigned shift_;
    std::uint32_t mask_;
};

// Frame and Stewart 1941: move some disks out of the way, the rest with three pegs, then those disks on top.
// T. Bousch proved for four pegs that nothing is shorter, "La quatrieme tour de Hanoi", 2014.
int frame_stewart(int disks) {
    if (disks == 0) return 0;
    int least = (1 << disks) - 1;
    for (int aside = 1; aside < disks; ++aside) {
        least = std::min(least, 2 * frame_stewart(aside) + (1 << (disks - aside)) - 1);
    }
    return least;
}

int main() {
    const Hanoi eight{8};
    std::vector<std::uint8_t> table(eight.size());
    const auto filled = npuzzle::for_each_reachable(eight, eight.goal(), [&](std::uint32_t pegs, int moves) {
        table[pegs] = static_cast<std::uint8_t>(moves);
    });
    const int greatest = *std::max_element(table.begin(), table.end());
    std::cout << "A table of " << filled.statistics.expanded << " places of 8 disks, at most " << greatest
              << " moves from the goal\n";

    bool is_right = filled && filled.statistics.expanded == table.size();
    for (unsigned disks = 3; disks <= 11; ++disks) {
        const Hanoi hanoi{disks};
        const auto start = static_cast<std::uint32_t>(hanoi.size() - 1); // all disks on peg 3
        const unsigned few = disks > 8 ? disks - 8 : 0;
        const unsigned many = disks - few;
        const npuzzle::MaxOf patterns{npuzzle::SumOf{Pattern(table, 0, few), Pattern(table, few, many)},
                                      npuzzle::SumOf{Pattern(table, 0, many), Pattern(table, many, few)}};
        const auto result = npuzzle::astar(hanoi, start, patterns);
        std::cout << disks << " disks: " << result.cost << " moves, " << result.statistics.expanded
                  << " states expanded of " << hanoi.size() << '\n';
        is_right = is_right && result && result.cost == frame_stewart(static_cast<int>(disks));
    }
    return is_right ? 0 : 1;
}

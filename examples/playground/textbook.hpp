// The solver of the classical assignment as students write it: A* with a binary heap, and no search of the
// library. It counts the nodes that it puts into its queue and takes out.
#pragma once

#include <npuzzle/puzzle/board.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace playground {

// Which of several nodes of the same priority comes first. Under `none` the heap decides, and under
// `least_estimate` it decides between nodes of the same estimate.
enum class TieBreak { none, first_in, last_in, least_estimate };

struct TextbookRequest {
    npuzzle::Board board;         // size 2 to 5, and solvable
    bool has_closed_list = false; // else a node only leaves out the board of its parent
    TieBreak tie_break = TieBreak::none;
    bool is_hamming = false;       // else Manhattan
    bool is_blank_counted = false; // a common error
    int weight = 1;                // priority = moves + weight * estimate
    std::uint64_t max_put_in = 10'000'000;
    int steps = 0; // how many states of the queue to write down
};

struct TextbookOutcome {
    struct Entry {
        int priority, moves, estimate;
        std::vector<int> tiles;
    };
    int moves = -1; // of the solution; -1 if the search was stopped
    std::uint64_t put_in = 0, taken_out = 0, closed = 0;
    struct Step { // the queue before a node is taken out
        std::size_t size;
        std::vector<Entry> entries; // the first ones, in their order
    };
    std::vector<Step> steps;
};

inline constexpr std::size_t longest_step = 8;

struct TextbookNode {
    std::array<std::uint8_t, 25> tiles{};
    std::uint8_t blank = 0, blank_before = 255; // cells
    std::uint16_t moves = 0, estimate = 0;
};

// The binary heap of the assignment's MinPQ, and of Java's PriorityQueue: with equal keys nothing moves, and
// the left one of two children comes up. So it takes nodes of equal keys in the same order as these.
class TextbookHeap {
public:
    using Entry = std::pair<std::uint64_t, std::uint32_t>; // key and node

    std::size_t size() const { return entries_.size(); }

    void push(Entry entry) {
        std::size_t at = entries_.size();
        entries_.push_back(entry);
        for (; at > 0 && entry.first < entries_[(at - 1) / 2].first; at = (at - 1) / 2) {
            entries_[at] = entries_[(at - 1) / 2];
        }
        entries_[at] = entry;
    }

    std::uint32_t pop() {
        const std::uint32_t node = entries_.front().second;
        const Entry last = entries_.back();
        entries_.pop_back();
        if (entries_.empty()) return node;
        std::size_t at = 0;
        for (std::size_t child = 1; child < entries_.size(); child = 2 * at + 1) {
            if (child + 1 < entries_.size() && entries_[child + 1].first < entries_[child].first) ++child;
            if (!(entries_[child].first < last.first)) break;
            entries_[at] = entries_[child];
            at = child;
        }
        entries_[at] = last;
        return node;
    }

private:
    std::vector<Entry> entries_;
};

inline int textbook_estimate(const TextbookRequest& request, const std::uint8_t* tiles) {
    const int size = request.board.size();
    int sum = 0;
    for (int cell = 0; cell < size * size; ++cell) {
        const int tile = tiles[cell];
        const int home = tile == 0 ? size * size - 1 : tile - 1;
        if (cell == home || (tile == 0 && !request.is_blank_counted)) continue;
        sum += request.is_hamming ? 1
                                  : std::abs(cell / size - home / size) + std::abs(cell % size - home % size);
    }
    return sum;
}

inline TextbookOutcome search_textbook(const TextbookRequest& request) {
    using Node = TextbookNode;
    const int size = request.board.size();
    if (size > 5 || !request.board.is_solvable())
        throw std::invalid_argument("the board has no solution, or is too large");

    const auto hash = [](const auto& tiles) {
        return std::hash<std::string_view>{}({reinterpret_cast<const char*>(tiles.data()), tiles.size()});
    };
    std::unordered_set<decltype(Node::tiles), decltype(hash)> closed(0, hash);
    std::deque<Node> nodes;
    TextbookHeap queue;
    TextbookOutcome outcome;

    const auto put_in = [&](Node node) {
        node.estimate = static_cast<std::uint16_t>(textbook_estimate(request, node.tiles.data()));
        constexpr std::uint64_t last = (std::uint64_t{1} << 40) - 1;
        const std::uint64_t tie = request.tie_break == TieBreak::first_in         ? outcome.put_in
                                  : request.tie_break == TieBreak::last_in        ? last - outcome.put_in
                                  : request.tie_break == TieBreak::least_estimate ? node.estimate
                                                                                  : 0;
        const auto priority = static_cast<std::uint64_t>(node.moves + request.weight * node.estimate);
        nodes.push_back(node);
        queue.push({priority << 40 | tie, static_cast<std::uint32_t>(nodes.size() - 1)});
        ++outcome.put_in;
    };
    const auto write_down = [&](TextbookHeap copy) {
        outcome.steps.push_back({copy.size(), {}});
        TextbookOutcome::Step& step = outcome.steps.back();
        while (copy.size() > 0 && step.entries.size() < longest_step) {
            const Node& node = nodes[copy.pop()];
            step.entries.push_back({node.moves + request.weight * node.estimate,
                                    node.moves,
                                    node.estimate,
                                    {node.tiles.begin(), node.tiles.begin() + size * size}});
        }
    };

    Node start;
    std::copy(request.board.tiles().begin(), request.board.tiles().end(), start.tiles.begin());
    start.blank = static_cast<std::uint8_t>(request.board.blank_cell());
    put_in(start);
    while (outcome.put_in < request.max_put_in) {
        if (outcome.steps.size() < static_cast<std::size_t>(request.steps)) write_down(queue);
        const Node node = nodes[queue.pop()];
        ++outcome.taken_out;
        if (node.estimate == 0) {
            outcome.moves = node.moves;
            break;
        }
        if (request.has_closed_list && !closed.insert(node.tiles).second) continue;
        const int row = node.blank / size, column = node.blank % size;
        const std::pair<bool, int> neighbors[] = {
            {row > 0, -size}, {row < size - 1, size}, {column > 0, -1}, {column < size - 1, 1}};
        for (const auto& [is_on_board, by] : neighbors) {
            Node next = node;
            next.blank = static_cast<std::uint8_t>(node.blank + by);
            if (!is_on_board || next.blank == node.blank_before) continue;
            std::swap(next.tiles[node.blank], next.tiles[next.blank]);
            if (request.has_closed_list && closed.contains(next.tiles)) continue;
            next.blank_before = node.blank;
            ++next.moves;
            put_in(next);
        }
    }
    outcome.closed = closed.size();
    return outcome;
}

} // namespace playground

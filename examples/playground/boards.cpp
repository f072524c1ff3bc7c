#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/hamming.hpp>
#include <npuzzle/puzzle/heuristics/linear_conflict.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/heuristics/walking_distance.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/quick_solution.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/puzzle/solvability.hpp>
#include <npuzzle/puzzle/solver.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/best_first.hpp>
#include <npuzzle/search/bidirectional.hpp>
#include <npuzzle/search/combinators.hpp>
#include <npuzzle/search/ida_star.hpp>

#include "boards.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <variant>

namespace playground {

namespace {

using npuzzle::Board;
using npuzzle::Move;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;

template <class H, int N>
using Bound = npuzzle::bound_t<H, SlidingPuzzle<N>>;

// The heuristics of a size: walking distance is for sizes up to 4.
template <int N>
struct AnyHeuristic {
    using Type = std::variant<npuzzle::Zero, Bound<npuzzle::Hamming, N>, Bound<npuzzle::Manhattan, N>,
                              Bound<npuzzle::LinearConflict, N>, Bound<npuzzle::WalkingDistance, N>,
                              Bound<npuzzle::MaxOf<npuzzle::LinearConflict, npuzzle::WalkingDistance>, N>>;
};
template <>
struct AnyHeuristic<5> {
    using Type = std::variant<npuzzle::Zero, Bound<npuzzle::Hamming, 5>, Bound<npuzzle::Manhattan, 5>,
                              Bound<npuzzle::LinearConflict, 5>>;
};

// One type for all heuristics, so that each search is compiled once for a size.
template <int N>
class BoundHeuristic {
    using Puzzle = SlidingPuzzle<N>;

public:
    static constexpr bool is_consistent = true;
    static constexpr bool is_zero_at_goals = true;

    BoundHeuristic(const Puzzle& puzzle, std::string_view name) : bound_(made(puzzle, name)) {}

    int operator()(const PackedBoard<N>& board) {
        return std::visit([&](auto& bound) { return int{bound(board)}; }, bound_);
    }

    int after(int value, const PackedBoard<N>& before, Move move, const PackedBoard<N>& after) {
        return std::visit(
            [&](auto& bound) {
                if constexpr (requires { int{bound.after(value, before, move, after)}; }) {
                    return int{bound.after(value, before, move, after)};
                } else {
                    return int{bound(after)};
                }
            },
            bound_);
    }

private:
    using Any = typename AnyHeuristic<N>::Type;

    static Any made(const Puzzle& puzzle, std::string_view name) {
        if (name == "zero") return npuzzle::Zero{};
        if (name == "hamming") return npuzzle::Hamming{}.bind(puzzle);
        if (name == "manhattan") return npuzzle::Manhattan{}.bind(puzzle);
        if (name == "linear_conflict") return npuzzle::LinearConflict{}.bind(puzzle);
        if constexpr (N <= 4) {
            if (name == "walking_distance") return npuzzle::WalkingDistance{}.bind(puzzle);
            if (name == "greatest")
                return npuzzle::MaxOf(npuzzle::LinearConflict{}, npuzzle::WalkingDistance{}).bind(puzzle);
        }
        throw std::invalid_argument("there is no heuristic " + std::string(name));
    }

    Any bound_;
};

class Heuristic {
public:
    explicit Heuristic(std::string_view name) : name_(name) {}

    template <int N>
    BoundHeuristic<N> bind(const SlidingPuzzle<N>& puzzle) const {
        return BoundHeuristic<N>(puzzle, name_);
    }

private:
    std::string_view name_;
};

// Counts the layers, and passes on how far the search has come.
class Watch : public npuzzle::SilentObserver {
public:
    Watch(const BoardRequest& request, bool is_deepening)
        : progress_(request.progress), is_deepening_(is_deepening) {}

    void expand(const auto& node) {
        const auto bound =
            static_cast<std::size_t>(is_deepening_ ? node.priority : node.cost + node.estimate);
        if (bound >= counts_.size()) counts_.resize(2 * bound + 64);
        ++counts_[bound];
    }

    void progress(const npuzzle::Statistics& statistics) { tell(statistics, -1); }
    void progress(const npuzzle::Statistics& statistics, auto bound) {
        tell(statistics, static_cast<int>(bound));
    }

    std::vector<Layer> layers() const {
        std::vector<Layer> layers;
        for (std::size_t bound = 0; bound < counts_.size(); ++bound) {
            if (counts_[bound] > 0) layers.push_back({static_cast<int>(bound), counts_[bound]});
        }
        return layers;
    }

private:
    void tell(const npuzzle::Statistics& statistics, int bound) {
        if (progress_) progress_(statistics, bound);
    }

    const std::function<void(const npuzzle::Statistics&, int)>& progress_;
    std::vector<std::uint64_t> counts_;
    bool is_deepening_;
};

// The boards along moves, the first one included.
std::vector<Board> boards_along(const Board& board, const std::vector<Move>& moves) {
    const SlidingPuzzle<> puzzle(npuzzle::goal_blank_last(board.size()));
    std::vector<Board> boards{board};
    for (const Move move : moves) {
        boards.push_back(boards.back());
        puzzle.apply(boards.back(), move);
    }
    return boards;
}

template <int N>
BoardOutcome search_of_size(const BoardRequest& request) {
    const SlidingPuzzle<N> puzzle;
    const PackedBoard<N> start(request.board);
    const Heuristic heuristic(request.heuristic);
    const std::string& algorithm = request.algorithm;
    const npuzzle::Limits& limits = request.limits;
    Watch watch(request, algorithm == "ida_star");

    const auto result = [&] {
        if (algorithm == "astar") return npuzzle::astar(puzzle, start, heuristic, limits, watch);
        if (algorithm == "ida_star") {
            return npuzzle::ida_star(npuzzle::RolledPuzzle<N>(puzzle), start, heuristic.bind(puzzle), limits,
                                     watch);
        }
        if (algorithm == "bidirectional") {
            return npuzzle::bidirectional_astar(puzzle, start, heuristic, limits, watch);
        }
        if (algorithm == "weighted_astar") {
            return npuzzle::weighted_astar(puzzle, start, heuristic, {.weight = request.weight}, limits,
                                           watch);
        }
        if (algorithm == "greedy") {
            return npuzzle::greedy_best_first(puzzle, start, heuristic, limits, watch);
        }
        throw std::invalid_argument("there is no algorithm " + algorithm);
    }();

    BoardOutcome outcome;
    outcome.status = result.status;
    if (result) outcome.boards = boards_along(request.board, result.moves);
    outcome.statistics = result.statistics;
    outcome.layers = watch.layers();
    outcome.is_shortest = algorithm != "weighted_astar" && algorithm != "greedy";
    return outcome;
}

BoardOutcome search_by_solver(const BoardRequest& request) {
    npuzzle::SolverOptions options{.limits = request.limits};
    if (request.progress) {
        options.progress = [&](const npuzzle::SolverProgress& progress) {
            request.progress(progress.statistics, progress.bound);
        };
    }
    const npuzzle::Solver solver(request.board, options);
    BoardOutcome outcome;
    outcome.status = solver.status();
    outcome.statistics = solver.statistics();
    if (solver.solution()) outcome.boards = *solver.solution();
    outcome.searched_by = std::string(to_string(solver.algorithm())) + ", " + solver.heuristic();
    return outcome;
}

BoardOutcome search_quickly(const BoardRequest& request) {
    BoardOutcome outcome;
    outcome.is_shortest = false;
    const auto began = std::chrono::steady_clock::now();
    outcome.boards = boards_along(request.board, npuzzle::quick_solution(request.board));
    outcome.status = npuzzle::Status::solved;
    outcome.statistics.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return outcome;
}

template <class F>
auto with_size(const Board& board, F&& f) {
    switch (board.size()) {
    case 2:
        return f.template operator()<2>();
    case 3:
        return f.template operator()<3>();
    case 4:
        return f.template operator()<4>();
    case 5:
        return f.template operator()<5>();
    default:
        throw std::invalid_argument("the board is larger than 5 by 5");
    }
}

} // namespace

BoardOutcome search_board(const BoardRequest& request) {
    if (!request.board.is_solvable()) {
        BoardOutcome outcome;
        outcome.status = npuzzle::Status::unsolvable;
        return outcome;
    }
    if (request.algorithm == "solver") return search_by_solver(request);
    if (request.algorithm == "quick") return search_quickly(request);
    return with_size(request.board, [&]<int N>() { return search_of_size<N>(request); });
}

int estimate(const Board& board, std::string_view heuristic) {
    return with_size(board, [&]<int N>() {
        return BoundHeuristic<N>(SlidingPuzzle<N>(), heuristic)(PackedBoard<N>(board));
    });
}

Board board_from(const std::string& text) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    int numbers = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        numbers += is_digit(text[i]) && (i == 0 || !is_digit(text[i - 1])) ? 1 : 0;
    }
    std::string whole = text;
    bool is_whole = false;
    for (int size = smallest_size; size <= largest_size; ++size) {
        const std::string size_text = std::to_string(size);
        if (numbers == size * size) whole = size_text + " " + text;
        const bool has_size =
            numbers == size * size + 1 && text.compare(text.find_first_not_of(" \n\r\t"), 1, size_text) == 0;
        is_whole = is_whole || numbers == size * size || has_size;
    }
    try {
        return npuzzle::parse_board(whole, "board", {.max_size = largest_size});
    } catch (const npuzzle::ParseError&) {
        if (is_whole) throw;
    }
    throw std::invalid_argument("a board has 4, 9, 16 or 25 numbers, with 0 for the gap; found " +
                                std::to_string(numbers));
}

std::vector<Board> slides(const Board& board, int cell) {
    const SlidingPuzzle<> puzzle(npuzzle::goal_blank_last(board.size()));
    for (const Move move : npuzzle::all_moves) {
        std::vector<Board> boards;
        Board next = board;
        bool is_possible = true;
        while (is_possible && next.blank_cell() != cell) {
            is_possible = false;
            puzzle.for_each_move(next, Move::none,
                                 [&](Move possible) { is_possible = is_possible || possible == move; });
            if (is_possible) {
                puzzle.apply(next, move);
                boards.push_back(next);
            }
        }
        if (is_possible) return boards;
    }
    return {};
}

} // namespace playground

// Row 6: a problem as a user writes it, against Boost.Graph on the same problem.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/search/astar.hpp>

#include "peers/boost_graph.hpp"
#include "problems/plain_puzzle.hpp"
#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/instances.hpp"
#include "support/separately.hpp"
#include "support/timing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace benchmarks {

namespace {

using problems::Plain15Puzzle;
using Board = Plain15Puzzle::State;

struct Start {
    std::string name;
    Board board;
    int optimal_cost; ///< -1: not published, the contestants must agree
};

/// A board that a random walk from the goal leads to.
Start scrambled(std::int64_t moves, std::uint64_t seed) {
    const npuzzle::Board board = npuzzle::random_walk(npuzzle::goal_blank_first(4), moves, seed);
    Start start{"scramble " + std::to_string(moves) + "/" + std::to_string(seed), {}, -1};
    for (std::size_t cell = 0; cell < 16; ++cell) {
        start.board[cell] = static_cast<std::uint8_t>(board.tiles()[cell]);
    }
    return start;
}

Start published(const Instance& instance) {
    Start start{"Korf's board " + std::to_string(instance.number), {}, instance.optimal_cost};
    for (std::size_t cell = 0; cell < 16; ++cell) {
        start.board[cell] = static_cast<std::uint8_t>(instance.tiles[cell]);
    }
    return start;
}

/// What the standard library offers to hash sixteen bytes with.
struct BoardHash {
    std::size_t operator()(const Board& board) const {
        return std::hash<std::string_view>{}({reinterpret_cast<const char*>(board.data()), board.size()});
    }
};

/// Costs that are found for a start must be equal, whoever finds them.
class Contest {
public:
    explicit Contest(Start start) : start_(std::move(start)) {}

    const Board& board() const { return start_.board; }
    const std::string& name() const { return start_.name; }

    void agree(int cost, const std::string& who) {
        if (start_.optimal_cost < 0) {
            start_.optimal_cost = cost;
        }
        require(cost == start_.optimal_cost, start_.name + ": " + who + " found another cost");
    }

private:
    Start start_;
};

struct Work {
    double expanded = 0;
    double seconds = 0;

    double rate() const { return expanded / seconds; }
    std::string text() const { return to_text(rate() / 1e6, "M expansions/s"); }
};

/// What one contestant did with one start.
struct Run {
    double seconds;
    std::uint64_t expanded;
    int cost;
};

Run search_plain(const Contest& contest) {
    const Plain15Puzzle puzzle;
    const Stopwatch stopwatch;
    const auto result = npuzzle::astar(puzzle, contest.board(), problems::plain_manhattan);
    const double seconds = stopwatch.seconds();
    require(result.status == npuzzle::Status::solved, contest.name() + ": not solved");
    require_path(puzzle, contest.board(), result.path, result.cost, contest.name());
    return {seconds, result.statistics.expanded, result.cost};
}

enum class Maps { hashed, numbered };

Run search_boost(const Contest& contest, Maps maps) {
    const Plain15Puzzle puzzle;
    const auto expand = [&](const Board& board, auto&& emit) {
        for (const Board& next : puzzle.neighbors(board)) {
            emit(next, 1);
        }
    };
    const auto is_goal = [&](const Board& board) { return puzzle.is_goal(board); };
    const Stopwatch stopwatch;
    const auto outcome = maps == Maps::hashed
                             ? peers::astar_with_hash_maps<int, BoardHash>(contest.board(), expand,
                                                                           problems::plain_manhattan, is_goal)
                             : peers::astar_with_numbered_states<int, BoardHash>(
                                   contest.board(), expand, problems::plain_manhattan, is_goal);
    const double seconds = stopwatch.seconds();
    require(outcome.is_solved, contest.name() + ": Boost.Graph did not solve it");
    require_path(puzzle, contest.board(), outcome.path, outcome.cost, contest.name());
    return {seconds, outcome.expanded, outcome.cost};
}

/// A run in a process of its own, so that no contestant finds the heap as the other has left it.
template <class Search>
double run(Contest& contest, const std::string& who, std::uint64_t& expanded, Search&& search) {
    const Run run = separately(search);
    contest.agree(run.cost, who);
    expanded = run.expanded;
    return run.seconds;
}

/// Has npuzzle and Boost.Graph solve the same boards in turn.
void compare_with_boost(Session& session, std::vector<Contest>& contests, Maps maps, Work& peer,
                        Work& plain) {
    for (Contest& contest : contests) {
        std::uint64_t peer_expanded = 0;
        std::uint64_t expanded = 0;
        const double peer_seconds =
            run(contest, "Boost.Graph", peer_expanded, [&] { return search_boost(contest, maps); });
        const double seconds = run(contest, "npuzzle", expanded, [&] { return search_plain(contest); });
        peer.expanded += static_cast<double>(peer_expanded);
        peer.seconds += peer_seconds;
        plain.expanded += static_cast<double>(expanded);
        plain.seconds += seconds;
        session.say("    " + contest.name() + ": npuzzle " + std::to_string(expanded) + " expanded in " +
                    to_text(seconds, "s") + ", Boost.Graph " + std::to_string(peer_expanded) + " in " +
                    to_text(peer_seconds, "s"));
    }
}

} // namespace

void solve_custom_problem(Session& session) {
    std::vector<Contest> contests;
    if (session.is_smoke()) {
        contests.emplace_back(scrambled(40, 1));
    } else {
        contests.emplace_back(scrambled(80, 3));
        contests.emplace_back(scrambled(80, 12));
        contests.emplace_back(scrambled(100, 9));
    }
    Work hashed;
    Work plain_beside_hashed;
    compare_with_boost(session, contests, Maps::hashed, hashed, plain_beside_hashed);

    if (!session.is_smoke()) {
        contests.emplace_back(published(korf_boards[4]));
    }
    Work numbered;
    Work plain;
    compare_with_boost(session, contests, Maps::numbered, numbered, plain);

    session.report({"6a", "A*, a plain 15-puzzle, against hash maps",
                    plain_beside_hashed.rate() / hashed.rate(), "x", 8, 20, false, plain_beside_hashed.text(),
                    hashed.text(), "against Boost.Graph with property maps that are std::unordered_map"});
    session.report({"6b", "A*, a plain 15-puzzle, against numbered states", plain.rate() / numbered.rate(),
                    "x", 2, 4, false, plain.text(), numbered.text(),
                    "against Boost.Graph with states numbered by hand, and vectors"});
}

} // namespace benchmarks

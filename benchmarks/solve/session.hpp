#pragma once

#include "support/figures.hpp"

#include <string>
#include <utility>
#include <vector>

namespace benchmarks {

/// The extent of a run.
enum class Extent {
    smoke,    ///< tiny instances: everything is run and checked, but figures have no meaning
    standard, ///< the table without its long rows
    complete, ///< the whole table
};

/// One run of the program: its options and its results.
class Session {
public:
    explicit Session(Extent extent) : extent_(extent) {}

    bool is_smoke() const { return extent_ == Extent::smoke; }
    bool is_complete() const { return extent_ == Extent::complete; }

    /// Records a figure of this round.
    void report(Figure figure);

    /// Prints a line that is not a figure of the table.
    void say(const std::string& line);

    /// Runs a row in rounds, and records the median of each figure. A round during which the machine was
    /// disturbed is run again: see `FixedLoop`. After twice as many rounds the row is refused.
    void run(void (*row)(Session& session), int rounds);

    const std::vector<Figure>& figures() const { return figures_; }

private:
    Extent extent_;
    std::vector<Figure> figures_;
    std::vector<Figure> round_; // of one row
};

/// The rows of the table. Each throws `WrongAnswer` if an answer is wrong.
void solve_korf_by_astar(Session& session);              ///< 1 and 2
void solve_all_of_korf_by_astar(Session& session);       ///< 3
void solve_korf_by_ida_star(Session& session);           ///< 4
void solve_all_of_korf_by_ida_star(Session& session);    ///< 5
void solve_custom_problem(Session& session);             ///< 6
void solve_grids(Session& session);                      ///< 8
void solve_many_small_ones(Session& session);            ///< 9
void solve_korf_with_linear_conflict(Session& session);  ///< 11
void solve_korf_with_walking_distance(Session& session); ///< 12
void solve_korf_with_555(Session& session);              ///< 13
void solve_korf_with_78(Session& session);               ///< 14
void solve_24_puzzles(Session& session);                 ///< 15
void search_small_maps(Session& session);                ///< 21
void search_small_problems(Session& session);            ///< 22

} // namespace benchmarks

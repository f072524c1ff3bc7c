// The table of npuzzle's performance goals. In each round of a row npuzzle and a peer do the same work, in
// turn and in one process; a figure is the median of the rounds. Every answer is checked. Exit status 1: an
// answer was wrong.
//
//     cmake --preset release && cmake --build --preset release --target benchmark.solve
//     taskset -c 0 build/release/benchmarks/solve
//
// scripts/bench runs it, and makes a page of the results.

#include "solve/session.hpp"
#include "support/answers.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace benchmarks {

namespace {

void print(const Figure& figure) {
    std::string line = figure.row + "  " + to_text(figure);
    if (figure.reach > 0) {
        line +=
            " (reach " + to_text(figure.reach) + (figure.aim > 0 ? ", aim " + to_text(figure.aim) : "") + ")";
    }
    line += "  " + figure.what + ": npuzzle " + figure.npuzzle;
    if (!figure.peer.empty()) {
        line += ", peer " + figure.peer;
    }
    if (!figure.note.empty()) {
        line += "; " + figure.note;
    }
    std::puts((line + "; " + to_text(100 * figure.processor, "% of a core")).c_str());
    std::fflush(stdout);
}

} // namespace

void Session::report(Figure figure) {
    figure.date = today();
    round_.push_back(std::move(figure));
}

void Session::run(void (*row)(Session& session), int rounds) {
    std::vector<std::vector<Figure>> kept; // of each figure, its rounds
    FixedLoop loop;
    int left = rounds;
    for (int tries = 0; left > 0 && tries < 2 * rounds; ++tries) {
        round_.clear();
        const double processor = processor_seconds();
        const Stopwatch stopwatch;
        row(*this);
        const double share = (processor_seconds() - processor) / stopwatch.seconds();
        if (!is_smoke() && !loop.is_undisturbed()) {
            continue;
        }
        --left;
        kept.resize(round_.size());
        for (std::size_t i = 0; i < round_.size(); ++i) {
            round_[i].processor = share;
            kept[i].push_back(std::move(round_[i]));
        }
    }
    if (left > 0) {
        say("refused: another process slowed this machine down by more than 5 %; nothing is recorded");
        return;
    }
    for (std::vector<Figure>& figures : kept) {
        figures_.push_back(median_of(std::move(figures)));
        print(figures_.back());
    }
}

void Session::say(const std::string& line) {
    std::puts(line.c_str());
    std::fflush(stdout);
}

} // namespace benchmarks

namespace {

using benchmarks::Session;

struct Row {
    std::vector<std::string> names;
    void (*run)(Session& session);
    bool is_long;
};

const std::vector<Row>& table() {
    static const std::vector<Row> rows{
        {{"1", "2"}, benchmarks::solve_korf_by_astar, false},
        {{"3"}, benchmarks::solve_all_of_korf_by_astar, true},
        {{"4"}, benchmarks::solve_korf_by_ida_star, false},
        {{"5"}, benchmarks::solve_all_of_korf_by_ida_star, true},
        {{"6"}, benchmarks::solve_custom_problem, false},
        {{"8"}, benchmarks::solve_grids, false},
        {{"9"}, benchmarks::solve_many_small_ones, false},
        {{"11"}, benchmarks::solve_korf_with_linear_conflict, false},
        {{"12"}, benchmarks::solve_korf_with_walking_distance, false},
        {{"13"}, benchmarks::solve_korf_with_555, false},
        {{"14"}, benchmarks::solve_korf_with_78, true},
        {{"15"}, benchmarks::solve_24_puzzles, true},
        {{"21"}, benchmarks::search_small_maps, false},
        {{"22"}, benchmarks::search_small_problems, false},
    };
    return rows;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

int usage() {
    std::fputs(
        "usage: solve [--smoke | --long] [--rounds NUMBER] [--row NUMBER]... [--figures FILE]\n"
        "Runs the rows of the table, 7 rounds each, the long ones only with --long or by name, and once.\n",
        stderr);
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    benchmarks::Extent extent = benchmarks::Extent::standard;
    std::vector<std::string> wanted;
    int rounds = 0;
    std::string file;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--smoke") {
            extent = benchmarks::Extent::smoke;
        } else if (argument == "--long") {
            extent = benchmarks::Extent::complete;
        } else if (argument == "--rounds" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
            rounds = std::atoi(argv[++i]);
        } else if (argument == "--row" && i + 1 < argc) {
            wanted.emplace_back(argv[++i]);
            const auto has_it = [&](const Row& row) { return contains(row.names, wanted.back()); };
            if (std::none_of(table().begin(), table().end(), has_it)) {
                return usage();
            }
        } else if (argument == "--figures" && i + 1 < argc) {
            file = argv[++i];
        } else {
            return usage();
        }
    }

    Session session(extent);
    const auto save = [&] {
        if (file.empty()) return;
        std::ofstream out(file);
        benchmarks::write_figures(out, session.figures());
        benchmarks::require(static_cast<bool>(out.flush()), "could not write " + file);
    };
    try {
        for (const Row& row : table()) {
            const bool is_named =
                std::any_of(row.names.begin(), row.names.end(),
                            [&](const std::string& name) { return contains(wanted, name); });
            const bool is_in_extent =
                extent == benchmarks::Extent::smoke || !row.is_long || extent == benchmarks::Extent::complete;
            if (is_named || (wanted.empty() && is_in_extent)) {
                const int usual = row.is_long || session.is_smoke() ? 1 : 7;
                session.run(row.run, rounds > 0 ? rounds : usual);
                save(); // after each row: a run may take an hour
            }
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "solve: %s\n", error.what());
        return 1;
    }
}

// The table of npuzzle's performance goals. In each row npuzzle and a peer do the same work alternately, in
// one process. Every answer is checked. Exit status 1: an answer was wrong.
//
//     cmake --preset release && cmake --build --preset release --target benchmark.solve
//     taskset -c 0 build/release/benchmarks/solve
//
// scripts/bench runs it, and makes a page and pictures of the results.

#include "solve/session.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace benchmarks {

void Session::report(Figure figure) {
    figure.date = today();
    std::string line = figure.row + "  " + to_text(figure.value, figure.unit);
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
    say(line);
    figures_.push_back(std::move(figure));
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
    bool has_threads = false;
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
        {{"23"}, benchmarks::solve_korf_by_ida_star_on_threads, true, true},
        {{"24"}, benchmarks::solve_korf_by_astar_on_threads, true, true},
        {{"26"}, benchmarks::solve_in_a_file, true},
    };
    return rows;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

int usage() {
    std::fputs(
        "usage: solve [--smoke | --long | --threads] [--row NUMBER]... [--figures FILE]\n"
        "Runs the rows of the table, the long ones only with --long or by name. --threads runs those that\n"
        "take several cores, which --long leaves out.\n",
        stderr);
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    benchmarks::Extent extent = benchmarks::Extent::standard;
    std::vector<std::string> wanted;
    bool threads = false;
    std::string file;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--smoke") {
            extent = benchmarks::Extent::smoke;
        } else if (argument == "--long") {
            extent = benchmarks::Extent::complete;
        } else if (argument == "--threads") {
            extent = benchmarks::Extent::complete;
            threads = true;
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
    try {
        for (const Row& row : table()) {
            const bool is_named =
                std::any_of(row.names.begin(), row.names.end(),
                            [&](const std::string& name) { return contains(wanted, name); });
            const bool is_in_extent =
                extent == benchmarks::Extent::smoke ||
                (row.has_threads == threads && (!row.is_long || extent == benchmarks::Extent::complete));
            if (is_named || (wanted.empty() && is_in_extent)) {
                row.run(session);
            }
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "solve: %s\n", error.what());
        return 1;
    }
    if (!file.empty()) {
        std::ofstream out(file);
        benchmarks::write_figures(out, session.figures());
        if (!out.flush()) {
            std::fprintf(stderr, "solve: could not write %s\n", file.c_str());
            return 1;
        }
    }
}

#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/visual/chart.hpp>

#include "files.hpp"
#include "in_order.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "search.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace program {

namespace {

struct Figures {
    std::size_t solved = 0;
    std::size_t solvable = 0; // solvable, or not known to be unsolvable
    double estimates = 0;
    double moves = 0;
    std::uint64_t expanded = 0;
    double seconds = 0;
};

} // namespace

int compare(const CompareOptions& options) {
    std::vector<npuzzle::Board> boards;
    for (Source& source : read_boards(options.files)) {
        if (!source.board) throw std::invalid_argument(source.error);
        boards.push_back(*std::move(source.board));
        warn_if_hopeless(source.name, boards.back(), options.search);
    }
    std::size_t width = 9;
    for (const std::string& name : options.heuristics) width = std::max(width, name.size());

    std::optional<Output> chart;
    if (!options.chart.empty()) chart.emplace(options.chart);
    Output output;
    output.write(fmt::format("{:<{}}  {:>7}  {:>7}  {:>10}  {:>14}  {:>10}\n", "heuristic", width, "solved",
                             "mean h", "mean moves", "expanded", "seconds"));
    int exit = exit_solved;
    std::size_t solved = 0;
    std::vector<npuzzle::ChartBar> bars;
    for (const std::string& name : options.heuristics) {
        SearchOptions search_options = shared(options.search, boards.size());
        search_options.heuristic = name;
        Figures figures;
        in_order(
            boards.size(), options.search.threads,
            [&](std::size_t i) { return search(boards[i], search_options); },
            [&](std::size_t i, const Outcome& outcome) {
                exit = worse(exit, exit_status(outcome));
                if (outcome.status == npuzzle::Status::unsolvable) return;
                ++figures.solvable;
                figures.solved += outcome.solution ? 1 : 0;
                figures.moves += outcome.solution ? static_cast<double>(outcome.moves()) : 0;
                figures.estimates += static_cast<double>(estimate(boards[i], search_options));
                figures.expanded += outcome.statistics.expanded;
                figures.seconds += outcome.statistics.seconds;
            });
        output.write(
            fmt::format("{:<{}}  {:>7}  {:>7.2f}  {:>10.2f}  {:>14}  {:>10.3f}\n", name, width,
                        fmt::format("{}/{}", figures.solved, boards.size()),
                        figures.estimates / static_cast<double>(std::max<std::size_t>(1, figures.solvable)),
                        figures.moves / static_cast<double>(std::max<std::size_t>(1, figures.solved)),
                        figures.expanded, figures.seconds));
        output.flush();
        solved += figures.solved;
        bars.push_back({name, static_cast<double>(figures.expanded)});
    }
    if (chart && solved > 0 && !interrupted().stop_requested()) {
        std::ostringstream text;
        npuzzle::write_bar_chart_svg(text, bars, {.title = "States expanded"});
        chart->write(text.str());
        chart->finish();
    }
    return exit;
}

} // namespace program

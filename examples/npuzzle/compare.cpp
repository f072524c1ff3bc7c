#include <npuzzle/puzzle/board.hpp>

#include "batch.hpp"
#include "comparison.hpp"
#include "files.hpp"
#include "in_order.hpp"
#include "options.hpp"
#include "output.hpp"
#include "search.hpp"

#include <fmt/core.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace program {

namespace {

ComparedSearch search_one(const npuzzle::Board& board, const SearchOptions& options) {
    ComparedSearch compared;
    compared.is_left_out = Batch::is_over();
    if (compared.is_left_out) return compared;
    compared.outcome = search(board, options);
    if (compared.outcome.status != npuzzle::Status::unsolvable) compared.estimate = estimate(board, options);
    return compared;
}

using Write = void (*)(Output&, const Comparison&);

} // namespace

int compare(const CompareOptions& options) {
    const std::string format = format_of(options.format, options.output, {"txt", "csv", "json", "html"});
    const bool has_lines = options.chart_of == "depth" || options.chart_of == "distribution";
    if (!options.chart.empty() && has_lines && options.heuristics.size() > max_lines) {
        throw std::invalid_argument(fmt::format("--chart-of {} draws {} heuristics at most, not {}",
                                                options.chart_of, max_lines, options.heuristics.size()));
    }
    Comparison comparison{options.heuristics, {}, {}};
    std::vector<npuzzle::Board> boards;
    for (Source& source : read_boards(options.files)) {
        if (!source.board) throw std::invalid_argument(source.error);
        boards.push_back(*std::move(source.board));
        comparison.boards.push_back(source.name);
    }
    std::optional<Output> chart;
    if (!options.chart.empty()) chart.emplace(options.chart);
    Output output(options.output);
    require_different(options.output, "--output", options.chart, "--chart");

    int exit = exit_solved;
    Batch batch(options.heuristics.size() * boards.size(), "searches");
    for (const std::string& name : options.heuristics) {
        SearchOptions search_options = shared(options.search, boards.size());
        search_options.heuristic = name;
        std::vector<ComparedSearch>& searches = comparison.searches.emplace_back();
        in_order(
            boards.size(), options.search.threads,
            [&](std::size_t i) { return search_one(boards[i], search_options); },
            [&](std::size_t i, const ComparedSearch& compared) {
                const int of_board = compared.is_left_out ? exit_limit : exit_status(compared.outcome);
                exit = worse(exit, of_board);
                if (compared.is_left_out) {
                    batch.leave_out(comparison.boards[i] + " by " + name);
                } else {
                    batch.add(of_board);
                }
                searches.push_back(compared);
            });
    }
    batch.tell_left_out();

    const Write write = format == "csv"    ? write_csv
                        : format == "json" ? write_json
                        : format == "html" ? write_html
                                           : static_cast<Write>(write_text);
    write(output, comparison);
    output.flush();
    bool has_solved = false;
    for (std::size_t i = 0; i < comparison.heuristics.size(); ++i) {
        has_solved = has_solved || comparison.figures(i).solved > 0;
    }
    // Files are left as they are where there is nothing to compare, and by a stop that cut a search off.
    if (!has_solved || (Batch::is_over() && exit == exit_limit)) return exit;
    output.finish();
    if (chart) {
        chart->write(chart_of(comparison, options.chart_of));
        chart->finish();
    }
    return exit;
}

} // namespace program

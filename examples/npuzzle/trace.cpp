#include <npuzzle/puzzle/solvability.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/visual/search_events.hpp>

#include "any_heuristic.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include <cstdint>
#include <fmt/core.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace program {

namespace {

// Posthoc's view of a board: a square for each cell, whose tile is a property of the event.
std::string view_of_boards(int n) {
    std::string squares;
    for (int cell = 0; cell < n * n; ++cell) {
        squares +=
            fmt::format(R"({}{{"$":"rect","x":{},"y":{},"width":0.96,"height":0.96,"clear":true,)"
                        R"("fill":"${{{{ $.t{} ? color[$.type] : theme.background }}}}",)"
                        R"("label":"${{{{ $.t{} || '' }}}}","label-x":0.3,"label-y":0.7,"label-size":0.5,)"
                        R"("label-color":"${{{{ theme.foreground }}}}"}})",
                        cell == 0 ? "" : ",", cell % n, cell / n, cell, cell);
    }
    return "\"views\":{\"main\":[" + squares + "]},";
}

// The properties that the view asks for; none where there is no view.
struct Tiles {
    bool has_view;

    std::vector<std::pair<std::string, int>> operator()(const npuzzle::Board& board) const {
        std::vector<std::pair<std::string, int>> tiles;
        for (std::int64_t cell = 0; has_view && cell < board.cells(); ++cell) {
            tiles.emplace_back("t" + std::to_string(cell), board.tile(cell));
        }
        return tiles;
    }
};

} // namespace

int trace(const TraceOptions& options) {
    const npuzzle::Board board = read_board(options.file);
    const npuzzle::Board goal = goal_named(options.goal, board.size());
    const HeuristicName name = parse_heuristic(options.heuristic);
    if (name.has_pattern_databases()) throw std::invalid_argument("a trace does without pattern databases");
    const std::string format = format_of(options.format, options.output, {"jsonl", "json"});
    Output output(options.output);
    if (!npuzzle::is_solvable(board, goal)) {
        print_note(
            fmt::format("npuzzle: {}: no solution possible{}\n", options.file,
                        output.is_file() ? fmt::format(", so {} is left as it is", options.output) : ""));
        return exit_unsolvable;
    }
    std::ostringstream out;
    const bool is_posthoc = format != "jsonl";
    const std::string view = view_of_boards(board.size());
    using Events = npuzzle::SearchEvents<npuzzle::Board, npuzzle::StateLabel, Tiles>;
    Events events(
        out,
        {.format = is_posthoc ? npuzzle::SearchEventFormat::posthoc : npuzzle::SearchEventFormat::json_lines,
         .views = view},
        {}, Tiles{is_posthoc});
    const auto result = npuzzle::astar(npuzzle::SlidingPuzzle<>(goal), board, AnyHeuristic(name, {}),
                                       {.expansions = options.steps, .stop = interrupted()}, events);
    if (result.status == npuzzle::Status::cancelled) throw Interrupted();
    events.finish();
    output.write(out.str());
    output.finish();
    return result ? exit_solved : exit_limit;
}

} // namespace program

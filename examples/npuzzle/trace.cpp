#include <npuzzle/puzzle/solvability.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/queue_trace.hpp>
#include <npuzzle/visual/search_events.hpp>

#include "any_heuristic.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <ios>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace program {

namespace {

using Trace = npuzzle::QueueTrace<npuzzle::SlidingPuzzle<>, AnyHeuristic>;

// Lines of equal width, to be placed side by side with other lines.
using Block = std::vector<std::string>;

Block block_of(const Trace::Entry& entry) {
    Block block{fmt::format("f = {}", entry.priority), fmt::format("g = {}", entry.cost),
                fmt::format("h = {}", entry.estimate)};
    const npuzzle::Board& board = entry.state;
    const std::size_t width = std::to_string(board.cells() - 1).size();
    for (int row = 0; row < board.size(); ++row) {
        std::string line;
        for (int column = 0; column < board.size(); ++column) {
            const int tile = board.tile_at(row, column);
            line +=
                fmt::format("{:>{}}", tile == 0 ? "." : std::to_string(tile), width + (column == 0 ? 0 : 1));
        }
        block.push_back(line);
    }
    std::size_t widest = 0;
    for (const std::string& line : block) widest = std::max(widest, line.size());
    for (std::string& line : block) line.resize(widest, ' ');
    return block;
}

void write_step(Output& output, std::size_t number, const std::vector<Trace::Entry>& entries,
                std::size_t in_row) {
    output.write(fmt::format("Step {}: {} on the queue\n", number, entries.size()));
    for (std::size_t first = 0; first < entries.size(); first += in_row) {
        const std::size_t last = std::min(entries.size(), first + in_row);
        std::vector<Block> blocks;
        for (std::size_t i = first; i < last; ++i) blocks.push_back(block_of(entries[i]));
        for (std::size_t line = 0; line < blocks.front().size(); ++line) {
            std::string text;
            for (const Block& block : blocks) text += "    " + block[line];
            output.write(text.substr(0, text.find_last_not_of(' ') + 1) + '\n');
        }
        output.write("\n");
    }
}

std::size_t line_width(const TraceOptions& options) {
    const std::optional<WindowSize> window = options.output.empty() ? window_size() : std::nullopt;
    return window ? static_cast<std::size_t>(window->columns) : 100;
}

npuzzle::Limits limits_of(const TraceOptions& options) {
    return {.expansions = options.steps, .stop = interrupted()};
}

// Files are left as they are by a stop that cut the search off.
template <class Result>
void require_finished(const Result& result) {
    if (result.status == npuzzle::Status::cancelled) throw Interrupted();
}

// The queue before every step of the A* of the classical assignment: no closed list, only the way straight
// back is left out. Whether it found a solution.
bool write_queue(const npuzzle::SlidingPuzzle<>& puzzle, const npuzzle::Board& board,
                 const AnyHeuristic& heuristic, const TraceOptions& options, Output& output) {
    Trace observer;
    const auto result =
        npuzzle::astar<npuzzle::ParentOnly>(puzzle, board, heuristic, limits_of(options), observer);
    require_finished(result);
    const std::size_t width = block_of({0, 0, 0, board}).front().size() + 4;
    const std::size_t in_row =
        options.columns != 0 ? options.columns : std::max<std::size_t>(1, line_width(options) / width);
    for (std::size_t i = 0; i < observer.steps().size(); ++i)
        write_step(output, i, observer.steps()[i], in_row);
    output.write(fmt::format("{} dequeues, {} enqueues{}\n", observer.steps().size(), observer.enqueued(),
                             result ? fmt::format(", {} moves", result.cost) : " so far"));
    output.finish();
    return bool(result);
}

// Hands what is written to an output. Its errors pass through the stream.
class OutputBuffer : public std::streambuf {
public:
    explicit OutputBuffer(Output& output) : output_(&output) {}

private:
    std::streamsize xsputn(const char* text, std::streamsize size) override {
        output_->write(std::string_view(text, static_cast<std::size_t>(size)));
        return size;
    }

    Output* output_;
};

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
    return "{\"main\":[" + squares + "]}";
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

// The events of an A* with a closed list. Whether it found a solution.
bool write_events(const npuzzle::SlidingPuzzle<>& puzzle, const npuzzle::Board& board,
                  const AnyHeuristic& heuristic, const TraceOptions& options, bool is_posthoc,
                  Output& output) {
    OutputBuffer buffer(output);
    std::ostream out(&buffer);
    out.exceptions(std::ios_base::badbit);
    const std::string view = view_of_boards(board.size());
    using Events = npuzzle::SearchEvents<npuzzle::Board, npuzzle::StateLabel, Tiles>;
    Events events(
        out,
        {.format = is_posthoc ? npuzzle::SearchEventFormat::posthoc : npuzzle::SearchEventFormat::json_lines,
         .views = view},
        {}, Tiles{is_posthoc});
    const auto result = npuzzle::astar(puzzle, board, heuristic, limits_of(options), events);
    events.finish();
    output.flush();
    require_finished(result);
    output.finish();
    return bool(result);
}

} // namespace

int trace(const TraceOptions& options) {
    const npuzzle::Board board = read_board(options.file);
    const npuzzle::Board goal = goal_named(options.goal, board.size());
    const HeuristicName name = parse_heuristic(options.heuristic);
    if (name.has_pattern_databases()) throw std::invalid_argument("a trace does without pattern databases");
    std::string format = format_of(options.format, options.output, {"txt", "jsonl", "json"});
    if (format == "json") format = "posthoc";
    Output output(options.output);
    if (!npuzzle::is_solvable(board, goal)) {
        if (output.is_file()) {
            print_note(fmt::format("npuzzle: {}: no solution possible, so {} is left as it is\n",
                                   options.file, options.output));
        } else if (format == "text") {
            output.write("No solution possible\n");
            output.flush();
        }
        return exit_unsolvable;
    }
    const AnyHeuristic heuristic(name, {});
    const npuzzle::SlidingPuzzle<> puzzle(goal);
    const bool is_solved = format == "text"
                               ? write_queue(puzzle, board, heuristic, options, output)
                               : write_events(puzzle, board, heuristic, options, format == "posthoc", output);
    return is_solved ? exit_solved : exit_limit;
}

} // namespace program

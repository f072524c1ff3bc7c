#include <npuzzle/visual/solution.hpp>

#include "format.hpp"

#include <fmt/core.h>
#include <sstream>

namespace program {

std::string bytes_in_words(std::uint64_t bytes) {
    const auto number = static_cast<double>(bytes);
    return bytes >= 1'000'000'000 ? fmt::format("{:.3g} GB", number / 1e9)
           : bytes >= 1'000'000   ? fmt::format("{:.3g} MB", number / 1e6)
                                  : fmt::format("{:.3g} kB", number / 1e3);
}

namespace {

void write_boards(Output& output, const npuzzle::Board& board, const std::vector<npuzzle::Move>& moves) {
    if (const std::uint64_t bytes = bytes_of_boards(board, moves); bytes > max_bytes_of_boards) {
        output.write(
            fmt::format("The boards would take {:.0f} MB; these are the moves of the blank instead:\n{}\n",
                        static_cast<double>(bytes) / 1e6, moves_text(moves)));
        return;
    }
    for_each_board(board, moves, [&](const npuzzle::Board& step) { output.write(step.to_string() + '\n'); });
}

} // namespace

std::uint64_t bytes_of_boards(const npuzzle::Board& board, const std::vector<npuzzle::Move>& moves) {
    return (moves.size() + 1) * (board.to_string().size() + 1);
}

std::string moves_text(const std::vector<npuzzle::Move>& moves) {
    std::string text;
    for (const npuzzle::Move move : moves) {
        if (!text.empty()) text += ' ';
        text += to_string(move);
    }
    return text;
}

void write_text(Output& output, const Answer& answer) {
    const Outcome& outcome = answer.outcome;
    if (!outcome.solution) {
        if (outcome.status == npuzzle::Status::unsolvable) output.write("No solution possible\n");
        return;
    }
    output.write(fmt::format(
        "{} = {}{}\n", outcome.is_shortest ? "Minimum number of moves" : "Number of moves", outcome.moves(),
        outcome.is_bounded ? fmt::format("; no solution has fewer than {}", outcome.at_least) : ""));
    if (!outcome.count) return write_boards(output, answer.board, *outcome.solution);
    output.write(fmt::format("Number of shortest solutions = {}\n", *outcome.count));
    for (std::size_t i = 0; i < answer.solutions.size(); ++i) {
        output.write(fmt::format("Solution {}\n", i + 1));
        write_boards(output, answer.board, answer.solutions[i]);
    }
}

void write_moves(Output& output, const Answer& answer) {
    const Outcome& outcome = answer.outcome;
    if (!outcome.solution) return output.write(fmt::format("{}\n", to_string(outcome.status)));
    if (!outcome.count) return output.write(moves_text(*outcome.solution) + '\n');
    if (answer.solutions.empty()) return output.write(fmt::format("{}\n", *outcome.count));
    for (const auto& solution : answer.solutions) output.write(moves_text(solution) + '\n');
}

namespace {

// Draws the boards with a function of the library.
template <class Draw>
void write_picture(Output& output, const Answer& answer, const Draw& draw) {
    if (!answer.outcome.solution) return;
    std::vector<npuzzle::Board> boards;
    for_each_board(answer.board, *answer.outcome.solution,
                   [&](const npuzzle::Board& board) { boards.push_back(board); });
    std::ostringstream text;
    draw(text, boards);
    output.write(text.str());
}

} // namespace

void write_html(Output& output, const Answer& answer) {
    write_picture(output, answer,
                  [](auto& out, const auto& boards) { npuzzle::write_solution_html(out, boards); });
}

void write_svg(Output& output, const Answer& answer) {
    write_picture(output, answer,
                  [](auto& out, const auto& boards) { npuzzle::write_solution_svg(out, boards); });
}

} // namespace program

#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/puzzle/solvability.hpp>

#include "files.hpp"
#include "options.hpp"
#include "search.hpp"
#include "terminal.hpp"

#include <array>
#include <cstdint>
#include <fmt/core.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <termios.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace program {

namespace {

// Gives each key as soon as it is pressed, as long as this lives, if the standard input is a terminal.
class Keys {
public:
    Keys() {
        if (!is_terminal(stdin) || tcgetattr(STDIN_FILENO, &before_) != 0) return;
        termios raw = before_;
        raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
        is_raw_ = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
    }
    Keys(const Keys&) = delete;
    Keys& operator=(const Keys&) = delete;
    ~Keys() {
        if (is_raw_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
    }

    // Arrow keys come as w, a, s and d; q at the end of the input, and for Ctrl-C.
    char next() {
        const char key = read_one();
        if (key != '\x1b') return key == '\x03' || key == '\x04' ? 'q' : key;
        if (const char bracket = read_one(); bracket != '[' && bracket != 'O') return bracket;
        switch (read_one()) {
        case 'A':
            return 'w';
        case 'B':
            return 's';
        case 'C':
            return 'd';
        case 'D':
            return 'a';
        default:
            return ' ';
        }
    }

private:
    static char read_one() {
        char key = 'q';
        return read(STDIN_FILENO, &key, 1) == 1 ? key : 'q';
    }

    termios before_{};
    bool is_raw_ = false;
};

class Game {
public:
    Game(npuzzle::Board board, const PlayOptions& options)
        : options_(options), puzzle_(goal_named(options.search.goal, board.size())), first_(std::move(board)),
          board_(first_), fewest_(search(first_, options.search)) {}

    const Outcome& fewest() const { return fewest_; }
    bool is_won() const { return puzzle_.is_goal(board_); }

    void press(char key) {
        message_.clear();
        switch (key) {
        case 'w': // The tile goes up, so the blank goes down.
            return slide(npuzzle::Move::down);
        case 's':
            return slide(npuzzle::Move::up);
        case 'a':
            return slide(npuzzle::Move::right);
        case 'd':
            return slide(npuzzle::Move::left);
        case 'u':
            return undo();
        case 'r':
            board_ = first_;
            made_.clear();
            return;
        case 'h':
        case '?':
            return hint();
        default:
            return;
        }
    }

    std::string screen() const {
        std::string text;
        const std::size_t width = std::to_string(board_.cells() - 1).size() + 1;
        for (int row = 0; row < board_.size(); ++row) {
            for (int column = 0; column < board_.size(); ++column) {
                const int tile = board_.tile_at(row, column);
                const std::string cell = fmt::format("{:>{}}", tile == 0 ? "." : std::to_string(tile), width);
                const bool is_home = puzzle_.goal().tile_at(row, column) == tile && tile != 0;
                text += is_home ? coloured(Colour::green, cell) : cell;
            }
            text += '\n';
        }
        text += fmt::format("moves: {}, the fewest: {}\n", made_.size(),
                            fewest_.solution ? std::to_string(fewest_.moves()) : "unknown");
        if (is_won()) {
            const bool is_best = static_cast<std::int64_t>(made_.size()) == fewest_.moves();
            text += coloured(Colour::green, is_best ? "Solved, in the fewest moves." : "Solved.") + '\n';
        } else {
            text += message_.empty() ? "arrows or wasd: slide a tile, u: undo, h: hint, r: restart, q: quit\n"
                                     : message_ + '\n';
        }
        return text;
    }

private:
    void slide(npuzzle::Move move) {
        bool is_possible = false;
        puzzle_.for_each_move(board_, npuzzle::Move::none,
                              [&](npuzzle::Move other) { is_possible = is_possible || other == move; });
        if (!is_possible) {
            message_ = "There is no tile to slide that way.";
            return;
        }
        puzzle_.apply(board_, move);
        made_.push_back(move);
    }

    void undo() {
        if (made_.empty()) {
            message_ = "There is nothing to undo.";
            return;
        }
        puzzle_.apply(board_, inverse(made_.back()));
        made_.pop_back();
    }

    void hint() {
        const Outcome rest = search(board_, options_.search);
        if (!rest.solution) {
            message_ = "No hint: " + in_words(rest.status) + '.';
        } else if (!rest.solution->empty()) {
            constexpr std::array<std::string_view, 4> of_tile{"down", "right", "left", "up"};
            message_ = fmt::format("Slide a tile {}; {} moves are left at the least.",
                                   of_tile[static_cast<std::size_t>(rest.solution->front())], rest.moves());
        }
    }

    const PlayOptions& options_;
    npuzzle::SlidingPuzzle<> puzzle_;
    npuzzle::Board first_;
    npuzzle::Board board_;
    Outcome fewest_;
    std::vector<npuzzle::Move> made_;
    std::string message_;
};

} // namespace

int play(const PlayOptions& options) {
    if (options.file == "-")
        throw std::invalid_argument("the keys come from the standard input, the board from a file");
    Game game(read_board(options.file), options);
    Output output;
    if (game.fewest().status == npuzzle::Status::unsolvable) {
        output.write("No solution possible\n");
        output.flush();
        return exit_unsolvable;
    }
    const std::string clear = is_terminal(stdout) ? "\x1b[H\x1b[2J" : "";
    Keys keys;
    for (;;) {
        output.write(clear + game.screen());
        output.flush();
        if (game.is_won()) return exit_solved;
        char key = keys.next();
        while (key == '\n' || key == '\r') key = keys.next();
        if (key == 'q') return exit_limit;
        game.press(key);
    }
}

} // namespace program

#include <npuzzle/puzzle/sliding_puzzle.hpp>

#include "best_games.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "search.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fmt/core.h>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <termios.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace program {

namespace {

// What `next_key` returns apart from letters.
constexpr char other_size = '\0'; // the window has changed
constexpr char click = '\1';      // at `clicked()`
constexpr char end_of_game = 'q';

// A place on the screen, from 0.
struct Place {
    int row;
    int column;
};

// The terminal during the game: keys and clicks arrive when they are made, and the screen belongs to the
// game. The destructor restores both. Without a terminal, it does nothing.
class PlayTerminal {
public:
    PlayTerminal() : has_screen_(is_terminal(stdout) && !is_dumb_terminal()) {
        has_keys_ = is_terminal(stdin) && tcgetattr(STDIN_FILENO, &before_) == 0;
        enter();
    }
    PlayTerminal(const PlayTerminal&) = delete;
    PlayTerminal& operator=(const PlayTerminal&) = delete;
    ~PlayTerminal() { leave(); }

    bool has_screen() const { return has_screen_; }

    void show(Output& output, const std::string& screen) {
        if (has_screen_) shown_in_ = window_size();
        output.write((has_screen_ ? "\x1b[H\x1b[2J" : "") + screen);
        output.flush();
    }

    // Where the mouse was when it was last clicked.
    Place clicked() const { return clicked_; }

    // Arrow keys come as w, a, s and d. end_of_game stands for the end of the input and for Ctrl-C, too.
    char next_key() {
        for (;;) {
            if (!wait(-1)) return is_stopped() ? end_of_game : other_size;
            const char key = read_one();
            switch (key) {
            case '\x03': // Ctrl-C and Ctrl-D, if no terminal interprets them
            case '\x04':
                return end_of_game;
            case '\x1a':
                if (!has_keys_) break;
                suspend();
                return other_size;
            case '\x1b':
                if (const char meant = read_sequence(); meant != '\0') return meant;
                break;
            case '\n':
            case '\r':
                break;
            default:
                return key;
            }
        }
    }

private:
    static bool is_stopped() { return interrupted().stop_requested(); }

    void enter() {
        if (has_keys_) {
            termios raw = before_;
            raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
            // Ctrl-C still sends its signal, which ends a long search for a hint. The game handles Ctrl-Z
            // itself.
            raw.c_cc[VSUSP] = _POSIX_VDISABLE;
            raw.c_cc[VQUIT] = _POSIX_VDISABLE;
            raw.c_cc[VMIN] = 1;
            raw.c_cc[VTIME] = 0;
            tcsetattr(STDIN_FILENO, TCSANOW, &raw);
        }
        // The alternate screen, so the old content comes back; and clicks, if keys can be told from them.
        if (has_screen_) put(has_keys_ ? "\x1b[?1049h\x1b[?1000h\x1b[?1006h" : "\x1b[?1049h");
    }

    void leave() {
        if (has_screen_) put(has_keys_ ? "\x1b[?1006l\x1b[?1000l\x1b[?1049l" : "\x1b[?1049l");
        if (has_keys_) tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
    }

    // Writes to the terminal at once. If that fails, the next screen fails, too, and reports it.
    static void put(std::string_view text) {
        [[maybe_unused]] const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    }

    void suspend() {
        leave();
        std::raise(SIGTSTP);
        enter();
    }

    // Whether there is a key. Without one, it returns after that many milliseconds (-1: never), on Ctrl-C,
    // and, if keys come from a terminal, when the window has changed.
    bool wait(int milliseconds) const {
        constexpr int tick = 50;
        for (int left = milliseconds; !is_stopped();) {
            pollfd input{STDIN_FILENO, POLLIN, 0};
            if (poll(&input, 1, tick) > 0) return true;
            if (milliseconds >= 0 && (left -= tick) <= 0) return false;
            if (has_screen_ && shown_in_ && window_size() != shown_in_) return false;
        }
        return false;
    }

    static char read_one() {
        char key = end_of_game;
        return read(STDIN_FILENO, &key, 1) == 1 ? key : end_of_game;
    }

    // What follows Escape: the arrow as a letter, a click, or '\0'. Any other key, such as Page Up, is read
    // completely.
    char read_sequence() {
        constexpr int together = 100; // at most so many milliseconds; Escape may have been pressed alone
        if (!wait(together)) return '\0';
        if (const char bracket = read_one(); bracket != '[' && bracket != 'O') return '\0';
        std::string sequence;
        do {
            if (!wait(together)) return '\0';
            sequence += read_one();
        } while (sequence.back() < '@');
        // Older terminals send the button, from 32 on, the column and the row, from 33 on, as bytes.
        if (sequence == "M") {
            std::array<int, 3> values{};
            for (int& value : values) {
                if (!wait(together)) return '\0';
                value = static_cast<unsigned char>(read_one());
            }
            return click_at(values[0] - 32, values[1] - 32, values[2] - 32);
        }
        int button = 0, column = 0, row = 0;
        char end = '\0';
        if (std::sscanf(sequence.c_str(), "<%5d;%5d;%5d%c", &button, &column, &row, &end) == 4 &&
            end == 'M') {
            return click_at(button, column, row);
        }
        switch (sequence.back()) {
        case 'A':
            return 'w';
        case 'B':
            return 's';
        case 'C':
            return 'd';
        case 'D':
            return 'a';
        default:
            return '\0';
        }
    }

    // The left button is number 0; columns and rows are counted from 1.
    char click_at(int button, int column, int row) {
        clicked_ = {row - 1, column - 1};
        return button == 0 ? click : '\0';
    }

    termios before_{};
    bool has_keys_ = false;
    bool has_screen_ = false;
    std::optional<WindowSize> shown_in_;
    Place clicked_{};
    OnSuddenEnd restored_{[this] { leave(); }};
};

// Some of n rows or columns, from `first` on: all of them, or as many as fit, around one of them.
struct Part {
    int first;
    int count;
};

Part part_of(int n, int room, int around) {
    const int count = std::clamp(room, 1, n);
    return {std::clamp(around - count / 2, 0, n - count), count};
}

class Game {
public:
    Game(npuzzle::Board board, const PlayOptions& options)
        : options_(options), puzzle_(goal_named(options.search.goal, board.size())), first_(std::move(board)),
          board_(first_), fewest_(search_for_fewest()) {
        if (fewest_.solution) plan(*fewest_.solution);
    }

    const Outcome& fewest() const { return fewest_; }
    bool is_won() const { return puzzle_.is_goal(board_); }

    const npuzzle::Board& first() const { return first_; }
    const npuzzle::Board& goal() const { return puzzle_.goal(); }
    std::size_t moves() const { return made_.size(); }
    std::size_t hints() const { return hints_; }

    // Slides the tile that is shown there toward the blank, with those between.
    void press(Place place, const std::optional<WindowSize>& window) {
        const Layout layout = layout_in(window);
        clear_message();
        const int column = place.column / static_cast<int>(layout.width);
        if (place.row < 0 || place.row >= layout.rows.count || place.column < 0 ||
            column >= layout.columns.count) {
            return;
        }
        const int n = board_.size();
        const auto blank = static_cast<int>(board_.blank_cell());
        const int down = layout.rows.first + place.row - blank / n;
        const int right = layout.columns.first + column - blank % n;
        if (down != 0 && right != 0) {
            message_ = "A tile in the row or the column of the blank can slide.";
            return;
        }
        for (int i = 0; i < std::abs(down); ++i) slide(down > 0 ? npuzzle::Move::down : npuzzle::Move::up);
        for (int i = 0; i < std::abs(right); ++i)
            slide(right > 0 ? npuzzle::Move::right : npuzzle::Move::left);
    }

    void press(char key) {
        clear_message();
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
            plan_.clear();
            return;
        case 'h':
        case '?':
            return hint();
        default:
            return;
        }
    }

    // If the board does not fit in the window, the part around the blank.
    std::string screen(const std::optional<WindowSize>& window) const {
        return board_and_counts(window) + last_line(window) + '\n';
    }

    // What remains on the screen after the game.
    std::string last_screen(const std::optional<WindowSize>& window) const {
        return board_and_counts(window) + (is_won() ? last_line(window) + '\n' : "");
    }

private:
    // Where the board is on the screen: some rows and columns, each as wide as the largest tile.
    struct Layout {
        Part rows;
        Part columns;
        std::size_t width;
    };

    Layout layout_in(const std::optional<WindowSize>& window) const {
        const int n = board_.size();
        const std::size_t width = std::to_string(board_.cells() - 1).size() + 1;
        const auto blank = static_cast<int>(board_.blank_cell());
        // Below the board are two lines, or three, and the cursor is on another one.
        const int below = explanation_.empty() ? 3 : 4;
        return {part_of(n, window ? window->rows - below : n, blank / n),
                part_of(n, window ? window->columns / static_cast<int>(width) : n, blank % n), width};
    }

    void clear_message() {
        message_.clear();
        explanation_.clear();
    }

    static std::string in_line(std::string line, const std::optional<WindowSize>& window) {
        if (window) line.resize(std::min(line.size(), static_cast<std::size_t>(window->columns)));
        return line;
    }

    std::string last_line(const std::optional<WindowSize>& window) const {
        if (is_won()) {
            const bool is_best = static_cast<std::int64_t>(made_.size()) == fewest_.moves();
            return colored(Color::green,
                           in_line(is_best ? "Solved, in the fewest moves." : "Solved.", window));
        }
        const std::string explanation = explanation_.empty() ? "" : in_line(explanation_, window) + '\n';
        return explanation +
               in_line(message_.empty()
                           ? "arrows or wasd: slide a tile, u: undo, h: hint, r: restart, q: quit"
                           : message_,
                       window);
    }

    std::string board_and_counts(const std::optional<WindowSize>& window) const {
        std::string text;
        const auto [rows, columns, width] = layout_in(window);
        for (int row = rows.first; row < rows.first + rows.count; ++row) {
            for (int column = columns.first; column < columns.first + columns.count; ++column) {
                const int tile = board_.tile_at(row, column);
                const std::string cell = fmt::format("{:>{}}", tile == 0 ? "." : std::to_string(tile), width);
                const bool is_home = puzzle_.goal().tile_at(row, column) == tile && tile != 0;
                text += is_home ? colored(Color::green, cell) : cell;
            }
            text += '\n';
        }
        const std::string fewest =
            fewest_.solution ? std::to_string(fewest_.moves()) : fmt::format("{} or more", fewest_.at_least);
        return text + in_line(fmt::format("moves: {}, the fewest: {}", made_.size(), fewest), window) + '\n';
    }

    Outcome search_for_fewest() const {
        Outcome outcome;
        outcome.at_least = least_moves(board_, options_.search.goal);
        return is_hopeless(board_, options_.search) ? outcome : search(board_, options_.search);
    }

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
        if (!plan_.empty() && plan_.back() == move) {
            plan_.pop_back();
        } else {
            plan_.clear();
        }
    }

    void undo() {
        if (made_.empty()) {
            message_ = "There is nothing to undo.";
            return;
        }
        puzzle_.apply(board_, inverse(made_.back()));
        made_.pop_back();
        plan_.clear();
    }

    void plan(const std::vector<npuzzle::Move>& moves) {
        plan_.assign(moves.rbegin(), moves.rend());
        is_plan_shortest_ = true;
    }

    // If the fewest moves are not available, some solution: it leads to the goal if every hint is taken.
    void find_plan() {
        const bool was_tried = board_ == first_ && !fewest_.solution;
        if (!was_tried && !is_hopeless(board_, options_.search)) {
            if (const Outcome rest = search(board_, options_.search); rest.solution) {
                return plan(*rest.solution);
            }
        }
        SearchOptions some = options_.search;
        some.algorithm = "constructive";
        plan(search(board_, some).solution.value());
        is_plan_shortest_ = false;
    }

    // What each heuristic says of the moves that are left.
    std::string estimates() const {
        std::string text;
        for (const char* name : {"hamming", "manhattan", "linear-conflict", "walking-distance"}) {
            // Beyond size 4, the table of walking distance takes longer than a hint may.
            if (board_.size() > 4 && std::string_view(name) == "walking-distance") continue;
            SearchOptions options = options_.search;
            options.heuristic = name;
            text += fmt::format("{} {} {}", text.empty() ? "At the least, by" : ",", name,
                                estimate(board_, options));
        }
        return text + '.';
    }

    void hint() {
        if (plan_.empty()) find_plan();
        ++hints_;
        explanation_ = estimates();
        constexpr std::array<std::string_view, 4> of_tile{"down", "right", "left", "up"};
        const std::string_view direction = of_tile[static_cast<std::size_t>(plan_.back())];
        message_ =
            is_plan_shortest_
                ? fmt::format("Slide a tile {}; {} moves are left at the least.", direction, plan_.size())
                : fmt::format("Slide a tile {}; this way takes {} moves, perhaps not the fewest.", direction,
                              plan_.size());
    }

    const PlayOptions& options_;
    npuzzle::SlidingPuzzle<> puzzle_;
    npuzzle::Board first_;
    npuzzle::Board board_;
    Outcome fewest_;
    std::vector<npuzzle::Move> made_;
    std::vector<npuzzle::Move> plan_; // in reverse: the next move is the last element
    bool is_plan_shortest_ = true;
    std::string message_;
    std::string explanation_; // of the message
    std::size_t hints_ = 0;
};

// The outcome of the game.
int play_on(PlayTerminal& terminal, Game& game, Output& output) {
    for (;;) {
        terminal.show(output, game.screen(terminal.has_screen() ? window_size() : std::nullopt));
        if (game.is_won()) return exit_solved;
        const char key = terminal.next_key();
        if (key == end_of_game) return exit_limit;
        if (key == click) {
            game.press(terminal.clicked(), window_size());
        } else if (key != other_size) {
            game.press(key);
        }
    }
}

} // namespace

int play(const PlayOptions& options) {
    if (options.is_best) {
        if (!options.file.empty()) throw std::invalid_argument("play --best goes without FILE");
        return list_best_games(options.format);
    }
    if (options.file.empty()) throw std::invalid_argument("play needs FILE, or --best");
    if (options.format != "text") throw std::invalid_argument("play --format goes with --best alone");
    if (options.file == "-")
        throw std::invalid_argument("the keys come from the standard input, the board from a file");
    Game game(read_board(options.file), options);
    Output output;
    if (game.fewest().status == npuzzle::Status::unsolvable) {
        output.write("No solution possible\n");
        output.flush();
        return exit_unsolvable;
    }
    const auto begun = std::chrono::steady_clock::now();
    int exit = exit_limit;
    bool had_screen = false;
    {
        PlayTerminal terminal;
        had_screen = terminal.has_screen();
        exit = play_on(terminal, game, output);
    }
    if (had_screen) output.write(game.last_screen(window_size()));
    if (exit == exit_solved) {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
        std::optional<std::int64_t> fewest;
        if (game.fewest().solution) fewest = game.fewest().moves();
        output.write(
            keep_game({game.first(), game.goal(), game.moves(), fewest, game.hints(), taken.count()}));
    }
    output.flush();
    return exit;
}

} // namespace program

#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/move.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// A solution, such as `Solver::solution()`, as a picture: its boards side by side, as SVG; and as a page that
/// plays it: one HTML file that needs only a browser.
///
/// Its boards go from the first to the last, each one move from the one before. The functions throw
/// `std::invalid_argument` if there are no boards, if they are not all of one size, or if one is not one move
/// from the one before; also if an option is out of its range. O(n^2) time a board. Errors are left in the
/// state of the stream; its locale, width and fill make no difference.

namespace npuzzle {

/// Options of `write_solution_svg`.
struct SolutionSvgOptions {
    /// The number of boards in a row. With 0, the picture is about twice as wide as it is high.
    int columns = 0;
    /// The title for screen readers, which most viewers also show under the pointer. If empty, the size and
    /// the number of moves.
    std::string title = {};
};

/// Options of `write_solution_html`.
struct SolutionHtmlOptions {
    /// The heading and the name of the page; if empty, the size and the number of moves.
    std::string title = {};
    /// How long a move takes while the page plays at its normal speed: from 1 to 60000.
    int milliseconds_per_move = 500;
};

namespace detail {

/// The moves of the blank from each board to the next. Throws as the top of this file says.
inline std::vector<Move> moves_of(const std::vector<Board>& boards) {
    if (boards.empty()) throw_invalid({"there are no boards to draw"});
    const int n = boards.front().size();
    std::vector<Move> moves;
    for (std::size_t step = 1; step < boards.size(); ++step) {
        const Board& from = boards[step - 1];
        const Board& to = boards[step];
        if (to.size() != n) {
            throw_invalid({"boards of size ", n, " and of size ", to.size(), " are not of one solution"});
        }
        const std::vector<Board> reached = from.neighbors();
        if (std::find(reached.begin(), reached.end(), to) == reached.end()) {
            throw_invalid({"board ", step, " of the solution is not one move from the board before"});
        }
        const std::int64_t by = to.blank_cell() - from.blank_cell();
        moves.push_back(by == -n ? Move::up : by == -1 ? Move::left : by == 1 ? Move::right : Move::down);
    }
    return moves;
}

/// `text` escaped for use between tags and in quotes. Control characters, which XML cannot hold, become
/// U+FFFD.
inline std::string escaped_for_xml(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
        escaped += c == '&'     ? "&amp;"
                   : c == '<'   ? "&lt;"
                   : c == '>'   ? "&gt;"
                   : c == '"'   ? "&quot;"
                   : is_control ? "\xEF\xBF\xBD"
                                : std::string(1, c);
    }
    return escaped;
}

/// The given title, or such as "A sliding-tile puzzle of 3 by 3, solved in 1 move"; escaped.
inline std::string title_of(const std::vector<Board>& boards, const std::string& title) {
    if (!title.empty()) return escaped_for_xml(title);
    const int size = boards.front().size();
    return text_of({"A sliding-tile puzzle of ", size, " by ", size, ", solved in ", boards.size() - 1,
                    boards.size() == 2 ? " move" : " moves"});
}

inline void write_text(std::ostream& out, std::string_view text) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

/// A board drawn as SVG, in whole pixels, so that the same boards give the same picture everywhere.
struct BoardDrawing {
    static constexpr std::int64_t tile = 32; // its side
    static constexpr std::int64_t gap = 2;
    static constexpr std::int64_t spacing = 20;

    explicit BoardDrawing(std::int64_t size_of_board)
        : size(size_of_board), board(size * (tile + gap) + 3 * gap) {
        const std::int64_t digits = std::ssize(std::to_string(size * size - 1));
        // Half the tile, less where numbers have many digits.
        number = 1 + (digits <= 2 ? tile / 2 : tile * 11 / (10 * digits));
    }

    static std::string text(const std::string& attributes, std::int64_t x, std::int64_t y,
                            const std::string& what) {
        return text_of({"<text", attributes, " x=\"", x, "\" y=\"", y, "\">", what, "</text>"});
    }
    /// A rectangle with rounded corners.
    static std::string rectangle(const std::string& attributes, std::int64_t x, std::int64_t y,
                                 std::int64_t width, std::int64_t height, std::int64_t radius) {
        return text_of({"<rect", attributes, " x=\"", x, "\" y=\"", y, "\" width=\"", width, "\" height=\"",
                        height, "\" rx=\"", radius, "\"/>"});
    }

    std::string drawn_tile(int tile_number, std::int64_t cell) const {
        const std::int64_t x = 2 * gap + cell % size * (tile + gap);
        const std::int64_t y = 2 * gap + cell / size * (tile + gap);
        const std::int64_t baseline =
            (50 * tile + 36 * number + 50) / 100; // A digit is 0.72 of the font high.
        return rectangle("", x, y, tile, tile, tile / 8) +
               text("", x + tile / 2, y + baseline, std::to_string(tile_number));
    }

    /// The beginning of a picture: its title, its style rules and its background.
    std::string head(std::int64_t width, std::int64_t height, const std::string& title) const {
        std::string head =
            text_of({"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"npuzzle\" role=\"img\" width=\"",
                     width, "\" height=\"", height, "\" viewBox=\"0 0 ", width, " ", height,
                     "\" aria-label=\"", title, "\">\n<title>", title, "</title>\n<style>\n"});
        const auto add = [&](const std::vector<std::string>& rules) {
            for (const std::string& rule : rules) head += ".npuzzle " + rule + " }\n";
        };
        add({"text { font: 600 " + std::to_string(number) +
                 "px system-ui, -apple-system, \"Segoe UI\", \"DejaVu Sans\", sans-serif; "
                 "text-anchor: middle; fill: #3d2c12",
             ".caption { font-size: " + std::to_string(2 + tile * 3 / 8) + "px; fill: #57606a",
             ".moved text { fill: #ffffff", "rect { fill: #f2dfb8", ".moved rect { fill: #1b66c9",
             ".frame { fill: #8a6d45", ".page { fill: #ffffff"});
        head += "@media (prefers-color-scheme: dark) {\n";
        add({"text { fill: #f0e6d2", ".caption { fill: #9aa4af", ".moved text { fill: #06182f",
             "rect { fill: #57493a", ".moved rect { fill: #79b5ff", ".frame { fill: #2b241d",
             ".page { fill: #0d1117"});
        return head + "}\n</style>\n" + rectangle(" class=\"page\"", 0, 0, width, height, tile / 4) + '\n';
    }

    std::int64_t size;
    std::int64_t board;  ///< the side of the board, with its frame
    std::int64_t number; ///< the font size of the numbers
};

inline constexpr std::string_view solution_html_style = R"css(
:root { color-scheme: light dark; --page: #ffffff; --ink: #1f2328; --quiet: #57606a; --line: #d0d7de; --raised: #f6f8fa;
  --frame: #8a6d45; --tile: #f2dfb8; --number: #3d2c12; --accent: #1b66c9; --on-accent: #ffffff }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --ink: #e6edf3; --quiet: #9aa4af; --line: #30363d; --raised: #161b22;
    --frame: #2b241d; --tile: #57493a; --number: #f0e6d2; --accent: #79b5ff; --on-accent: #06182f }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.4 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif }
main { margin: 0 auto; padding: 16px; width: min(100%, max(300px, min(520px, 100vh - 240px))); text-align: center }
h1 { margin: 0 0 12px; font-size: 1.25rem; line-height: 1.3; overflow-wrap: anywhere }
#board { aspect-ratio: 1; padding: 1.5%; border-radius: 10px; background: var(--frame) }
#cells { position: relative; width: 100%; height: 100%; container-type: inline-size }
.tile { position: absolute; inset: 0 auto auto 0; display: grid; place-items: center; font-weight: 600;
  color: var(--number); transition: transform var(--slide) ease-in-out; user-select: none }
.tile::before { content: ""; position: absolute; inset: 2.5%; z-index: -1; border-radius: 10%; background: var(--tile) }
.tile.moved { color: var(--on-accent) }
.tile.moved::before { background: var(--accent) }
#scrub { display: block; width: 100%; height: 28px; margin: 12px 0 0; accent-color: var(--accent) }
p { margin: 4px 0 12px; color: var(--quiet); font-variant-numeric: tabular-nums }
button { min-width: 64px; min-height: 44px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--raised); color: var(--ink); font: inherit; cursor: pointer }
button:disabled { opacity: .45; cursor: default }
button:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
#play { min-width: 96px; border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
@media (prefers-reduced-motion: reduce) { .tile { transition: none } }
)css";

inline constexpr std::string_view solution_html_body = R"html(
<div id="board" role="img" aria-label="The board"><div id="cells" aria-hidden="true"></div></div>
<input id="scrub" type="range" min="0" value="0" step="1" aria-label="Moves made">
<p id="status" role="status" aria-live="polite"></p>
<div class="buttons">
<button id="back" type="button" aria-label="One move back" title="One move back (left arrow)">←</button>
<button id="play" type="button" title="Play or pause (space)">Play</button>
<button id="forward" type="button" aria-label="One move forward" title="One move forward (right arrow)">→</button>
</div>
<noscript><p>This page needs JavaScript to show the board and to play the moves.</p></noscript>
</main>
)html";

/// The script of the page. It is called with the size, the cells of the first board, the first letters of the
/// blank's moves, and the milliseconds of a move.
inline constexpr std::string_view solution_html_script = R"js((function (size, cells, moves, pause) {
"use strict";
const element = (id) => document.getElementById(id);
const [board, scrub, status, back, playButton, forward] = ["board", "scrub", "status", "back", "play", "forward"].map(element);
const blankStep = { u: -size, l: -1, r: 1, d: size };
const tileGoes = { u: "down", l: "right", r: "left", d: "up" };
const tiles = [];
let blank = cells.indexOf(0), step = 0, timer, playing = false, moved = 0;

function place(cell) {
  const tile = cells[cell];
  if (tile) tiles[tile].style.transform = `translate(${cell % size * 100}%, ${Math.floor(cell / size) * 100}%)`;
}
function slide(by) {
  moved = cells[blank] = cells[blank + by];
  place(blank);
  blank += by;
  cells[blank] = 0;
}
function go(target) {
  target = Math.max(0, Math.min(moves.length, target));
  while (step > 0 && step >= target) slide(-blankStep[moves[--step]]); // one more, which tells the tile that moved
  while (step < target) slide(blankStep[moves[step++]]);
  tiles.forEach((tile, number) => tile.classList.toggle("moved", step > 0 && number === moved));
  scrub.value = step;
  const text = step ? `Move ${step} of ${moves.length}: tile ${moved} ${tileGoes[moves[step - 1]]}`
    : moves.length ? `Start: ${moves.length} ${moves.length === 1 ? "move" : "moves"} to go` : "Nothing to move";
  scrub.setAttribute("aria-valuetext", status.textContent = text);
  const inWords = cells.map((tile, cell) => (tile || "blank") + (cell % size === size - 1 ? ";" : ""));
  board.setAttribute("aria-label", inWords.join(" ").slice(0, -1));
  back.disabled = step === 0;
  forward.disabled = step === moves.length;
}
function setPlaying(wanted) {
  playing = wanted;
  playButton.textContent = playing ? "Pause" : "Play";
  status.setAttribute("aria-live", playing ? "off" : "polite");
  clearTimeout(timer);
}
function tick() {
  go(step + 1);
  if (step === moves.length) setPlaying(false);
  else timer = setTimeout(tick, pause);
}
function play() {
  if (!moves.length) return;
  setPlaying(true);
  if (step === moves.length) {
    go(0);
    timer = setTimeout(tick, pause);
  } else tick();
}
function jump(target) {
  setPlaying(false);
  go(target);
}

cells.forEach((tile, cell) => {
  if (!tile) return;
  const drawn = tiles[tile] = document.createElement("div");
  drawn.className = "tile";
  drawn.textContent = tile;
  drawn.style.width = drawn.style.height = 100 / size + "%";
  place(cell);
  element("cells").append(drawn);
});
board.style.setProperty("--slide", Math.min(200, pause * 0.7) + "ms");
scrub.max = moves.length;
scrub.disabled = playButton.disabled = !moves.length;
back.onclick = () => jump(step - 1);
forward.onclick = () => jump(step + 1);
playButton.onclick = () => playing ? setPlaying(false) : play();
scrub.oninput = () => jump(Number(scrub.value));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: moves.length }[event.key];
  if (event.key === " " && event.target.tagName !== "BUTTON") playButton.onclick();
  else if (target !== undefined) jump(target);
  else return;
  event.preventDefault();
});
go(0);
}))js";

} // namespace detail

/// Draws a solution as an SVG picture: a grid of its boards, which it writes one by one. The tile that moved
/// has another color, and the number of moves is below each board. Colors follow the viewer's light or dark
/// scheme.
inline void write_solution_svg(std::ostream& out, const std::vector<Board>& boards,
                               const SolutionSvgOptions& options = {}) {
    static_cast<void>(detail::moves_of(boards));
    if (options.columns < 0) {
        detail::throw_invalid({"there cannot be ", options.columns, " columns"});
    }

    const detail::BoardDrawing drawing(boards.front().size());
    const std::int64_t across = drawing.board + drawing.spacing;
    const std::int64_t down = across + drawing.spacing + drawing.gap; // with a caption
    const auto count = static_cast<std::int64_t>(boards.size());
    const auto rows_of = [&](std::int64_t columns) { return (count + columns - 1) / columns; };
    std::int64_t columns = (std::min)(std::int64_t{options.columns}, count);
    if (columns == 0) {
        // The least number that makes the picture twice as wide as it is high, reduced as far as the number of
        // rows stays the same, so that the last row is not almost empty.
        columns = 1;
        while (columns < count && columns * across < 2 * rows_of(columns) * down) ++columns;
        columns = rows_of(rows_of(columns));
    }
    detail::write_text(out, drawing.head(columns * across + drawing.spacing,
                                         rows_of(columns) * down + drawing.spacing,
                                         detail::title_of(boards, options.title)));
    for (std::int64_t step = 0; step < count; ++step) {
        const Board& board = boards[static_cast<std::size_t>(step)];
        const std::int64_t moved = step == 0 ? -1 : boards[static_cast<std::size_t>(step - 1)].blank_cell();
        std::string text = detail::text_of(
            {"<g transform=\"translate(", drawing.spacing + step % columns * across, " ",
             drawing.spacing + step / columns * down, ")\">\n",
             drawing.rectangle(" class=\"frame\"", 0, 0, drawing.board, drawing.board, drawing.tile / 6),
             "\n"});
        for (std::int64_t cell = 0; cell < board.cells(); ++cell) {
            if (const int tile = board.tile(cell); tile != 0) {
                const std::string drawn = drawing.drawn_tile(tile, cell);
                text += (cell == moved ? "<g class=\"moved\">" + drawn + "</g>" : drawn) + '\n';
            }
        }
        text += drawing.text(" class=\"caption\"", drawing.board / 2, drawing.board + drawing.spacing,
                             step == 0 ? "start" : std::to_string(step));
        detail::write_text(out, text + "\n</g>\n");
    }
    detail::write_text(out, "</svg>\n");
}

/// Writes a solution as an HTML page that plays it. The viewer can play, pause, step and scrub, also by
/// keyboard. The page fits a phone, loads nothing from the network, follows the viewer's light or dark scheme,
/// respects reduced motion, and has names for screen readers. It holds the first board and one letter a move.
inline void write_solution_html(std::ostream& out, const std::vector<Board>& boards,
                                const SolutionHtmlOptions& options = {}) {
    const std::vector<Move> moves = detail::moves_of(boards);
    if (options.milliseconds_per_move < 1 || options.milliseconds_per_move > 60000) {
        detail::throw_invalid(
            {"a move takes from 1 to 60000 milliseconds, not ", options.milliseconds_per_move});
    }
    const Board& start = boards.front();
    const std::string title = detail::title_of(boards, options.title);
    const std::string size = std::to_string(start.size());
    // A tile's side is 100 / n percent of the board's; the font size is a fraction of it.
    const std::int64_t digits = std::ssize(std::to_string(start.cells() - 1));
    const std::string type = std::to_string(digits <= 2 ? 46 : 120 / digits);

    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>";
    page.append(title).append("</title>\n<style>").append(detail::solution_html_style);
    page.append(".tile { font-size: calc(").append(type).append("cqw / ").append(size);
    page.append(") }\n</style>\n</head>\n<body>\n<main>\n<h1>").append(title).append("</h1>");
    page.append(detail::solution_html_body).append("<script>\n").append(detail::solution_html_script);
    page.append("(").append(size);
    for (std::int64_t cell = 0; cell < start.cells(); ++cell) {
        page.append(cell == 0 ? ", [" : ",").append(std::to_string(start.tile(cell)));
    }
    page += "], \"";
    for (const Move move : moves) page += to_string(move).front();
    page.append("\", ").append(std::to_string(options.milliseconds_per_move));
    page.append(");\n</script>\n</body>\n</html>\n");
    detail::write_text(out, page);
}

} // namespace npuzzle

#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/move.hpp"
#include "npuzzle/visual/detail/drawing.hpp"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

/// \file
/// A solution as a moving picture: one board whose tiles slide, as SVG.

namespace npuzzle {

/// Options of `write_animated_svg`.
struct AnimatedSvgOptions {
    /// The side of a tile, in pixels.
    int tile_size = 48;
    /// How long a move takes.
    int milliseconds_per_move = 500;
    /// The pause before the first move, and after the last one.
    int milliseconds_of_rest = 1500;
    /// Whether the animation starts again at the end. If not, it stops at the last board.
    bool repeats = true;
    /// The title for screen readers, which most viewers also show under the pointer. If empty, the size and
    /// the number of moves.
    std::string title = {};
};

namespace detail {

/// When a tile arrives at a cell and when it leaves, in milliseconds.
struct TileStay {
    std::int64_t cell;
    std::int64_t from, to;
};

/// A time as a percentage of the whole, rounded to a ten thousandth.
[[nodiscard]] inline std::string percent(std::int64_t part, std::int64_t whole) {
    const std::int64_t units = part * 1'000'000 / whole;
    std::string text = std::to_string(units / 10'000);
    if (std::int64_t rest = units % 10'000; rest != 0) {
        std::string digits = std::to_string(10'000 + rest).substr(1);
        while (digits.back() == '0') digits.pop_back();
        text += '.' + digits;
    }
    return text + '%';
}

/// A number for each picture (FNV-1a), so that the style rules of several pictures on one page do not clash.
[[nodiscard]] inline std::string name_of(const Board& start, const std::vector<Move>& moves,
                                         std::int64_t milliseconds) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto add = [&hash](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3U; };
    for (std::int64_t cell = 0; cell < start.cells(); ++cell)
        add(static_cast<std::uint64_t>(start.tile(cell)));
    for (const Move move : moves) add(static_cast<std::uint64_t>(move));
    add(static_cast<std::uint64_t>(milliseconds));
    hash ^= hash >> 32U;
    std::string name = "npuzzle-";
    for (int digit = 0; digit < 8; ++digit, hash >>= 4U) name += "0123456789abcdef"[hash & 15U];
    return name;
}

} // namespace detail

/// Draws a solution, such as `Solver::solution()`, as an animated SVG picture. Tiles slide; a bar below shows
/// the progress. The picture needs no script and also moves in an `<img>`. Colors follow the viewer's light
/// or dark scheme. A viewer who asks for reduced motion sees the first board only.
///
/// \param boards from the first to the last, each one move from the one before
/// \throws std::invalid_argument if there are no boards, if they are not all of one size, if one is not one
///         move from the one before, if `options.tile_size` is not from 1 to 10000,
///         `options.milliseconds_per_move` not from 1 to 60000 or `options.milliseconds_of_rest` not from 0
///         to 60000
///
/// O(n^2) time a board; about 60 bytes a move. Errors are left in the state of `out`.
inline void write_animated_svg(std::ostream& out, const std::vector<Board>& boards,
                               const AnimatedSvgOptions& options = {}) {
    const std::vector<Move> moves = detail::moves_of(boards);
    detail::require_tile_size(options.tile_size);
    detail::require_move_time(options.milliseconds_per_move);
    detail::require_option(options.milliseconds_of_rest, 0, 60000, "a rest takes", "milliseconds");

    const Board& start = boards.front();
    const detail::BoardDrawing drawing(start.size(), options.tile_size);
    const std::int64_t each = options.milliseconds_per_move;
    const std::int64_t rest = options.milliseconds_of_rest;
    const std::int64_t whole = 2 * rest + static_cast<std::int64_t>(moves.size()) * each;
    const std::string name = detail::name_of(start, moves, whole);

    // Where each tile stays, one place after another.
    std::vector<std::vector<detail::TileStay>> stays(static_cast<std::size_t>(start.cells()));
    for (std::int64_t cell = 0; cell < start.cells(); ++cell) {
        stays[static_cast<std::size_t>(start.tile(cell))].push_back({cell, 0, whole});
    }
    for (std::size_t step = 1; step < boards.size(); ++step) {
        const std::int64_t to = boards[step - 1].blank_cell();
        auto& of_tile = stays[static_cast<std::size_t>(boards[step].tile(to))];
        const std::int64_t now = rest + static_cast<std::int64_t>(step - 1) * each;
        of_tile.back().to = now;
        of_tile.push_back({to, now + (2 * each + 2) / 3, whole}); // a third of the time it stands
    }

    const std::int64_t bar = 2 + drawing.tile / 12;
    const std::int64_t bar_top = drawing.board + drawing.spacing / 2;
    const std::int64_t caption = bar_top + bar + drawing.spacing;
    const std::string kind = '.' + name + ' ';
    std::string rules;
    if (!moves.empty()) {
        rules = kind + ".moves { animation: var(--name) " + std::to_string(whole) + "ms ease-in-out " +
                (options.repeats ? "infinite" : "1 forwards") + " }\n@keyframes " + name + "-bar { 0%, " +
                detail::percent(rest, whole) +
                " { transform: scaleX(0); animation-timing-function: linear } " +
                detail::percent(whole - rest, whole) +
                ", 100% { transform: none } }\n@media (prefers-reduced-motion: reduce) {\n" + kind +
                ".moves { animation: none }\n" + kind + ".track, " + kind + ".bar { display: none }\n}\n";
    }
    detail::write_text(
        out, drawing.head(name, drawing.board + 2 * drawing.spacing, caption + 2 * drawing.spacing,
                          detail::title_of(boards, options.title),
                          {".track { fill: #e1e4e8", ".bar { fill: #1b66c9"},
                          {".track { fill: #262c34", ".bar { fill: #79b5ff"}, rules) +
                 "<g " + drawing.translation(drawing.spacing, drawing.spacing) + ">\n" + drawing.frame());
    for (std::int64_t cell = 0; cell < start.cells(); ++cell) {
        const int tile = start.tile(cell);
        if (tile == 0) continue;
        const auto& of_tile = stays[static_cast<std::size_t>(tile)];
        std::string text = "<g ";
        if (of_tile.size() > 1) {
            const std::string its_name = name + "-tile" + std::to_string(tile);
            text = "<style>@keyframes " + its_name + " {";
            for (const detail::TileStay& stay : of_tile) {
                text += ' ' + detail::percent(stay.from, whole);
                if (stay.to != stay.from) text += ", " + detail::percent(stay.to, whole);
                text += " { transform: translate(" + std::to_string(drawing.left(stay.cell)) + "px, " +
                        std::to_string(drawing.top(stay.cell)) + "px) }";
            }
            text += " }</style>\n<g class=\"moves\" style=\"--name: " + its_name + "\" ";
        }
        detail::write_text(out, text + drawing.translation(drawing.left(cell), drawing.top(cell)) + '>' +
                                    drawing.drawn_tile(tile, 0, 0) + "</g>\n");
    }
    const auto strip = [&](const std::string& which) {
        return drawing.rectangle(" class=\"" + which + '"', 0, bar_top, drawing.board, bar, bar / 2);
    };
    if (!moves.empty()) {
        detail::write_text(out, strip("track") + "\n<g class=\"moves\" style=\"--name: " + name + "-bar\">" +
                                    strip("bar") + "</g>\n");
    }
    detail::write_text(out, drawing.text(" class=\"caption\"", drawing.board / 2, caption,
                                         detail::counted_moves(moves.size())) +
                                "\n</g>\n</svg>\n");
}

} // namespace npuzzle

// The functions that the page calls. What they throw becomes an object with the member `error`.
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/version.hpp>

#include "boards.hpp"
#include "maps.hpp"
#include "textbook.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <exception>
#include <string>
#include <vector>

namespace {

using emscripten::val;
using npuzzle::Board;

template <class F>
val guarded(F&& f) {
    try {
        return f();
    } catch (const std::exception& error) {
        val result = val::object();
        result.set("error", std::string(error.what()));
        return result;
    }
}

// A copy, as a typed array.
template <class T>
val typed_array(const std::vector<T>& values) {
    return val(emscripten::typed_memory_view(values.size(), values.data())).template call<val>("slice");
}

Board board_of(const val& tiles) {
    return Board(emscripten::vecFromJSArray<std::int32_t>(tiles));
}

val array_of(const std::vector<Board>& boards) {
    val array = val::array();
    for (const Board& board : boards) array.call<void>("push", typed_array(board.tiles()));
    return array;
}

val object_of(const Board& board) {
    val object = val::object();
    object.set("size", board.size());
    object.set("tiles", typed_array(board.tiles()));
    object.set("is_solvable", board.is_solvable());
    object.set("is_goal", board.is_goal());
    return object;
}

val object_of(npuzzle::Status status) {
    return val(std::string(npuzzle::to_string(status)));
}

val object_of(const npuzzle::Statistics& statistics) {
    val object = val::object();
    object.set("expanded", static_cast<double>(statistics.expanded));
    object.set("generated", static_cast<double>(statistics.generated));
    object.set("stored", static_cast<double>(statistics.stored));
    object.set("reopened", static_cast<double>(statistics.reopened));
    object.set("bytes", static_cast<double>(statistics.bytes));
    object.set("seconds", statistics.seconds);
    return object;
}

npuzzle::Limits limits_of(const val& request) {
    npuzzle::Limits limits;
    limits.bytes = static_cast<std::uint64_t>(request["bytes"].as<double>());
    if (request.hasOwnProperty("seconds")) {
        limits.time = std::chrono::duration<double>(request["seconds"].as<double>());
    }
    if (request.hasOwnProperty("expansions")) {
        limits.expansions = static_cast<std::uint64_t>(request["expansions"].as<double>());
    }
    return limits;
}

template <std::size_t n>
val array_of(const playground::Choice (&choices)[n]) {
    val array = val::array();
    for (const playground::Choice& choice : choices) {
        val object = val::object();
        object.set("name", std::string(choice.name));
        object.set("label", std::string(choice.label));
        array.call<void>("push", object);
    }
    return array;
}

// What can be chosen.
val choices() {
    val object = val::object();
    object.set("version", std::string(npuzzle::version));
    object.set("board_algorithms", array_of(playground::board_algorithms));
    object.set("board_heuristics", array_of(playground::board_heuristics));
    object.set("map_algorithms", array_of(playground::map_algorithms));
    return object;
}

val parse_board(const std::string& text) {
    return guarded([&] { return object_of(playground::board_from(text)); });
}

// A random board; with a number of moves that is not negative, the end of a random walk from the goal.
val scramble(int size, int moves, std::uint32_t seed) {
    return guarded([&] {
        return object_of(
            moves < 0 ? npuzzle::random_solvable(size, std::uint64_t{seed})
                      : npuzzle::random_walk(npuzzle::goal_blank_last(size), moves, std::uint64_t{seed}));
    });
}

val goal(int size) {
    return guarded([&] { return object_of(npuzzle::goal_blank_last(size)); });
}

// The boards after the slides that bring the blank into a cell.
val slide(const val& tiles, int cell) {
    return guarded([&] { return array_of(playground::slides(board_of(tiles), cell)); });
}

int estimate(const val& tiles, const std::string& heuristic) {
    return playground::estimate(board_of(tiles), heuristic);
}

val search_board(const val& request, const val& progress) {
    return guarded([&] {
        playground::BoardRequest wanted{.board = board_of(request["tiles"])};
        wanted.algorithm = request["algorithm"].as<std::string>();
        wanted.heuristic = request["heuristic"].as<std::string>();
        wanted.weight = request["weight"].as<double>();
        wanted.limits = limits_of(request);
        wanted.progress = [&](const npuzzle::Statistics& statistics, int bound) {
            progress(object_of(statistics), bound);
        };
        const playground::BoardOutcome outcome = playground::search_board(wanted);

        val result = val::object();
        result.set("status", object_of(outcome.status));
        result.set("statistics", object_of(outcome.statistics));
        result.set("is_shortest", outcome.is_shortest);
        result.set("searched_by", outcome.searched_by);
        result.set("boards", array_of(outcome.boards));
        val layers = val::array();
        for (const playground::Layer& layer : outcome.layers) {
            val pair = val::array();
            pair.call<void>("push", layer.bound);
            pair.call<void>("push", static_cast<double>(layer.expanded));
            layers.call<void>("push", pair);
        }
        result.set("layers", layers);
        return result;
    });
}

// Without `tie_break` in the request it is under `none`, and so on.
val search_textbook(const val& request, const val& /*progress*/) {
    return guarded([&] {
        const auto number = [&](const char* name, int otherwise) {
            return request.hasOwnProperty(name) ? request[name].as<int>() : otherwise;
        };
        const playground::TextbookOutcome outcome = playground::search_textbook(
            {.board = board_of(request["tiles"]),
             .has_closed_list = number("has_closed_list", 0) != 0,
             .tie_break = static_cast<playground::TieBreak>(number("tie_break", 0)),
             .is_hamming = number("is_hamming", 0) != 0,
             .is_blank_counted = number("is_blank_counted", 0) != 0,
             .weight = number("weight", 1),
             .max_put_in = static_cast<std::uint64_t>(number("max_put_in", 1'000'000)),
             .steps = number("steps", 0)});
        val result = val::object();
        result.set("moves", outcome.moves);
        result.set("put_in", static_cast<double>(outcome.put_in));
        result.set("taken_out", static_cast<double>(outcome.taken_out));
        result.set("closed", static_cast<double>(outcome.closed));
        val steps = val::array();
        for (const auto& step : outcome.steps) {
            val entries = val::array();
            for (const playground::TextbookOutcome::Entry& entry : step.entries) {
                val object = val::object();
                object.set("priority", entry.priority);
                object.set("moves", entry.moves);
                object.set("estimate", entry.estimate);
                object.set("tiles", typed_array(entry.tiles));
                entries.call<void>("push", object);
            }
            val object = val::object();
            object.set("entries", entries);
            object.set("size", static_cast<double>(step.size));
            steps.call<void>("push", object);
        }
        result.set("steps", steps);
        return result;
    });
}

val search_map(const val& request, const val& progress) {
    return guarded([&] {
        playground::MapRequest wanted;
        wanted.width = request["width"].as<int>();
        wanted.height = request["height"].as<int>();
        wanted.cells = emscripten::vecFromJSArray<std::uint8_t>(request["cells"]);
        wanted.start = request["start"].as<std::uint32_t>();
        wanted.goal = request["goal"].as<std::uint32_t>();
        wanted.has_diagonals = request["has_diagonals"].as<bool>();
        wanted.algorithm = request["algorithm"].as<std::string>();
        wanted.weight = request["weight"].as<double>();
        wanted.limits = limits_of(request);
        wanted.progress = [&](const npuzzle::Statistics& statistics) { progress(object_of(statistics), -1); };
        const playground::MapOutcome outcome = playground::search_map(wanted);

        val result = val::object();
        result.set("status", object_of(outcome.status));
        result.set("statistics", object_of(outcome.statistics));
        result.set("path", typed_array(outcome.path));
        result.set("cost", outcome.cost);
        static_assert(sizeof(playground::Event) == 3 * sizeof(std::uint32_t));
        const auto* words = reinterpret_cast<const std::uint32_t*>(outcome.trace.data());
        result.set("trace",
                   val(emscripten::typed_memory_view(3 * outcome.trace.size(), words)).call<val>("slice"));
        return result;
    });
}

} // namespace

EMSCRIPTEN_BINDINGS(npuzzle_playground) {
    emscripten::function("choices", &choices);
    emscripten::function("parse_board", &parse_board);
    emscripten::function("scramble", &scramble);
    emscripten::function("goal", &goal);
    emscripten::function("slide", &slide);
    emscripten::function("estimate", &estimate);
    emscripten::function("search_board", &search_board);
    emscripten::function("search_textbook", &search_textbook);
    emscripten::function("search_map", &search_map);
}

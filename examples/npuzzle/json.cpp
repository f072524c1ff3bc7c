#include <npuzzle/puzzle/goal.hpp>

#include "format.hpp"
#include "json.hpp"

#include <utility>
#include <vector>

namespace program {

namespace {

Json names_of(const std::vector<npuzzle::Move>& moves) {
    Json names = Json::array();
    for (const npuzzle::Move move : moves) names.push_back(to_string(move));
    return names;
}

Json rows_of(const npuzzle::Board& board) {
    Json rows = Json::array();
    for (int row = 0; row < board.size(); ++row) {
        Json tiles = Json::array();
        for (int column = 0; column < board.size(); ++column) tiles.push_back(board.tile_at(row, column));
        rows.push_back(std::move(tiles));
    }
    return rows;
}

} // namespace

void write_line(Output& output, const Json& json) {
    output.write(json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
}

void write_json(Output& output, const Answer& answer) {
    const Outcome& outcome = answer.outcome;
    Json json;
    json["file"] = answer.file;
    json["status"] = to_string(outcome.status);
    json["optimal"] = nullptr;
    json["moves"] = nullptr;
    json["bound"] = nullptr;
    if (outcome.status != npuzzle::Status::unsolvable) json["bound"] = outcome.at_least;
    json["solution"] = nullptr;
    json["boards"] = nullptr;
    if (outcome.solution) {
        json["optimal"] = outcome.is_shortest;
        json["moves"] = outcome.moves();
        json["solution"] = names_of(*outcome.solution);
        if (bytes_of_boards(answer.board, *outcome.solution) <= max_bytes_of_boards) {
            json["boards"] = Json::array();
            for_each_board(answer.board, *outcome.solution,
                           [&](const npuzzle::Board& board) { json["boards"].push_back(rows_of(board)); });
        }
    }
    if (outcome.count && (outcome.solution || outcome.status == npuzzle::Status::unsolvable)) {
        json["count"] = *outcome.count;
        if (!answer.solutions.empty()) {
            json["solutions"] = Json::array();
            for (const auto& solution : answer.solutions) json["solutions"].push_back(names_of(solution));
        }
    }
    json["algorithm"] = outcome.algorithm;
    json["heuristic"] = outcome.heuristic;
    json["expanded"] = outcome.statistics.expanded;
    json["generated"] = outcome.statistics.generated;
    json["stored"] = outcome.statistics.stored;
    json["bytes"] = outcome.statistics.bytes;
    json["seconds"] = outcome.statistics.seconds;
    if (outcome.status == npuzzle::Status::unsolvable) {
        if (const auto other = npuzzle::reachable_goal(answer.board); !other.empty())
            json["other_goal"] = other;
    }
    write_line(output, json);
}

} // namespace program

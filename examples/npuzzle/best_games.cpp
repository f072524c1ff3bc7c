#include "best_games.hpp"
#include "json.hpp"
#include "options.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <stdexcept>
#include <tuple>
#include <vector>

namespace program {

namespace {

// By the XDG Base Directory Specification.
std::filesystem::path file_of_games() {
    const auto folder = [](const char* variable) {
        const char* value = std::getenv(variable);
        return std::filesystem::path(value == nullptr ? "" : value);
    };
    const std::filesystem::path name = "npuzzle/best_games.jsonl";
    if (const auto data = folder("XDG_DATA_HOME"); data.is_absolute()) return data / name;
    if (const auto home = folder("HOME"); !home.empty()) return home / ".local/share" / name;
    throw std::runtime_error("there is no folder for the best games: set XDG_DATA_HOME or HOME");
}

// How good a game is: less is better.
auto rank_of(const Json& game) {
    return std::tuple(game.at("moves").get<std::size_t>(), game.at("hints").get<std::size_t>(),
                      game.at("seconds").get<double>());
}

// Throws what nlohmann::json throws if a game has other members than those that are written.
void check(const Json& game) {
    (void)rank_of(game);
    for (const char* board : {"board", "goal"}) (void)game.at(board).get<std::vector<std::vector<int>>>();
    if (!game.at("fewest").is_null()) (void)game.at("fewest").get<std::int64_t>();
    (void)game.at("date").get<std::string>();
}

std::vector<Json> read_games(const std::filesystem::path& file) {
    std::vector<Json> games;
    if (!std::filesystem::exists(file)) return games;
    std::ifstream in(file);
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        try {
            games.push_back(Json::parse(line));
            check(games.back());
        } catch (const Json::exception&) {
            throw std::invalid_argument(
                fmt::format("{}:{}: is no game; remove the line or the file", file.string(), number));
        }
    }
    if (!in.eof()) throw std::runtime_error(file.string() + ": cannot be read");
    return games;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[16];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now))};
}

std::string in_one_line(const Json& board) {
    std::string text;
    for (const Json& row : board) {
        text += text.empty() ? "" : " /";
        for (const Json& tile : row) text += fmt::format("{}{}", text.empty() ? "" : " ", tile.get<int>());
    }
    return text;
}

} // namespace

std::string keep_game(const PlayedGame& game) try {
    const std::filesystem::path file = file_of_games();
    std::vector<Json> games = read_games(file);
    Json played{{"board", rows_of(game.board)},
                {"goal", rows_of(game.goal)},
                {"moves", game.moves},
                {"fewest", nullptr},
                {"hints", game.hints},
                {"seconds", game.seconds},
                {"date", today()}};
    if (game.fewest) played["fewest"] = *game.fewest;
    const auto before = std::find_if(games.begin(), games.end(), [&](const Json& other) {
        return other["board"] == played["board"] && other["goal"] == played["goal"];
    });
    std::string told;
    if (before != games.end()) {
        const auto best = (*before)["moves"].get<std::size_t>();
        told = game.moves < best ? fmt::format("Your best on this board; before, {} moves.\n", best)
                                 : fmt::format("Your best on this board: {} moves.\n", best);
        if (rank_of(*before) <= rank_of(played)) return told;
        games.erase(before);
    }
    games.push_back(played);
    std::filesystem::create_directories(file.parent_path());
    Output output(file.string());
    for (const Json& each : games) write_line(output, each);
    output.finish();
    return told;
} catch (const std::exception& error) {
    print_note(fmt::format("npuzzle: the game is not kept: {}\n", error.what()));
    return "";
}

int list_best_games(const std::string& format) {
    const std::vector<Json> games = read_games(file_of_games());
    Output output;
    if (format == "text") {
        output.write(games.empty() ? "no games yet\n"
                                   : "moves  fewest  hints   seconds  date        board\n");
    }
    for (const Json& game : games) {
        if (format == "json") {
            write_line(output, game);
            continue;
        }
        const Json& fewest = game["fewest"];
        output.write(fmt::format("{:>5}  {:>6}  {:>5}  {:>8.1f}  {}  {}\n", game["moves"].get<std::size_t>(),
                                 fewest.is_null() ? "-" : std::to_string(fewest.get<std::int64_t>()),
                                 game["hints"].get<std::size_t>(), game["seconds"].get<double>(),
                                 game["date"].get<std::string>(), in_one_line(game["board"])));
    }
    output.flush();
    return exit_solved;
}

} // namespace program

#include <npuzzle/puzzle/board.hpp>

#include "batch.hpp"
#include "files.hpp"
#include "in_order.hpp"
#include "json.hpp"
#include "options.hpp"
#include "output.hpp"
#include "search.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace program {

namespace {

// The search of one board by one heuristic.
struct ComparedSearch {
    Outcome outcome = {};
    bool is_left_out = false;
};

// The figures of one heuristic. Sums and means are of the boards that all heuristics solved, so that they can
// be compared; of no boards there is no mean.
struct Figures {
    std::size_t solved = 0;
    std::size_t unsolvable = 0;
    std::size_t limited = 0; // a limit or a stop ended the search, or left it out
    std::optional<double> mean_estimate;
    std::optional<double> mean_moves;
    std::uint64_t expanded = 0;
    double seconds = 0;
};

struct Comparison {
    std::vector<std::string> heuristics;
    std::vector<std::string> boards;                   // names
    std::vector<std::vector<ComparedSearch>> searches; // [heuristic][board]

    bool is_solved_by_all(std::size_t board) const;
    std::size_t solved_by_all() const;
    Figures figures(std::size_t heuristic) const;
};

bool is_unsolvable(const ComparedSearch& search) {
    return search.outcome.status == npuzzle::Status::unsolvable;
}

// What became of a search.
std::string status_of(const ComparedSearch& search) {
    return search.is_left_out ? "left_out" : std::string(to_string(search.outcome.status));
}

std::string in_text(std::optional<double> mean) {
    return mean ? fmt::format("{:.2f}", *mean) : "-";
}

Json in_json(std::optional<double> mean) {
    return mean ? Json(*mean) : Json();
}

bool Comparison::is_solved_by_all(std::size_t board) const {
    return std::all_of(searches.begin(), searches.end(), [&](const auto& of_heuristic) {
        return of_heuristic[board].outcome.solution.has_value();
    });
}

std::size_t Comparison::solved_by_all() const {
    std::size_t count = 0;
    for (std::size_t board = 0; board < boards.size(); ++board) count += is_solved_by_all(board) ? 1 : 0;
    return count;
}

Figures Comparison::figures(std::size_t heuristic) const {
    Figures figures;
    double estimates = 0;
    double moves = 0;
    for (std::size_t board = 0; board < boards.size(); ++board) {
        const ComparedSearch& search = searches[heuristic][board];
        ++(search.outcome.solution ? figures.solved
           : is_unsolvable(search) ? figures.unsolvable
                                   : figures.limited);
        if (!is_solved_by_all(board)) continue;
        estimates += static_cast<double>(search.outcome.estimate);
        moves += static_cast<double>(search.outcome.moves());
        figures.expanded += search.outcome.statistics.expanded;
        figures.seconds += search.outcome.statistics.seconds;
    }
    if (const auto count = static_cast<double>(solved_by_all()); count > 0) {
        figures.mean_estimate = estimates / count;
        figures.mean_moves = moves / count;
    }
    return figures;
}

void write_text(Output& output, const Comparison& comparison) {
    std::size_t width = 9;
    for (const std::string& name : comparison.heuristics) width = std::max(width, name.size());
    output.write(fmt::format("{:<{}}  {:>7}  {:>10}  {:>7}  {:>7}  {:>10}  {:>14}  {:>10}\n", "heuristic",
                             width, "solved", "unsolvable", "limited", "mean h", "mean moves", "expanded",
                             "seconds"));
    std::size_t most = 0;
    for (std::size_t i = 0; i < comparison.heuristics.size(); ++i) {
        const Figures figures = comparison.figures(i);
        most = std::max(most, figures.solved);
        output.write(fmt::format("{:<{}}  {:>7}  {:>10}  {:>7}  {:>7}  {:>10}  {:>14}  {:>10.3f}\n",
                                 comparison.heuristics[i], width,
                                 fmt::format("{}/{}", figures.solved, comparison.boards.size()),
                                 figures.unsolvable, figures.limited, in_text(figures.mean_estimate),
                                 in_text(figures.mean_moves), figures.expanded, figures.seconds));
    }
    if (const std::size_t common = comparison.solved_by_all(); common < most) {
        output.write(
            fmt::format("The means and sums are of the boards that all of them solved: {}.\n", common));
    }
}

void write_json(Output& output, const Comparison& comparison) {
    Json json{{"boards", comparison.boards.size()}, {"solved_by_all", comparison.solved_by_all()}};
    json["heuristics"] = Json::array();
    json["searches"] = Json::array();
    for (std::size_t i = 0; i < comparison.heuristics.size(); ++i) {
        const Figures figures = comparison.figures(i);
        json["heuristics"].push_back({{"heuristic", comparison.heuristics[i]},
                                      {"solved", figures.solved},
                                      {"unsolvable", figures.unsolvable},
                                      {"limited", figures.limited},
                                      {"mean_h", in_json(figures.mean_estimate)},
                                      {"mean_moves", in_json(figures.mean_moves)},
                                      {"expanded", figures.expanded},
                                      {"seconds", figures.seconds}});
        for (std::size_t board = 0; board < comparison.boards.size(); ++board) {
            const ComparedSearch& search = comparison.searches[i][board];
            const npuzzle::Statistics& did = search.outcome.statistics;
            Json row{{"file", comparison.boards[board]},
                     {"heuristic", comparison.heuristics[i]},
                     {"status", status_of(search)},
                     {"h", search.outcome.estimate},
                     {"moves", nullptr},
                     {"expanded", did.expanded},
                     {"generated", did.generated},
                     {"stored", did.stored},
                     {"bytes", did.bytes},
                     {"seconds", did.seconds}};
            if (search.outcome.solution) row["moves"] = search.outcome.moves();
            json["searches"].push_back(std::move(row));
        }
    }
    write_line(output, json);
}

ComparedSearch search_one(const npuzzle::Board& board, const SearchOptions& options) {
    ComparedSearch compared;
    compared.is_left_out = Batch::is_over();
    if (compared.is_left_out) return compared;
    compared.outcome = search(board, options);
    return compared;
}

} // namespace

int compare(const CompareOptions& options) {
    const std::string format = format_of(options.format, options.output, {"txt", "json"});
    Comparison comparison{options.heuristics, {}, {}};
    std::vector<npuzzle::Board> boards;
    for (Source& source : read_boards(options.files)) {
        if (!source.board) throw std::invalid_argument(source.error);
        boards.push_back(*std::move(source.board));
        comparison.boards.push_back(source.name);
    }
    Output output(options.output);

    int exit = exit_solved;
    Batch batch(options.heuristics.size() * boards.size(), "searches");
    for (const std::string& name : options.heuristics) {
        SearchOptions search_options = shared(options.search, boards.size());
        search_options.heuristic = name;
        std::vector<ComparedSearch>& searches = comparison.searches.emplace_back();
        in_order(
            boards.size(), options.search.threads,
            [&](std::size_t i) { return search_one(boards[i], search_options); },
            [&](std::size_t i, const ComparedSearch& compared) {
                const int of_board = compared.is_left_out ? exit_limit : exit_status(compared.outcome);
                exit = worse(exit, of_board);
                if (compared.is_left_out) {
                    batch.leave_out(comparison.boards[i] + " by " + name);
                } else {
                    batch.add(of_board);
                }
                searches.push_back(compared);
            });
    }
    batch.tell_left_out();

    format == "json" ? write_json(output, comparison) : write_text(output, comparison);
    output.flush();
    bool has_solved = false;
    for (std::size_t i = 0; i < comparison.heuristics.size(); ++i) {
        has_solved = has_solved || comparison.figures(i).solved > 0;
    }
    // Files are left as they are where there is nothing to compare, and by a stop that cut a search off.
    if (!has_solved || (Batch::is_over() && exit == exit_limit)) return exit;
    output.finish();
    return exit;
}

} // namespace program

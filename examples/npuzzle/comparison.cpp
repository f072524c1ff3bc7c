#include <npuzzle/io/printable.hpp>
#include <npuzzle/visual/chart.hpp>

#include "comparison.hpp"
#include "format.hpp"
#include "json.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace program {

namespace {

bool is_unsolvable(const ComparedSearch& search) {
    return search.outcome.status == npuzzle::Status::unsolvable;
}

// What became of a search.
std::string status_of(const ComparedSearch& search) {
    return search.is_left_out ? "left_out" : std::string(to_string(search.outcome.status));
}

double logarithm(double expanded) {
    return std::log10(std::max(1.0, expanded));
}

std::string in_text(std::optional<double> mean) {
    return mean ? fmt::format("{:.2f}", *mean) : "-";
}

Json in_json(std::optional<double> mean) {
    return mean ? Json(*mean) : Json();
}

// The mean number of expansions for each length of a solution.
npuzzle::ChartSeries expanded_by_depth(const Comparison& comparison, std::size_t heuristic) {
    std::map<std::int64_t, std::pair<double, double>> sums; // of expansions, and how many
    for (const ComparedSearch& search : comparison.searches[heuristic]) {
        if (!search.outcome.solution) continue;
        auto& [sum, count] = sums[search.outcome.moves()];
        sum += static_cast<double>(search.outcome.statistics.expanded);
        ++count;
    }
    npuzzle::ChartSeries series{comparison.heuristics[heuristic], {}};
    for (const auto& [moves, sum] : sums) {
        series.points.push_back({static_cast<double>(moves), logarithm(sum.first / sum.second)});
    }
    return series;
}

// How many boards are solved by at most so many expansions.
npuzzle::ChartSeries distribution(const Comparison& comparison, std::size_t heuristic) {
    std::vector<double> expanded;
    for (const ComparedSearch& search : comparison.searches[heuristic]) {
        if (search.outcome.solution)
            expanded.push_back(static_cast<double>(search.outcome.statistics.expanded));
    }
    std::sort(expanded.begin(), expanded.end());
    npuzzle::ChartSeries series{comparison.heuristics[heuristic], {}};
    for (std::size_t i = 0; i < expanded.size(); ++i) {
        series.points.push_back({logarithm(expanded[i]), static_cast<double>(i + 1)});
    }
    return series;
}

std::string in_html(std::string_view raw) {
    std::string text;
    for (const char c : npuzzle::printable(raw)) {
        text += c == '&'   ? "&amp;"
                : c == '<' ? "&lt;"
                : c == '>' ? "&gt;"
                : c == '"' ? "&quot;"
                           : std::string(1, c);
    }
    return text;
}

std::string cell(const std::string& text) {
    return "<td>" + text + "</td>";
}

constexpr std::string_view page_head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Heuristics compared</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 1000px; margin: 0 auto; padding: 16px }
.table { overflow-x: auto }
table { border-collapse: collapse }
th, td { padding: 4px 12px; border-bottom: 1px solid #8886; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
figure { margin: 24px 0 }
svg { max-width: 100%; height: auto }
</style>
</head>
<body>
<h1>Heuristics compared</h1>
)";

// A table of the boards that belong in it, with a column for each heuristic.
template <class Belongs, class Text>
std::string table_of_boards(const Comparison& comparison, const std::string& heading, const Belongs& belongs,
                            const Text& text) {
    std::string rows;
    for (std::size_t board = 0; board < comparison.boards.size(); ++board) {
        if (!belongs(board)) continue;
        rows += "<tr>" + cell(in_html(comparison.boards[board]));
        for (const auto& searches : comparison.searches) rows += cell(text(searches[board]));
        rows += "</tr>\n";
    }
    if (rows.empty()) return "";
    std::string table = "<h2>" + heading + "</h2>\n<div class=\"table\"><table>\n<tr><th>board</th>";
    for (const std::string& name : comparison.heuristics) table += "<th>" + in_html(name) + "</th>";
    return table + "</tr>\n" + rows + "</table></div>\n";
}

} // namespace

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
        estimates += static_cast<double>(search.estimate);
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

void write_csv(Output& output, const Comparison& comparison) {
    output.write("file,heuristic,status,h,moves,expanded,generated,stored,bytes,seconds\n");
    for (std::size_t board = 0; board < comparison.boards.size(); ++board) {
        for (std::size_t i = 0; i < comparison.heuristics.size(); ++i) {
            const ComparedSearch& search = comparison.searches[i][board];
            const npuzzle::Statistics& did = search.outcome.statistics;
            output.write(fmt::format("{},{},{},{},{},{},{},{},{},{:.6f}\n",
                                     csv_field(comparison.boards[board]), csv_field(comparison.heuristics[i]),
                                     status_of(search), search.estimate,
                                     search.outcome.solution ? std::to_string(search.outcome.moves()) : "",
                                     did.expanded, did.generated, did.stored, did.bytes, did.seconds));
        }
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
                     {"h", search.estimate},
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

void write_html(Output& output, const Comparison& comparison) {
    std::string page(page_head);
    const std::size_t common = comparison.solved_by_all();
    page += fmt::format("<p>Of {} boards, all heuristics solved {}. The means and sums are of those.</p>\n",
                        comparison.boards.size(), common);
    page +=
        "<div "
        "class=\"table\"><table>\n<tr><th>heuristic</th><th>solved</th><th>unsolvable</th><th>limited</th>"
        "<th>mean h</th><th>mean moves</th><th>expanded</th><th>seconds</th></tr>\n";
    for (std::size_t i = 0; i < comparison.heuristics.size(); ++i) {
        const Figures figures = comparison.figures(i);
        page += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
                            "<td>{}</td><td>{:.3f}</td></tr>\n",
                            in_html(comparison.heuristics[i]), figures.solved, figures.unsolvable,
                            figures.limited, in_text(figures.mean_estimate), in_text(figures.mean_moves),
                            figures.expanded, figures.seconds);
    }
    page += "</table></div>\n";
    for (const char* what : {"expanded", "time", "depth", "distribution"}) {
        page += "<figure>" + chart_of(comparison, what) + "</figure>\n";
    }
    if (comparison.heuristics.size() > max_lines) {
        page += fmt::format("<p>The charts with lines show the first {} heuristics.</p>\n", max_lines);
    }
    const auto unsolvable = [&](std::size_t board) {
        return is_unsolvable(comparison.searches.front()[board]);
    };
    page += table_of_boards(
        comparison, "States expanded", [&](std::size_t board) { return comparison.is_solved_by_all(board); },
        [](const ComparedSearch& search) { return std::to_string(search.outcome.statistics.expanded); });
    page += table_of_boards(
        comparison, "Not solved by all",
        [&](std::size_t board) { return !comparison.is_solved_by_all(board) && !unsolvable(board); },
        [](const ComparedSearch& search) {
            return search.outcome.solution ? fmt::format("{} expanded", search.outcome.statistics.expanded)
                   : search.is_left_out    ? "left out"
                                           : in_words(search.outcome.status);
        });
    page += table_of_boards(comparison, "Unsolvable", unsolvable,
                            [](const ComparedSearch& search) { return in_words(search.outcome.status); });
    output.write(page + "</body>\n</html>\n");
}

std::string chart_of(const Comparison& comparison, const std::string& what) {
    std::ostringstream out;
    if (what == "expanded" || what == "time") {
        std::vector<npuzzle::ChartBar> bars;
        double longest = 0;
        for (std::size_t i = 0; i < comparison.heuristics.size(); ++i) {
            const Figures figures = comparison.figures(i);
            longest = std::max(longest, figures.seconds);
            bars.push_back({comparison.heuristics[i],
                            what == "time" ? figures.seconds : static_cast<double>(figures.expanded)});
        }
        const bool is_in_milli = what == "time" && longest < 1;
        for (npuzzle::ChartBar& bar : bars) bar.value *= is_in_milli ? 1000 : 1;
        npuzzle::write_bar_chart_svg(out, bars,
                                     {.title = is_in_milli      ? "Milliseconds"
                                               : what == "time" ? "Seconds"
                                                                : "States expanded"});
        return out.str();
    }
    std::vector<npuzzle::ChartSeries> lines;
    for (std::size_t i = 0; i < std::min(max_lines, comparison.heuristics.size()); ++i) {
        lines.push_back(what == "depth" ? expanded_by_depth(comparison, i) : distribution(comparison, i));
    }
    const std::string logarithm_of_expanded = "states expanded (logarithm to base 10)";
    if (what == "depth") {
        npuzzle::write_line_chart_svg(out, lines,
                                      {.title = "States expanded by the length of the solution",
                                       .x_label = "moves",
                                       .y_label = logarithm_of_expanded});
    } else {
        npuzzle::write_line_chart_svg(out, lines,
                                      {.title = "Boards solved by so many expansions",
                                       .x_label = logarithm_of_expanded,
                                       .y_label = "boards solved"});
    }
    return out.str();
}

} // namespace program

// Makes the page of results and its charts out of the figures that were measured.
//
//     report --results PAGE --pictures FOLDER --figures FILE [--about TEXT]... [NEW FIGURES]...
//
// FILE keeps the figures of each row's last measurement; the rows of the new figures take the place of
// theirs. The page is written up to the line "<!-- by hand from here on -->"; what is there from that line on
// is kept.

#include "report/chart.hpp"
#include "support/figures.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using benchmarks::Figure;
using benchmarks::to_text;

const std::string by_hand = "<!-- by hand from here on -->";

struct Arguments {
    std::string results;
    std::string pictures;
    std::string figures;
    std::vector<std::string> about;
    std::vector<std::string> fresh;
};

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto value = [&] {
            if (++i == argc) {
                throw std::invalid_argument(argument + " needs a value");
            }
            return std::string(argv[i]);
        };
        if (argument == "--results") {
            arguments.results = value();
        } else if (argument == "--pictures") {
            arguments.pictures = value();
        } else if (argument == "--figures") {
            arguments.figures = value();
        } else if (argument == "--about") {
            arguments.about.push_back(value());
        } else {
            arguments.fresh.push_back(argument);
        }
    }
    if (arguments.results.empty() || arguments.pictures.empty() || arguments.figures.empty()) {
        throw std::invalid_argument("--results, --pictures and --figures are needed");
    }
    return arguments;
}

std::vector<Figure> read(const std::string& file) {
    std::ifstream in(file);
    if (!in) {
        throw std::runtime_error("could not read " + file);
    }
    return benchmarks::read_figures(in);
}

void write(const std::string& file, const std::string& text) {
    std::ofstream out(file);
    out << text;
    if (!out.flush()) {
        throw std::runtime_error("could not write " + file);
    }
}

int number_of(const Figure& figure) {
    return std::stoi(figure.row);
}

/// The rows of `fresh` take the place of those of `kept`.
std::vector<Figure> merge(std::vector<Figure> kept, const std::vector<Figure>& fresh) {
    std::set<int> rows;
    for (const Figure& figure : fresh) {
        rows.insert(number_of(figure));
    }
    kept.erase(std::remove_if(kept.begin(), kept.end(),
                              [&](const Figure& figure) { return rows.count(number_of(figure)) > 0; }),
               kept.end());
    kept.insert(kept.end(), fresh.begin(), fresh.end());
    std::stable_sort(kept.begin(), kept.end(),
                     [](const Figure& a, const Figure& b) { return number_of(a) < number_of(b); });
    return kept;
}

std::string asked(double value) {
    return value > 0 ? to_text(value) : "";
}

std::string results_page(const std::vector<Figure>& figures, const std::vector<std::string>& about,
                         const std::string& newest, const std::string& kept) {
    std::ostringstream page;
    page << "# Results\n\n"
            "Written by `scripts/bench`, which runs everything here again. Each figure compares npuzzle with "
            "a peer that\n"
            "did the same work in the same process, in turn, on one core; every answer was checked. Set-up, "
            "growth of\n"
            "tables and paths are in the times. Compare ratios, not seconds of two days: the machine is "
            "shared.\n\n";
    for (const std::string& line : about) {
        page << "- " << line << '\n';
    }
    page << "\n![How near each figure is to its aim](../docs/images/benchmark-aims.svg)\n\n"
            "| figure | reach | aim | row | work | npuzzle | peer |\n|---|---|---|---|---|---|---|\n";
    for (const Figure& figure : figures) {
        if (!figure.is_detail) {
            page << "| **" << to_text(figure.value, figure.unit) << "** | " << asked(figure.reach) << " | "
                 << asked(figure.aim) << " | " << figure.row << " | " << figure.what
                 << (figure.note.empty() ? "" : ": " + figure.note)
                 << (figure.date == newest ? "" : " (measured " + figure.date + ")") << " | "
                 << figure.npuzzle << " | " << figure.peer << " |\n";
        }
    }
    page << "\nx: times as fast as the peer; where it compares memory or compile time, the part of it that "
            "is needed.\n"
            "\n## Each map, and each problem\n\n"
            "8a, 16a, 16b: the minimal problem, against hash maps of Boost.Graph. 8b: with numbered cells, "
            "against its\n"
            "vectors. 20: jump points, against `astar` on the same `GridMap`. 22: against loops by hand. "
            "`results.tsv` has\nthe maps of 21.\n\n"
            "![Times as fast as Boost.Graph on each map](../docs/images/benchmark-grids.svg)\n\n"
            "| figure | row | search and map | npuzzle | peer |\n|---|---|---|---|---|\n";
    for (const Figure& figure : figures) {
        if (figure.is_detail && number_of(figure) != 21) {
            page << "| **" << to_text(figure.value, figure.unit) << "** | " << figure.row << " | "
                 << figure.what << " | " << figure.npuzzle << " | " << figure.peer << " |\n";
        }
    }
    page << '\n' << kept;
    return page.str();
}

std::string kept_part(const std::string& file) {
    std::ifstream in(file);
    std::string kept;
    for (std::string line; std::getline(in, line);) {
        if (!kept.empty() || line.starts_with(by_hand)) {
            kept += line + '\n';
        }
    }
    return kept;
}

std::string chart_of_aims(const std::vector<Figure>& figures) {
    std::vector<report::Bar> bars;
    for (const Figure& figure : figures) {
        if (figure.reach <= 0 || figure.is_detail) {
            continue;
        }
        const double aim = figure.aim > 0 ? figure.aim : figure.reach;
        const auto part = [&](double value) { return figure.is_less_better ? aim / value : value / aim; };
        bars.push_back({figure.row + "  " + figure.what, part(figure.value),
                        to_text(figure.value, figure.unit), part(figure.reach)});
    }
    return report::bar_chart("How near each figure is to its aim",
                             "A full bar has reached its aim; the notch is what it has to reach.", bars, 1.0);
}

std::string chart_of_grids(const std::vector<Figure>& figures) {
    constexpr double longest =
        20; // some maps need so little that setting up is all there is: those leave the chart
    std::vector<report::Bar> bars;
    for (const Figure& figure : figures) {
        if (figure.is_detail && number_of(figure) == 8) {
            bars.push_back(
                {figure.row + "  " + figure.what, figure.value, to_text(figure.value, figure.unit), 1});
        }
    }
    std::stable_sort(bars.begin(), bars.end(), [](const report::Bar& a, const report::Bar& b) {
        return a.label.substr(0, 2) < b.label.substr(0, 2);
    });
    return report::bar_chart(
        "Grid maps: times as fast as Boost.Graph",
        "8a the minimal problem, against hash maps; 8b with numbered cells, against vectors. "
        "The notch is as fast.",
        bars, longest);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const Arguments arguments = parse(argc, argv);
        std::vector<Figure> figures;
        if (std::ifstream(arguments.figures)) {
            figures = read(arguments.figures);
        }
        std::string newest;
        std::vector<Figure> fresh;
        for (const std::string& file : arguments.fresh) {
            for (Figure& figure : read(file)) {
                fresh.push_back(std::move(figure));
            }
        }
        figures = merge(std::move(figures), fresh);
        for (const Figure& figure : figures) {
            newest = std::max(newest, figure.date);
        }
        std::ostringstream all;
        benchmarks::write_figures(all, figures);
        write(arguments.figures, all.str());
        write(arguments.pictures + "/benchmark-aims.svg", chart_of_aims(figures));
        write(arguments.pictures + "/benchmark-grids.svg", chart_of_grids(figures));
        write(arguments.results,
              results_page(figures, arguments.about, newest, kept_part(arguments.results)));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "report: %s\n", error.what());
        return 1;
    }
}

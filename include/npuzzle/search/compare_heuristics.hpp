#pragma once

#include "npuzzle/search/astar.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Several heuristics, side by side, on the same work.

namespace npuzzle {

/// A heuristic with a name to put in a table: `Named{"Manhattan", Manhattan{}}`.
template <class H>
struct Named {
    Named(std::string its_name, H its_heuristic)
        : name(std::move(its_name)), heuristic(std::move(its_heuristic)) {}

    std::string name;
    H heuristic;
};

/// What one heuristic did, over all start states.
struct HeuristicFigures {
    std::string name;
    std::size_t starts = 0; ///< how many there were
    std::size_t solved = 0;
    double mean_value = 0; ///< of the start states whose value is finite
    double mean_cost =
        0; ///< of the solutions. Another one than the rest's, with all solved: one is not admissible.
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    double seconds = 0;
};

/// What `compare_heuristics` found, one row for each heuristic, in their order.
struct HeuristicComparison {
    std::vector<HeuristicFigures> rows;

    /// A table of text, a line for each row under a line of headings. `with_seconds = false` leaves out what
    /// is different each time.
    [[nodiscard]] std::string text(bool with_seconds = true) const {
        const std::size_t columns = with_seconds ? 6 : 5;
        std::size_t widths[6] = {};
        for (std::size_t line = 0; line <= rows.size(); ++line) {
            for (std::size_t column = 0; column < columns; ++column) {
                widths[column] = std::max(widths[column], text(line, column).size());
            }
        }
        std::string result;
        for (std::size_t line = 0; line <= rows.size(); ++line) {
            for (std::size_t column = 0; column < columns; ++column) {
                const std::string cell = text(line, column);
                const std::string gap(widths[column] - cell.size(), ' ');
                result += column == 0 ? cell + gap : "  " + gap + cell;
            }
            result += '\n';
        }
        return result;
    }

    friend std::ostream& operator<<(std::ostream& out, const HeuristicComparison& comparison) {
        return out << comparison.text();
    }

private:
    /// A cell of the table; line 0 is that of the headings.
    [[nodiscard]] std::string text(std::size_t line, std::size_t column) const {
        if (line == 0) {
            constexpr const char* headings[] = {"heuristic", "solved",   "mean h",
                                                "mean cost", "expanded", "seconds"};
            return headings[column];
        }
        const HeuristicFigures& row = rows[line - 1];
        switch (column) {
        case 0:
            return row.name;
        case 1:
            return std::to_string(row.solved) + "/" + std::to_string(row.starts);
        case 2:
            return decimal(row.mean_value, 2);
        case 3:
            return decimal(row.mean_cost, 2);
        case 4:
            return std::to_string(row.expanded);
        default:
            return decimal(row.seconds, 3);
        }
    }

    static std::string decimal(double value, int digits) {
        std::string text(64, '\0');
        const int length = std::snprintf(text.data(), text.size(), "%.*f", digits, value);
        text.resize(length < 0 ? 0 : std::min(text.size() - 1, static_cast<std::size_t>(length)));
        return text;
    }
};

/// Searches from each start state with each heuristic, by a search of one's own: `search(problem, start,
/// heuristic)` gives a `SearchResult`.
template <class Search, Problem P, class Starts, class... Hs>
    requires(HeuristicFor<Hs, P> && ...)
[[nodiscard]] HeuristicComparison compare_heuristics_by(Search&& search, const P& problem,
                                                        const Starts& starts,
                                                        const Named<Hs>&... heuristics) {
    HeuristicComparison comparison;
    const auto measure = [&](const auto& named) {
        HeuristicFigures figures;
        figures.name = named.name;
        std::size_t finite = 0;
        for (const state_t<P>& start : starts) {
            ++figures.starts;
            const auto result = search(problem, start, named.heuristic);
            if (result) {
                ++figures.solved;
                figures.mean_cost += static_cast<double>(result.cost);
            }
            figures.expanded += result.statistics.expanded;
            figures.generated += result.statistics.generated;
            figures.seconds += result.statistics.seconds;
        }
        detail::with_bound(named.heuristic, problem, [&](auto& bound) {
            for (const state_t<P>& start : starts) {
                if (const auto value = bound(start); !detail::is_infinite(value)) {
                    ++finite;
                    figures.mean_value += static_cast<double>(value);
                }
            }
        });
        figures.mean_value /= static_cast<double>(std::max<std::size_t>(finite, 1));
        figures.mean_cost /= static_cast<double>(std::max<std::size_t>(figures.solved, 1));
        comparison.rows.push_back(std::move(figures));
    };
    (measure(heuristics), ...);
    return comparison;
}

/// The same by A*, each search under the same limits. A search that a limit ends counts with what it did.
template <Problem P, class Starts, class... Hs>
    requires(HeuristicFor<Hs, P> && ...)
[[nodiscard]] HeuristicComparison compare_heuristics(const P& problem, const Starts& starts, Limits limits,
                                                     const Named<Hs>&... heuristics) {
    return compare_heuristics_by(
        [&](const P& its_problem, const state_t<P>& start, const auto& heuristic) {
            return astar(its_problem, start, heuristic, limits);
        },
        problem, starts, heuristics...);
}

/// Without limits.
template <Problem P, class Starts, class... Hs>
    requires(HeuristicFor<Hs, P> && ...)
[[nodiscard]] HeuristicComparison compare_heuristics(const P& problem, const Starts& starts,
                                                     const Named<Hs>&... heuristics) {
    return compare_heuristics(problem, starts, Limits{}, heuristics...);
}

} // namespace npuzzle

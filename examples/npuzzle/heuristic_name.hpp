#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace program {

// A heuristic as written on the command line: `auto`, `manhattan`, `pdb:7-8`,
// `max:linear-conflict,walking-distance`. A + may replace the comma.
struct HeuristicName {
    enum class Kind { automatic, hamming, manhattan, linear_conflict, walking_distance, pattern_databases };

    struct Part {
        Kind kind;
        std::string partition; // of pattern databases; empty for the default

        bool operator==(const Part&) const = default;
    };

    std::string text;
    std::vector<Part> parts; // more than one for `max:`

    bool has_pattern_databases() const;
};

// Throws std::invalid_argument if there is no such heuristic.
HeuristicName parse_heuristic(std::string_view text);

} // namespace program

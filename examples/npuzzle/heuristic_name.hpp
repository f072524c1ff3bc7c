#pragma once

#include <optional>
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
    };

    std::string text;
    std::vector<Part> parts; // more than one for `max:`

    bool has_pattern_databases() const;
    // The kind of the only part, if there is one.
    std::optional<Kind> single() const {
        return parts.size() == 1 ? std::optional(parts[0].kind) : std::nullopt;
    }
};

// Throws std::invalid_argument if there is no such heuristic.
HeuristicName parse_heuristic(std::string_view text);

} // namespace program

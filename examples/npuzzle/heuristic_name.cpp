#include "heuristic_name.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace program {

namespace {

using Kind = HeuristicName::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 5> names{{
    {"auto", Kind::automatic},
    {"hamming", Kind::hamming},
    {"manhattan", Kind::manhattan},
    {"linear-conflict", Kind::linear_conflict},
    {"walking-distance", Kind::walking_distance},
}};

HeuristicName::Part parse_part(std::string_view text) {
    if (text == "pdb") return {Kind::pattern_databases, {}};
    if (text.starts_with("pdb:") && text.size() > 4) {
        return {Kind::pattern_databases, std::string(text.substr(4))};
    }
    for (const auto& [name, kind] : names) {
        if (text == name) return {kind, {}};
    }
    throw std::invalid_argument("there is no heuristic \"" + std::string(text) +
                                "\"; there are hamming, manhattan, linear-conflict, walking-distance, "
                                "pdb:PARTITION, max:A,B,... and auto");
}

} // namespace

bool HeuristicName::has_pattern_databases() const {
    return std::any_of(parts.begin(), parts.end(),
                       [](const Part& part) { return part.kind == Kind::pattern_databases; });
}

HeuristicName parse_heuristic(std::string_view text) {
    HeuristicName name{std::string(text), {}};
    if (!text.starts_with("max:")) {
        name.parts.push_back(parse_part(text));
        return name;
    }
    for (std::string_view rest = text.substr(4);;) {
        const std::size_t comma = rest.find_first_of(",+");
        name.parts.push_back(parse_part(rest.substr(0, comma)));
        if (name.parts.back().kind == Kind::automatic) {
            throw std::invalid_argument("auto is a choice, and cannot be a part of " + name.text);
        }
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    return name;
}

} // namespace program

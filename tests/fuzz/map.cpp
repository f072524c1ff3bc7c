/// @file
/// Fuzzes the reader of maps and scenarios. A text is refused with an error that has a place, or it is a map
/// whose rows are read again as the same map. Any text is a `GridMap`, or refused.
#include <npuzzle/io/moving_ai.hpp>
#include <npuzzle/maps/grid_map.hpp>

#include "support.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

template <class F>
auto outcome_of(F read) -> std::optional<decltype(read())> {
    try {
        return read();
    } catch (const npuzzle::ParseError& error) {
        fuzz::require(error.source() == "fuzz", "the error knows its source");
        fuzz::require(error.line() >= 1 && error.column() >= 1, "lines and columns count from 1");
        fuzz::require(npuzzle::printable(error.what()) == error.what(), "the message is printable");
        return std::nullopt;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(fuzz::Bytes(data, size).text());

    if (const auto rows = outcome_of([&] { return npuzzle::parse_map(text, "fuzz"); })) {
        const npuzzle::GridMap<> map(*rows);
        const std::string head = "type octile\nheight " + std::to_string(map.height()) + "\nwidth " +
                                 std::to_string(map.width()) + "\nmap\n";
        fuzz::require(npuzzle::parse_map(head + *rows) == *rows, "what was read is read again");
        std::string capitals = text;
        for (char& c : capitals) c = 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        fuzz::require(capitals.find(rows->substr(0, static_cast<std::size_t>(map.width()))) !=
                          std::string::npos,
                      "the first row is a part of the text");
    }
    try {
        const npuzzle::GridMap<> map{std::string_view(text)};
        fuzz::require(text.find_first_of(".GS") != std::string::npos || text.find('0') == std::string::npos,
                      "another alphabet is refused");
    } catch (const std::invalid_argument&) {
    }
    if (const auto tasks = outcome_of([&] { return npuzzle::parse_scenarios(text, "fuzz"); })) {
        for (const npuzzle::MapScenario& one : *tasks) {
            fuzz::require((one.width == 0) == (one.height == 0), "both sizes are there, or none");
            fuzz::require(0 <= one.start_x && (one.start_x < one.width || one.width == 0),
                          "the start is on it");
            fuzz::require(0 <= one.goal_y && (one.goal_y < one.height || one.height == 0),
                          "the goal is on it");
            fuzz::require(!(one.length < 0), "the length is not negative");
        }
    }
    return 0;
}

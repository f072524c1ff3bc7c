/// @file
/// Support for tests of drawings and texts.
#pragma once

#include "npuzzle/puzzle/board.hpp"
#include "npuzzle/puzzle/goal.hpp"

#include <cstddef>
#include <fstream>
#include <functional>
#include <iterator>
#include <locale>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

/// Boards of which each is one move from the one before. The blank goes up and down in its column.
inline std::vector<npuzzle::Board> up_and_down(int n, std::size_t count) {
    std::vector<npuzzle::Board> boards{npuzzle::goal_blank_last(n)};
    if (count > 1) boards.push_back(boards.front().neighbors().front());
    while (boards.size() < count) boards.push_back(boards[boards.size() - 2]);
    return boards;
}

inline std::size_t count_of(const std::string& what, const std::string& text) {
    std::size_t count = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++count;
    return count;
}

/// The bytes of a file of the project.
inline std::string kept_file(const std::string& name) {
    std::ifstream file(name, std::ios_base::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A locale that writes one thousand as 1.0.0.0 and one half as 0,5.
inline std::locale grouping_locale() {
    struct Grouping : std::numpunct<char> {
        char do_thousands_sep() const override { return '.'; }
        char do_decimal_point() const override { return ','; }
        std::string do_grouping() const override { return "\1"; }
    };
    return std::locale(std::locale::classic(), new Grouping);
}

/// Whether a stream that accepts fewer than `size` characters is bad afterwards, however few they are, and
/// nothing is thrown.
inline bool is_bad_when_full(const std::function<void(std::ostream&)>& write, std::size_t size) {
    struct Full : std::streambuf {
        std::size_t room;
        explicit Full(std::size_t characters) : room(characters) {}
        int_type overflow(int_type character) override {
            if (room == 0) return traits_type::eof();
            --room;
            return traits_type::not_eof(character);
        }
    };
    for (const std::size_t room : {std::size_t{0}, std::size_t{1}, size / 2, size - 1}) {
        Full buffer(room);
        std::ostream out(&buffer);
        write(out);
        if (out.good()) return false;
    }
    Full buffer(size);
    std::ostream out(&buffer);
    write(out);
    return out.good();
}

/// Whether elements are nested as XML requires, and the text between them is escaped.
inline bool is_well_formed(const std::string& xml) {
    std::vector<std::string> open;
    std::size_t at = 0;
    while ((at = xml.find('<', at)) != std::string::npos) {
        const std::size_t end = xml.find_first_of("<>", at + 1);
        if (end == std::string::npos || xml[end] != '>') return false;
        const std::string element = xml.substr(at + 1, end - at - 1);
        const std::string name = element.substr(0, element.find_first_of(" /\n", 1));
        if (element.front() == '/') {
            if (open.empty() || '/' + open.back() != name) return false;
            open.pop_back();
        } else {
            if (count_of("\"", element) % 2 != 0) return false;
            if (element.back() != '/') open.push_back(name);
        }
        at = end;
    }
    for (at = xml.find('&'); at != std::string::npos; at = xml.find('&', at + 1)) {
        const std::string entity = xml.substr(at, xml.find(';', at) - at);
        if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot") return false;
    }
    return open.empty();
}

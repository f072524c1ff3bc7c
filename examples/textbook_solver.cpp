// test: 20000 examples/puzzles/puzzle3x3-04.txt examples/puzzles/puzzle3x3-20.txt
// Counts what the solver of the classical assignment takes out of its queue and puts in, under each
// tie-break, as tables in Markdown. Run: textbook_solver LIMIT FILE..., where LIMIT ends a search by the nodes
// that it has put in.

#include <npuzzle/io/parse.hpp>

#include "playground/textbook.hpp"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

using playground::TextbookRequest;
using playground::TieBreak;

std::string with_commas(std::uint64_t count) {
    std::string digits = std::to_string(count);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

std::string counts(const TextbookRequest& request) {
    const auto outcome = playground::search_textbook(request);
    const std::string more = outcome.moves < 0 ? "≥ " : "";
    return " | " + more + with_commas(outcome.taken_out) + " / " + more + with_commas(outcome.put_in);
}

std::string length(TextbookRequest request) {
    request.has_closed_list = true;
    const auto outcome = playground::search_textbook(request);
    return outcome.moves < 0 ? " | –"
                             : " | " + std::to_string(outcome.moves) + ", " + with_commas(outcome.taken_out);
}

int main(int argc, char* argv[]) try {
    if (argc < 3) {
        std::cerr << "usage: textbook_solver LIMIT FILE...\n";
        return 2;
    }
    const auto for_each_board = [&](const char* columns, const auto& row) {
        std::cout << "| board" << columns << " |\n|";
        for (const char* at = columns; *at != '\0'; ++at) {
            if (*at == '|') std::cout << "---|";
        }
        std::cout << "---|\n";
        for (int i = 2; i < argc; ++i) {
            const std::string file = argv[i];
            const auto name = file.substr(file.rfind('/') + 1);
            TextbookRequest request{.board = npuzzle::read_board_file(file)};
            request.max_put_in = std::stoull(argv[1]);
            std::cout << "| " << name.substr(0, name.rfind('.')) << row(request) << " |" << std::endl;
        }
        std::cout << '\n';
    };

    for (const bool has_closed_list : {false, true}) {
        std::cout << "Manhattan, " << (has_closed_list ? "closed list" : "parent check alone")
                  << ": taken out / put in\n\n";
        for_each_board(" | heap | first in | last in | least h", [&](TextbookRequest request) {
            request.has_closed_list = has_closed_list;
            std::string row;
            for (const TieBreak tie_break :
                 {TieBreak::none, TieBreak::first_in, TieBreak::last_in, TieBreak::least_estimate}) {
                request.tie_break = tie_break;
                row += counts(request);
            }
            return row;
        });
    }
    std::cout << "Hamming, least h: taken out / put in\n\n";
    for_each_board(" | parent check alone | closed list", [](TextbookRequest request) {
        request.is_hamming = true;
        request.tie_break = TieBreak::least_estimate;
        const std::string alone = counts(request);
        request.has_closed_list = true;
        return alone + counts(request);
    });
    std::cout << "Closed list, heap: moves found, taken out\n\n";
    for_each_board(" | Manhattan | blank counted | 2 x Manhattan | 3 x Manhattan | 3 x Hamming",
                   [](TextbookRequest request) {
                       std::string row = length(request);
                       request.is_blank_counted = true;
                       row += length(request);
                       request.is_blank_counted = false;
                       for (request.weight = 2; request.weight <= 3; ++request.weight) row += length(request);
                       request.weight = 3;
                       request.is_hamming = true;
                       return row + length(request);
                   });
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
}

// test:
// What it teaches: two lambdas make a problem, strings can be states, and another search is another name. A
// word ladder (Lewis Carroll, 1879) leads from one word to another. Each of its words differs from the
// previous one in a single letter.

#include <npuzzle/search/all_paths.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/core/problem_from.hpp>

#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

const std::vector<std::string> words{
    "bead", "beak", "bean", "bear", "beat", "bell", "belt", "bend", "bent", "best", "bold", "bolt", "bond",
    "boot", "card", "care", "cars", "cart", "cave", "cold", "colt", "cord", "core", "corn", "cost", "dart",
    "dead", "deal", "dear", "deer", "door", "fail", "fair", "fall", "farm", "feel", "feet", "fell", "felt",
    "fish", "fist", "flat", "foal", "fold", "food", "fool", "foot", "ford", "fore", "fork", "form", "gold",
    "good", "hair", "hall", "hand", "hard", "harm", "head", "heal", "heap", "hear", "heat", "held", "herd",
    "hold", "hole", "host", "lead", "leaf", "lean", "less", "lion", "list", "load", "loaf", "lock", "long",
    "lord", "lore", "lost", "mist", "mood", "moon", "most", "pool", "poor", "port", "post", "read", "real",
    "road", "sold", "teal", "tell", "told", "toad", "wand", "ward", "warm", "wart", "wild", "wold", "wood",
    "word", "wore", "work", "worm", "worn"};

int letters_that_differ(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return 1'000;
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += a[i] == b[i] ? 0 : 1;
    return count;
}

std::vector<std::string> one_letter_away(const std::string& word) {
    std::vector<std::string> result;
    for (const std::string& other : words) {
        if (letters_that_differ(word, other) == 1) result.push_back(other);
    }
    return result;
}

bool climb(const std::string& from, const std::string& to) {
    const auto problem = npuzzle::problem_from<std::string>(
        one_letter_away, [&](const std::string& word) { return word == to; });
    // Each letter that differs needs a step of its own.
    const auto missing = [&](const std::string& word) { return letters_that_differ(word, to); };

    const auto ladder = npuzzle::astar(problem, from, missing);
    if (!ladder) {
        std::cout << "No ladder from " << from << " to " << to << ": " << ladder.status
                  << ", words expanded: " << ladder.statistics.expanded << '\n';
        return false;
    }
    const auto blind = npuzzle::count_optimal(problem, from, npuzzle::Zero{});
    for (const std::string& word : ladder.path) std::cout << (word == from ? "" : " - ") << word;
    std::cout << "\n    " << ladder.cost << " steps, " << ladder.statistics.expanded
              << " words expanded; without a heuristic " << blind.statistics.expanded
              << ". Shortest ladders: " << blind.count << '\n';
    return blind.cost == ladder.cost;
}

int main() {
    const bool all = climb("cold", "warm") && climb("head", "foot") && climb("lead", "gold");
    return all && !climb("lion", "fish") ? 0 : 1;
}

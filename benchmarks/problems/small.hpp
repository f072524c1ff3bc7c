#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

/// \file
/// Small problems as one writes them at first: no optional capabilities.

namespace problems {

/// A stack of pancakes, sorted by flipping some of the top ones.
template <std::size_t n = 12>
struct PlainPancakes {
    using State = std::array<std::uint8_t, n>;

    std::vector<State> neighbors(const State& stack) const {
        std::vector<State> result;
        for (int count = 2; count <= int{n}; ++count) {
            result.push_back(stack);
            std::reverse(result.back().begin(), result.back().begin() + count);
        }
        return result;
    }
    bool is_goal(const State& stack) const { return std::is_sorted(stack.begin(), stack.end()); }

    /// How many neighbors are not adjacent by size (M. Helmert, SoCS 2010).
    int distance(const State& stack) const {
        int gaps = stack.back() != n - 1;
        for (std::size_t i = 0; i + 1 < stack.size(); ++i) gaps += std::abs(stack[i] - stack[i + 1]) != 1;
        return gaps;
    }
};

/// From one word to another by changing a letter at a time; each word between is in a list.
struct WordLadder {
    using State = std::string;
    const std::unordered_set<std::string>* words;
    std::string goal;

    std::vector<State> neighbors(const State& word) const {
        std::vector<State> result;
        std::string next = word;
        for (std::size_t i = 0; i < word.size(); ++i) {
            for (char letter = 'a'; letter <= 'z'; ++letter) {
                next[i] = letter;
                if (letter != word[i] && words->contains(next)) result.push_back(next);
            }
            next[i] = word[i];
        }
        return result;
    }
    bool is_goal(const State& word) const { return word == goal; }

    /// How many letters differ.
    int distance(const State& word) const {
        int letters = 0;
        for (std::size_t i = 0; i < word.size(); ++i) letters += word[i] != goal[i];
        return letters;
    }

    /// Words of four letters, each drawn by chance.
    static std::vector<std::string> random_words(std::size_t count, std::uint64_t seed) {
        std::mt19937_64 generator(seed);
        std::unordered_set<std::string> words;
        std::vector<std::string> result;
        while (result.size() < count) {
            std::string word(4, ' ');
            for (char& letter : word) letter = "abcdeilnorst"[generator() % 12];
            if (words.insert(word).second) result.push_back(word);
        }
        return result;
    }
};

/// Thirty states in a ring, with short cuts: a search is over at once.
struct Ring {
    using State = int;
    int goal;

    std::vector<State> neighbors(State state) const {
        return {(state + 1) % 30, (state + 29) % 30, (7 * state) % 30};
    }
    bool is_goal(State state) const { return state == goal; }
    int distance(State state) const { return state == goal ? 0 : 1; }
};

} // namespace problems

// mend: State(start)
// A call without a problem, with a literal for a start that is not of the type of the states.
#include <npuzzle/search.hpp>

#include <string>
#include <vector>

int main() {
#ifdef CONTROL
    const std::string start = "cold";
#else
    const char* const start = "cold";
#endif
    const auto neighbors = [](const std::string& word) { return std::vector<std::string>{word + 'a'}; };
    npuzzle::astar(start, neighbors, [](const std::string& word) { return word.size() == 7; });
}

/// @file
/// Fuzzes the command line of the program: only the parsing, since the commands are replaced by checks of the
/// options that reach them.
#include "arguments.hpp"
#include "heuristic_name.hpp"
#include "options.hpp"
#include "support.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace program {

namespace {

using fuzz::require;

bool is_one_of(const std::string& text, std::initializer_list<std::string_view> choices) {
    for (const std::string_view choice : choices) {
        if (text == choice) {
            return true;
        }
    }
    return false;
}

void check_search(const SearchOptions& options) {
    require(is_one_of(options.algorithm, {"auto", "astar", "ida", "bidirectional", "weighted", "greedy",
                                          "anytime", "beam", "constructive"}),
            "an algorithm has a name");
    require(is_one_of(options.tables, {"auto", "never", "if-there", "build"}), "tables have a choice");
    require(!parse_heuristic(options.heuristic).parts.empty(), "a heuristic has parts");
    require(!options.weight || (*options.weight >= 1 && *options.weight <= 1e6), "a weight is in its range");
    require(options.time_limit >= std::chrono::nanoseconds{0}, "a time limit is not negative");
    require(options.threads <= 1024, "threads are in their range");
}

} // namespace

int solve(const SolveOptions& options) {
    check_search(options.search);
    require(!options.files.empty(), "there is a file");
    require(is_one_of(options.format, {"", "text", "moves", "json", "html", "svg"}), "a format has a name");
    return exit_solved;
}

int check(const CheckOptions& options) {
    check_search(options.search);
    require(!options.files.empty(), "there is a file");
    return exit_solved;
}

int info(const InfoOptions& options) {
    require(!options.file.empty(), "there is a file");
    return exit_solved;
}

int random(const RandomOptions& options) {
    require(2 <= options.size && options.size <= 32767, "a size is in its range");
    require(!options.moves || (*options.moves >= 0 && *options.moves <= 1'000'000'000'000),
            "a number of moves is in its range");
    require(!options.moves || !options.optimal_length, "what excludes each other is not there together");
    return exit_solved;
}

int trace(const TraceOptions& options) {
    require(!parse_heuristic(options.heuristic).parts.empty(), "a heuristic has parts");
    require(options.steps <= 100'000, "steps are in their range");
    require(is_one_of(options.format, {"", "jsonl", "posthoc"}), "a format has a name");
    return exit_solved;
}

int compare(const CompareOptions& options) {
    check_search(options.search);
    require(!options.files.empty() && !options.heuristics.empty(), "there are files and heuristics");
    require(is_one_of(options.format, {"", "text", "json"}), "a format has a name");
    for (const std::string& heuristic : options.heuristics) {
        require(!parse_heuristic(heuristic).parts.empty(), "a heuristic has parts");
    }
    return exit_solved;
}

int pdb(PdbAction /*action*/, const PdbOptions& options) {
    require(!options.name.empty(), "there is a name");
    require(options.threads <= 1024, "threads are in their range");
    return exit_solved;
}

} // namespace program

/// The arguments are the lines of the input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string> arguments{"npuzzle", ""};
    for (std::size_t i = 0; i < size && arguments.size() < 64; ++i) {
        if (data[i] == '\n') {
            arguments.emplace_back();
        } else if (data[i] != 0) {
            arguments.back() += static_cast<char>(data[i]);
        }
    }
    std::vector<char*> pointers;
    for (std::string& argument : arguments) {
        pointers.push_back(argument.data());
    }
    pointers.push_back(nullptr);
    try {
        const int exit = program::run(static_cast<int>(arguments.size()), pointers.data());
        fuzz::require(exit == program::exit_solved || exit == program::exit_bad_input,
                      "a command line is understood or refused");
    } catch (const std::exception& error) {
        fuzz::require(!std::string_view(error.what()).empty(), "a refusal says why");
    }
    return 0;
}

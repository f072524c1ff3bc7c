// The options of each command. They are plain data, so only arguments.cpp needs CLI11.
#pragma once

#include <npuzzle/search/core/limits.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace program {

// The exit status of the program.
enum Exit : int {
    exit_solved = 0,
    exit_unsolvable = 1, // for `check`, also: a result differs from the file's name
    exit_bad_input = 2,  // something cannot be read, written or understood
    exit_limit = 3,      // a limit or Ctrl-C ended the work
    exit_bounded = 4,    // the same, but there is a solution; it need not be a shortest one
};

// The options of all commands that search.
struct SearchOptions {
    std::string algorithm = "auto";
    std::string heuristic = "auto";
    std::string goal = "blank-last";
    std::string tables = "auto";
    bool trusts_tables = false; // also of other users
    bool best_effort = false;   // a limit leaves the best solution that is known
    bool optimal = false;       // no limit but those that are given
    std::optional<double> weight;
    npuzzle::TimeLimit time_limit = std::chrono::nanoseconds::max();
    std::uint64_t memory_limit = 0; // 0: the default, which boards that are searched together share
    std::uint64_t expansion_limit = std::numeric_limits<std::uint64_t>::max();
    unsigned threads = 1;        // boards at the same time
    unsigned search_threads = 1; // of one search: see `shared`
    std::string spill;           // the folder for what does not fit in memory, if any
    std::string checkpoint;      // the journal of IDA*, if any
};

struct SolveOptions {
    std::vector<std::string> files;
    SearchOptions search;
    bool all = false;
    bool count = false;
    bool stats = false;
    std::string format; // here and below, if empty: by the name of the output file, else text
    std::string output;
};

struct CheckOptions {
    std::vector<std::string> files;
    SearchOptions search;
    bool expect_from_name = false;
};

struct InfoOptions {
    std::string file;
    std::string goal = "blank-last";
};

struct RandomOptions {
    int size = 4;
    std::uint64_t count = 1;
    std::optional<std::uint64_t> seed;
    std::optional<std::int64_t> moves;
    std::optional<int> optimal_length;
    std::string goal = "blank-last";
    std::string output;
};

struct TraceOptions {
    std::string file;
    std::string heuristic = "manhattan";
    std::string goal = "blank-last";
    std::uint64_t steps = 100;
    std::string format;
    std::string output;
};

struct CompareOptions {
    std::vector<std::string> files;
    std::vector<std::string> heuristics;
    std::string format;
    std::string output;
    SearchOptions search;
};

enum class PdbAction { build, info, verify };

struct PdbOptions {
    std::string name;
    std::string goal = "blank-last";
    std::string folder; // empty: the default
    unsigned threads = 0;
    bool trusts_others = false;
    bool is_zero_aware = false;
    bool is_additive = false;
};

// The commands. Each returns the exit status.
int solve(const SolveOptions& options);
int check(const CheckOptions& options);
int info(const InfoOptions& options);
int random(const RandomOptions& options);
int trace(const TraceOptions& options);
int compare(const CompareOptions& options);
int pdb(PdbAction action, const PdbOptions& options);

} // namespace program

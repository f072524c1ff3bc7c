// Builds pattern databases. Prints for each table the time, the memory needed beside the table, and the
// number of entries at each depth. Checks every table: the entries against the counts, and their sum against
// the known one. Exits with 1 if one is wrong.
//
//     pattern_databases [--threads N] [PARTITION...]
//
// Default partitions: 5-5-5, 7-8 and 6-6-6-6, which take up to 700 MB. The goal has its blank in the last
// cell.

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/pattern_database/build.hpp>
#include <npuzzle/puzzle/pattern_database/pattern.hpp>
#include <npuzzle/puzzle/pattern_database/table.hpp>

#include "support/answers.hpp"
#include "support/process_memory.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// The known sum of all entries of a table.
struct Known {
    std::string_view shape;
    std::uint64_t sum;
};

constexpr std::array known_tables{
    Known{"additive 3x3 xx_/x../...", 3146},
    Known{"additive 3x3 xx_/.x./...", 3076},
    Known{"additive 3x3 xx_/.../...", 280},
    Known{"additive 3x3 xx_/xx./...", 26986},
    Known{"additive 3x3 _xx/x../x..", 28112},
    Known{"additive 4x4 xxxx/_x../..../....", 7371926},
    Known{"additive 4x4 xxx_/.xx./..../....", 6892432},
    Known{"additive 4x4 _xx./xx../x.../....", 7588000},
    Known{"additive 4x4 xxxx/_xx./..../....", 97262942},
    Known{"additive 4x4 xxx_/..../..../....", 27858},
    Known{"additive 4x4 _xx./xxx./x.../....", 98464486},
    Known{"additive 4x4 xxxx/xxxx/_.../....", 12439945258},
    Known{"additive 4x4 xxx_/xxxx/..../....", 1205746634},
    Known{"additive 5x5 xxx_./xxx../...../...../.....", 2589596454},
    Known{"additive 5x5 _xx../xxx../..x../...../.....", 2528113632},
    Known{"additive 5x5 xxxx_/xxx../...../...../.....", 57958955168},
    Known{"additive 5x5 xxx_./xxx../..x../...../.....", 55481284348},
    Known{"additive 5x5 _xx../xxx../xx.../...../.....", 58649492828},
    Known{"additive 5x5 xx_../.x.../...../...../.....", 143764},
};

std::uint64_t known_sum(const std::string& shape) {
    for (const Known& known : known_tables) {
        if (known.shape == shape) {
            return known.sum;
        }
    }
    throw benchmarks::WrongAnswer("nothing is known of the table " + shape);
}

int size_of(std::string_view name) {
    for (int n = 3; n <= 5; ++n) {
        for (const std::string_view known : npuzzle::Partition::names(n)) {
            if (known == name) {
                return n;
            }
        }
    }
    throw benchmarks::WrongAnswer("there is no partition " + std::string(name));
}

void check(const npuzzle::PatternTable& table) {
    const std::string shape = table.shape().to_string();
    std::vector<std::uint64_t> counts(256);
    for (const std::uint8_t entry : table.entries()) {
        ++counts[entry];
    }
    std::uint64_t sum = 0;
    for (std::size_t depth = 0; depth < counts.size(); ++depth) {
        const bool is_told = depth < table.entries_at_depth().size();
        benchmarks::require(counts[depth] == (is_told ? table.entries_at_depth()[depth] : 0),
                            shape + ": the entries are not as many as were counted");
        sum += depth * counts[depth];
    }
    benchmarks::require(sum == known_sum(shape), shape + ": the entries add up to " + std::to_string(sum));
}

void build(std::string_view name, unsigned threads) {
    const int n = size_of(name);
    const auto partition = npuzzle::Partition::named(name, npuzzle::goal_blank_last(n));
    std::printf("%s\n%s", std::string(name).c_str(), partition.to_string().c_str());
    std::vector<npuzzle::TableShape> done;
    double seconds = 0;
    for (const npuzzle::Pattern& pattern : partition.patterns()) {
        const npuzzle::TableShape shape = npuzzle::normalized_shape(pattern, partition.blank_cell()).shape;
        if (std::find(done.begin(), done.end(), shape) != done.end()) {
            continue;
        }
        done.push_back(shape);
        const benchmarks::PeakGrowth growth;
        npuzzle::BuildOptions options;
        options.threads = threads;
        const benchmarks::Stopwatch watch;
        const auto table = npuzzle::build_table(shape, options);
        const double taken = watch.seconds();
        seconds += taken;
        const auto resident = static_cast<double>(growth.bytes());
        const auto peak = static_cast<double>(npuzzle::table_bytes(shape).to_build);
        const auto entries = static_cast<double>(table->entries().size());
        check(*table);
        std::printf("  %s: %.0f entries, %.2f s, peak %.1f MB (resident %.1f MB), %.2f bits an entry beside "
                    "the table\n    at depth 0, 1, ...:",
                    shape.to_string().c_str(), entries, taken, peak / 1e6, resident / 1e6,
                    8 * (peak - entries) / entries);
        for (const std::uint64_t count : table->entries_at_depth()) {
            std::printf(" %llu", static_cast<unsigned long long>(count));
        }
        std::printf("\n");
    }
    std::printf("  in all %.2f s\n", seconds);
}

} // namespace

int main(int argc, char** argv) {
    try {
        unsigned threads = 0;
        std::vector<std::string_view> names;
        for (int i = 1; i < argc; ++i) {
            const std::string_view argument = argv[i];
            if (argument == "--threads" && i + 1 < argc) {
                threads = static_cast<unsigned>(std::stoul(argv[++i]));
            } else {
                names.push_back(argument);
            }
        }
        if (names.empty()) {
            names = {"5-5-5", "7-8", "6-6-6-6"};
        }
        for (const std::string_view name : names) {
            build(name, threads);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pattern_databases: %s\n", error.what());
        return 1;
    }
}

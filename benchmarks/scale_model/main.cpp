// A* by up to 4,096 ranks, simulated: each rank has its own open list and the nodes that a hash gives it, and
// sends the others theirs over a network of some latency and bandwidth. All of them search one of Korf's
// boards of the 15-puzzle with the Manhattan distance. Each answer is checked. The tables and the picture in
// docs/scale_model.md.
//
//     g++ -std=c++20 -O2 -DNDEBUG -I include -I benchmarks benchmarks/scale_model/*.cpp -o scale_model
//     ./scale_model [OPTION VALUE]...

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/search/astar.hpp>
#include <npuzzle/visual/chart.hpp>

#include "scale_model/hashing.hpp"
#include "scale_model/search_graph.hpp"
#include "scale_model/simulation.hpp"
#include "support/answers.hpp"
#include "support/instances.hpp"
#include "support/timing.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using benchmarks::require;
using namespace scale_model;

struct NamedNetwork {
    std::string_view name;
    Network network;
};

constexpr NamedNetwork networks[] = {
    {"machine", {0.5e-6, 5e9, 0.5e-6, 8e-9}},
    {"cluster", {1.5e-6, 10e9, 0.5e-6, 8e-9}},
    {"ethernet", {30e-6, 1e9, 5e-6, 8e-9}},
};

struct NamedRules {
    std::string_view name;
    Rules rules;
};

constexpr NamedRules all_rules[] = {
    {"today", {}},
    {"quick", {2'000, 50e-6, 5e-6, 64, 100e-6, 2'048}},
};

struct Arguments {
    int board = 28;
    std::vector<unsigned> rank_bits{0, 2, 4, 6, 8, 10, 12};
    std::vector<const Hashing*> hashings;
    NamedNetwork network = networks[1];
    NamedRules rules = all_rules[0];
    std::vector<double> holds; // seconds; none: those of the rules
    Interruptions interruptions;
    std::optional<double> expansion; // seconds
    std::string csv;
    std::string chart;
    std::string title = "Efficiency of A* by many ranks, simulated";
};

const char* const usage_text =
    R"(usage: scale_model [OPTION VALUE]...
  --board N            one of Korf's, from 1 to 100 (28, which has 1.6 million nodes)
  --ranks P,P...       powers of two up to 4096 (1,4,16,64,256,1024,4096)
  --hash NAME,NAME...  plain, zobrist, tiles, blocks, parts, both (all)
  --network NAME       machine, cluster or ethernet (cluster); its figures can be changed by:
  --latency US         of a message, in microseconds
  --bandwidth GB       of a rank, in gigabytes a second
  --message US         of the processors of sender and receiver, each, for a message
  --node NS            the same for a node
  --rules NAME         today, which are those of distributed_astar, or quick (today); to be changed by:
  --block N            nodes of a full message
  --hold US,US...      after that time messages are sent though they are not full; the best of several is taken
  --pause US           a rank with work looks so seldom at the network
  --receives N         messages that it takes at each look, but four for each other rank
  --round US           between two rounds in which all ranks tell their best goals
  --serial N           nodes that one rank stores before all begin
  --expansion NS       of a processor for an expansion (measured)
  --interrupted SHARE  of the time of each rank goes to other programs, in slices of 4 ms (0)
  --csv FILE           writes a line for each run
  --chart FILE         draws the efficiency
  --title TEXT         of the chart
)";

struct UsageError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

template <class T>
T number(const std::string& option, std::string_view text, T least, T greatest) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= greatest)) {
        throw UsageError(option + " " + std::string(text) + ": not a number that it takes");
    }
    return value;
}

std::vector<std::string> list(const std::string& text) {
    std::vector<std::string> items(1);
    for (const char c : text) {
        c == ',' ? items.emplace_back() : items.back() += c;
    }
    return items;
}

template <class All>
const auto& named(const std::string& option, const All& all, const std::string& name) {
    const auto found =
        std::find_if(std::begin(all), std::end(all), [&](const auto& each) { return each.name == name; });
    if (found == std::end(all)) {
        throw UsageError(option + " " + name + ": there is none of that name");
    }
    return *found;
}

Arguments parse(int argc, char** argv) {
    constexpr double most = 1e9;
    constexpr auto many = std::numeric_limits<std::uint32_t>::max();
    Arguments arguments;
    // What changes the network and the rules that are named, wherever the name stands.
    std::vector<std::function<void()>> changes;
    const auto change = [&](double& value, double unit, const std::string& option, const std::string& text,
                            double least) {
        const double changed = number(option, text, least, most) * unit;
        changes.emplace_back([&value, changed] { value = changed; });
    };
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        if (i + 1 == argc) {
            throw UsageError(option + " has no value");
        }
        const std::string value = argv[i + 1];
        Network& network = arguments.network.network;
        Rules& rules = arguments.rules.rules;
        if (option == "--board") {
            arguments.board = number(option, value, 1, 100);
        } else if (option == "--ranks") {
            arguments.rank_bits.clear();
            for (const std::string& each : list(value)) {
                const unsigned ranks = number(option, each, 1U, 4'096U);
                if (!std::has_single_bit(ranks)) {
                    throw UsageError("--ranks " + each + ": not a power of two");
                }
                arguments.rank_bits.push_back(static_cast<unsigned>(std::countr_zero(ranks)));
            }
        } else if (option == "--hash") {
            for (const std::string& each : list(value)) {
                arguments.hashings.push_back(&named(option, all_hashings(), each));
            }
        } else if (option == "--network") {
            arguments.network = named(option, networks, value);
        } else if (option == "--latency") {
            change(network.latency, 1e-6, option, value, 0);
        } else if (option == "--bandwidth") {
            change(network.bandwidth, 1e9, option, value, 1e-6);
        } else if (option == "--message") {
            change(network.message, 1e-6, option, value, 0);
        } else if (option == "--node") {
            change(network.node, 1e-9, option, value, 0);
        } else if (option == "--rules") {
            arguments.rules = named(option, all_rules, value);
        } else if (option == "--block") {
            changes.emplace_back([&, nodes = number(option, value, 1U, many)] { rules.block_nodes = nodes; });
        } else if (option == "--hold") {
            for (const std::string& each : list(value)) {
                arguments.holds.push_back(number(option, each, 0.0, most) * 1e-6);
            }
        } else if (option == "--pause") {
            change(rules.exchange_pause, 1e-6, option, value, 0);
        } else if (option == "--receives") {
            changes.emplace_back(
                [&, receives = number(option, value, 1U, many)] { rules.receives = receives; });
        } else if (option == "--round") {
            change(rules.round, 1e-6, option, value, 0.001);
        } else if (option == "--serial") {
            changes.emplace_back(
                [&, nodes = number(option, value, 0U, many)] { rules.serial_nodes = nodes; });
        } else if (option == "--expansion") {
            arguments.expansion = number(option, value, 1e-3, most) * 1e-9;
        } else if (option == "--interrupted") {
            arguments.interruptions.share = number(option, value, 0.0, 0.9);
        } else if (option == "--csv") {
            arguments.csv = value;
        } else if (option == "--chart") {
            arguments.chart = value;
        } else if (option == "--title") {
            arguments.title = value;
        } else {
            throw UsageError(option + ": unknown");
        }
    }
    for (const auto& each : changes) {
        each();
    }
    std::sort(arguments.rank_bits.begin(), arguments.rank_bits.end());
    if (arguments.holds.empty()) {
        arguments.holds.push_back(arguments.rules.rules.hold);
    }
    constexpr std::size_t max_lines = 6;
    if (arguments.hashings.size() > max_lines) {
        throw UsageError("--hash takes six names at most");
    }
    if (arguments.hashings.empty()) {
        for (const Hashing& hashing : all_hashings()) {
            arguments.hashings.push_back(&hashing);
        }
    }
    return arguments;
}

/// Expands nodes one by one, and numbers them, as the simulated ranks do.
struct OneByOne : npuzzle::PooledPolicy {
    static constexpr std::size_t batch_width = 1;
};

struct OrderObserver : npuzzle::SilentObserver {
    std::uint64_t order = 0;
    void expand(const auto& node) { order = next_order(order, node.state); }
};

/// The search by the library, on one core.
struct Reference {
    Serial one_by_one;
    std::uint64_t order = 0;
    double seconds_each = 0; // an expansion
};

Reference search(const Puzzle& puzzle, const benchmarks::Instance& instance) {
    const Board start(instance.tiles);
    const auto check = [&](const auto& result) {
        require(result.status == npuzzle::Status::solved && result.cost == instance.optimal_cost,
                "A* has not found the published cost");
        benchmarks::require_path(puzzle, start, result.path, result.cost, "A*");
    };
    std::vector<double> seconds_each;
    for (int round = 0; round < 3; ++round) {
        const benchmarks::Stopwatch stopwatch;
        const auto result = npuzzle::astar(puzzle, start, npuzzle::Manhattan{});
        seconds_each.push_back(stopwatch.seconds() / static_cast<double>(result.statistics.expanded));
        check(result);
    }
    OrderObserver observer;
    const auto result = npuzzle::astar<OneByOne>(puzzle, start, npuzzle::Manhattan{}, {}, observer);
    check(result);
    const npuzzle::Statistics& statistics = result.statistics;
    return {{result.cost, statistics.expanded, statistics.generated, statistics.stored},
            observer.order,
            benchmarks::median(seconds_each)};
}

void require_equal(const Outcome& outcome, const Reference& reference) {
    const Serial& serial = reference.one_by_one;
    require(outcome.expanded == serial.expanded && outcome.generated == serial.generated &&
                outcome.stored == serial.stored && outcome.order == reference.order && outcome.messages == 0,
            "one rank does not expand the states that A* expands, in their order");
}

double ratio(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

/// A run, and the time after which messages were sent in it.
struct Run {
    Outcome outcome;
    double hold = 0;
};

/// The best run by the times that are to be tried.
Run best_run(const Arguments& arguments, SearchGraph& graph, const Board& start, const Hashing& hashing,
             unsigned bits, const Work& work, const Reference& reference) {
    Run best;
    best.outcome.is_broken_off = true;
    for (const double hold : arguments.holds) {
        Rules rules = arguments.rules.rules;
        rules.hold = hold;
        const Outcome outcome = simulate(graph, start, hashing, bits, arguments.network.network, rules, work,
                                         arguments.interruptions, reference.one_by_one);
        if (outcome.is_broken_off) {
            continue;
        }
        require(outcome.cost == reference.one_by_one.cost, hashing.name + ": not the published cost");
        if (bits == 0) {
            require_equal(outcome, reference);
        }
        if (best.outcome.is_broken_off || outcome.useful > best.outcome.useful) {
            best = {outcome, hold};
        }
        if (bits == 0) {
            break;
        }
    }
    return best;
}

void print(const Hashing& hashing, unsigned ranks, const Run& run, const Serial& serial) {
    const Outcome& outcome = run.outcome;
    if (outcome.is_broken_off) {
        std::printf("| %s | %u | broken off at %llu times the expansions of one rank |\n",
                    hashing.name.c_str(), ranks, static_cast<unsigned long long>(max_overhead));
    } else {
        std::printf(
            "| %s | %u | %.0f | %.3f | %.3f | %.3f | %.3f | %.2f | %.2f | %.2f | %.2f | %.1f | %llu |\n",
            hashing.name.c_str(), ranks, 1e6 * run.hold, outcome.useful, outcome.vain, outcome.messaging,
            outcome.idle, ratio(outcome.expanded, serial.expanded), outcome.stored_imbalance,
            outcome.expanded_imbalance, ratio(outcome.nodes_sent, outcome.generated),
            ratio(outcome.nodes_sent, outcome.messages),
            static_cast<unsigned long long>(outcome.max_partners));
    }
    std::fflush(stdout);
}

constexpr const char* csv_columns =
    "board,network,rules,hash,ranks,hold,seconds,speed,efficiency,in_vain,messaging,idle,expanded,expanded_"
    "by_one,"
    "reopened,stored,stored_imbalance,expanded_imbalance,generated,nodes_sent,messages,bytes,max_in_flight,"
    "max_partners\n";

void write(std::ostream& csv, const Arguments& arguments, const Hashing& hashing, unsigned ranks,
           const Run& run, const Serial& serial) {
    const Outcome& outcome = run.outcome;
    csv << arguments.board << ',' << arguments.network.name << ',' << arguments.rules.name << ','
        << hashing.name << ',' << ranks << ',' << run.hold << ',' << outcome.seconds << ','
        << outcome.useful * ranks << ',' << outcome.useful << ',' << outcome.vain << ',' << outcome.messaging
        << ',' << outcome.idle << ',' << outcome.expanded << ',' << serial.expanded << ',' << outcome.reopened
        << ',' << outcome.stored << ',' << outcome.stored_imbalance << ',' << outcome.expanded_imbalance
        << ',' << outcome.generated << ',' << outcome.nodes_sent << ',' << outcome.messages << ','
        << outcome.bytes << ',' << outcome.max_in_flight << ',' << outcome.max_partners << '\n';
}

void close(std::ofstream& file, const std::string& name) {
    if (!file.flush()) {
        throw std::runtime_error(name + " could not be written");
    }
}

void run(const Arguments& arguments) {
    std::ofstream csv;
    if (!arguments.csv.empty()) {
        csv.open(arguments.csv);
        csv << csv_columns;
        close(csv, arguments.csv); // before the work
    }
    const Puzzle puzzle(npuzzle::goal_blank_first(4));
    const benchmarks::Instance& instance =
        benchmarks::korf_boards.at(static_cast<std::size_t>(arguments.board - 1));
    const Reference reference = search(puzzle, instance);
    const Serial& serial = reference.one_by_one;
    const double seconds_each = arguments.expansion.value_or(reference.seconds_each);
    // As much for the expansion itself as for putting the neighbors into the table.
    const Work work{seconds_each / 2, seconds_each / 2 / ratio(serial.generated, serial.expanded)};
    std::printf("board %d: %llu expansions of %.0f ns, %llu nodes; network \"%s\", rules \"%s\"\n\n"
                "| hash | ranks | hold, us | efficiency | in vain | messages | idle | expansions | most "
                "stored | most "
                "expanded | sent away | nodes a message | partners |\n"
                "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
                arguments.board, static_cast<unsigned long long>(serial.expanded), 1e9 * seconds_each,
                static_cast<unsigned long long>(serial.stored), std::string(arguments.network.name).c_str(),
                std::string(arguments.rules.name).c_str());
    SearchGraph graph(puzzle);
    std::vector<npuzzle::ChartSeries> lines;
    for (const Hashing* hashing : arguments.hashings) {
        lines.push_back({hashing->name, {}});
        for (const unsigned bits : arguments.rank_bits) {
            const Run best =
                best_run(arguments, graph, Board(instance.tiles), *hashing, bits, work, reference);
            print(*hashing, 1U << bits, best, serial);
            if (best.outcome.is_broken_off) {
                break; // as would be the larger numbers
            }
            lines.back().points.push_back({static_cast<double>(bits), 100 * best.outcome.useful});
            if (csv.is_open()) {
                write(csv, arguments, *hashing, 1U << bits, best, serial);
            }
        }
    }
    if (csv.is_open()) {
        close(csv, arguments.csv);
    }
    if (!arguments.chart.empty()) {
        std::ofstream out(arguments.chart);
        npuzzle::write_line_chart_svg(
            out, lines,
            {.title = arguments.title, .x_label = "ranks, as a power of two", .y_label = "efficiency, %"});
        close(out, arguments.chart);
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        run(parse(argc, argv));
    } catch (const UsageError& error) {
        std::fprintf(stderr, "scale_model: %s\n%s", error.what(), usage_text);
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "scale_model: %s\n", error.what());
        return 1;
    }
}

#include <npuzzle/version.hpp>

#include "arguments.hpp"
#include "files.hpp"
#include "heuristic_name.hpp"
#include "options.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fmt/core.h>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace program {

namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw CLI::ValidationError(what);
}

// An option with a number from `least` to `greatest`. The whole text must be the number; nothing is rounded.
template <class T>
CLI::Option* add_number(CLI::App& command, const std::string& option, const std::string& what, T least,
                        T greatest, const std::function<void(T)>& set) {
    const auto parse = [=](const std::string& text) {
        T value{};
        const char* const end = text.data() + text.size();
        const auto [last, error] = std::from_chars(text.data(), end, value);
        // Written so that NaN is out of range.
        if (error != std::errc{} || last != end || !(least <= value && value <= greatest)) {
            refuse(fmt::format("{}: \"{}\" is no number from {} to {}", option, text, least, greatest));
        }
        set(value);
    };
    return command.add_option_function<std::string>(option, parse, what)->type_name("NUMBER");
}

// An option with a number and a unit. The first unit is the default.
CLI::Option* add_quantity(CLI::App& command, const std::string& option, const std::string& what,
                          const std::vector<std::pair<std::string, double>>& units,
                          const std::function<void(double)>& set) {
    const auto parse = [=](const std::string& text) {
        double value = 0;
        const char* const end = text.data() + text.size();
        const auto [last, error] = std::from_chars(text.data(), end, value);
        const std::string unit(last, end);
        for (const auto& [name, factor] : units) {
            if (error == std::errc{} && (unit.empty() || unit == name) && value >= 0) {
                return set(value * factor);
            }
        }
        std::string names;
        for (const auto& [name, factor] : units) names += (names.empty() ? "" : ", ") + name;
        refuse(fmt::format("{}: \"{}\" is no number, alone or with one of {}", option, text, names));
    };
    return command.add_option_function<std::string>(option, parse, what)->type_name("NUMBER[UNIT]");
}

CLI::Option* add_choice(CLI::App& command, const std::string& option, const std::string& what,
                        std::string& target, std::initializer_list<std::string_view> choices) {
    std::string names;
    for (const std::string_view choice : choices) names += (names.empty() ? "" : "|") + std::string(choice);
    const auto parse = [=, &target](const std::string& text) {
        if (('|' + names + '|').find('|' + text + '|') == std::string::npos ||
            text.find('|') != std::string::npos) {
            refuse(fmt::format("{}: \"{}\" is none of {}", option, text, names));
        }
        target = text;
    };
    return command.add_option_function<std::string>(option, parse, what)->type_name(names);
}

void add_files(CLI::App& command, std::vector<std::string>& files, const std::string& what) {
    command.add_option("FILE", files, what)->required()->type_name("");
}

void add_goal(CLI::App& command, std::string& goal) {
    command.add_option("--goal", goal, "the board to reach")->type_name("blank-last|blank-first|spiral|FILE");
}

void add_output(CLI::App& command, std::string& output) {
    command.add_option("--output,-o", output, "write the answer to this file")->type_name("FILE");
}

void add_format(CLI::App& command, std::string& format, std::initializer_list<std::string_view> formats,
                const std::string& otherwise = "text") {
    add_choice(command, "--format,-f", "output format; default: by the output's name, else " + otherwise,
               format, formats);
}

void add_quiet(CLI::App& command) {
    command.add_flag_callback("--quiet,-q", be_quiet,
                              "print nothing but errors, and what other options ask for");
}

void add_file(CLI::App& command, std::string& file) {
    command.add_option("FILE", file, "a puzzle file; - is the standard input")->required()->type_name("");
}

void add_heuristic(CLI::App& command, std::string& heuristic) {
    const auto parse = [&](const std::string& text) {
        parse_heuristic(text);
        heuristic = text;
    };
    command
        .add_option_function<std::string>("--heuristic,-H", parse, "the estimate of the moves that are left")
        ->type_name("auto|hamming|manhattan|linear-conflict|walking-distance|pdb:PARTITION|max:A,B,...");
}

void add_time_limit(CLI::App& command, SearchOptions& options, const std::string& what) {
    add_quantity(command, "--time-limit", what, {{"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}},
                 [&](double seconds) { options.time_limit = std::chrono::duration<double>(seconds); });
}

void add_trust(CLI::App& command, bool& trusts) {
    command.add_flag("--trust-tables", trusts,
                     "use tables also if others can write to them or to their folder");
}

constexpr bool is_without_heuristic = true;

void add_search(CLI::App& command, SearchOptions& options, bool without_heuristic = false) {
    add_choice(
        command, "--algorithm,-a", "how to search; all but the last five find a shortest solution",
        options.algorithm,
        {"auto", "astar", "ida", "bidirectional", "weighted", "greedy", "anytime", "beam", "constructive"});
    if (!without_heuristic) add_heuristic(command, options.heuristic);
    add_goal(command, options.goal);
    add_number<double>(command, "--weight,-w", "of the heuristic, for weighted and anytime; default 1.5", 1,
                       1e6, [&](double weight) { options.weight = weight; });
    add_choice(command, "--tables", "whether pattern databases are used, and built", options.tables,
               {"auto", "never", "if-there", "build"});
    add_trust(command, options.trusts_tables);
    add_time_limit(command, options, "for each board; ms, s, m or h");
    add_quantity(command, "--memory-limit", "for each board; B, kB, MB or GB",
                 {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}, [&](double bytes) {
                     options.memory_limit = bytes < 1e19 ? static_cast<std::uint64_t>((std::max)(bytes, 1.0))
                                                         : npuzzle::Limits::unlimited;
                 });
    add_number<std::uint64_t>(command, "--expansion-limit", "for each board", 0,
                              std::numeric_limits<std::uint64_t>::max(),
                              [&](std::uint64_t limit) { options.expansion_limit = limit; });
    add_number<unsigned>(
        command, "--threads,-j",
        "how many boards are solved at the same time; of one board, how many threads search; 0 for all cores",
        0, 1024, [&](unsigned threads) { options.threads = threads; });
}

CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& what,
                      const std::string& examples, const std::function<void()>& run) {
    CLI::App& command = *app.add_subcommand(name, what);
    command.group("Commands")->footer("Examples:\n" + examples);
    command.callback(run);
    return command;
}

void add_pdb(CLI::App& tables, const std::string& name, const std::string& what, PdbAction action,
             PdbOptions& options, int& exit) {
    CLI::App& command = add_command(tables, name, what, "  npuzzle pdb " + name + " 7-8",
                                    [&exit, &options, action] { exit = pdb(action, options); });
    command
        .add_option("NAME", options.name,
                    "3-3-2, 4-4, 5-5-5, 6-6-3, 7-8, 6-6-6-6, 7-7-7-3, 8-7-7-2, or a drawing: aabaccbc.")
        ->required()
        ->type_name("");
    add_goal(command, options.goal);
    CLI::Option* const zero_aware =
        command.add_flag("--zero-aware", options.is_zero_aware,
                         "tables that know the region of the blank, a bit a value; usual for size 5");
    command
        .add_flag("--additive", options.is_additive,
                  "tables that do not, a byte a value; usual for sizes 3 and 4")
        ->excludes(zero_aware);
    command.add_option("--folder", options.folder, "where the tables are kept; default: the cache folder")
        ->type_name("FOLDER");
    add_number<unsigned>(command, "--threads,-j", "threads that build; 0 for all cores", 0, 1024,
                         [&](unsigned threads) { options.threads = threads; });
    add_trust(command, options.trusts_others);
    add_quiet(command);
}

// Without the names of the options that one excludes.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option* option) const override {
        const std::string text = CLI::Formatter::make_option_opts(option);
        return text.substr(0, text.find(" " + get_label("Excludes") + ":"));
    }
};

// An empty text, as from a variable of the shell that is not set, names nothing: it is no missing option.
void refuse_empty(CLI::App& command) {
    for (CLI::Option* const option : command.get_options()) {
        if (option->get_items_expected_max() == 0) continue;
        option->check([](const std::string& text) {
            return text.empty() ? std::string("the text is empty") : std::string();
        });
    }
    for (CLI::App* const below : command.get_subcommands([](const CLI::App*) { return true; })) {
        refuse_empty(*below);
    }
}

// Runs the command that the command line names, and returns its exit status.
int parse_and_run(CLI::App& app, int argc, char* argv[]) {
    int exit = exit_solved;

    SolveOptions solve_options;
    CLI::App& solving =
        add_command(app, "solve", "Solve boards in the fewest moves.",
                    "  npuzzle solve examples/puzzles/puzzle4x4-30.txt\n"
                    "  npuzzle random --size 3 --seed 7 | npuzzle solve - --format moves --stats\n"
                    "  npuzzle solve board.txt --algorithm weighted --weight 2 --format svg -o board.svg",
                    [&] { exit = solve(solve_options); });
    add_files(solving, solve_options.files, "puzzle files; - is the standard input");
    add_search(solving, solve_options.search);
    solving
        .add_option(
            "--spill", solve_options.search.spill,
            "keep what does not fit in memory in a file in this folder; for astar, on boards of size 4 and 5")
        ->type_name("FOLDER");
    solving
        .add_option("--checkpoint", solve_options.search.checkpoint,
                    "keep a journal of ida in this file, from which the same command goes on")
        ->type_name("FILE");
    solving.add_flag("--optimal", solve_options.search.optimal,
                     "no limit of time from size 6 on, where 30 s are usual");
    solving.add_flag("--all", solve_options.all, "every shortest solution");
    solving.add_flag("--count", solve_options.count, "only how many shortest solutions there are");
    solving.add_flag("--stats", solve_options.stats, "print statistics on standard error");
    add_format(solving, solve_options.format, {"text", "moves", "json", "html", "svg"});
    add_output(solving, solve_options.output);
    add_quiet(solving);

    CheckOptions check_options;
    CLI::App& checking = add_command(app, "check", "Solve many boards, and print one line for each.",
                                     "  npuzzle check --expect-from-name examples/puzzles\n"
                                     "  npuzzle check --time-limit 10s --threads 4 *.txt",
                                     [&] { exit = check(check_options); });
    add_files(checking, check_options.files, "puzzle files, and folders of them");
    add_search(checking, check_options.search);
    checking.add_flag("--expect-from-name", check_options.expect_from_name,
                      "compare with the file's name: puzzle4x4-31.txt, puzzle2x2-unsolvable1.txt");
    add_quiet(checking);

    InfoOptions info_options;
    CLI::App& informing =
        add_command(app, "info", "Describe a board without solving it.",
                    "  npuzzle info examples/puzzles/puzzle3x3-04.txt", [&] { exit = info(info_options); });
    add_file(informing, info_options.file);
    add_goal(informing, info_options.goal);

    RandomOptions random_options;
    CLI::App& drawing = add_command(app, "random", "Make random boards, the same from a seed everywhere.",
                                    "  npuzzle random --size 4 --count 10 --seed 7\n"
                                    "  npuzzle random --size 4 --optimal-length 45 | npuzzle solve -",
                                    [&] { exit = random(random_options); });
    add_number<int>(drawing, "--size,-n", "rows and columns; default 4", 2, 32767,
                    [&](int size) { random_options.size = size; });
    add_number<std::uint64_t>(drawing, "--count,-c", "how many boards; default 1", 0,
                              std::numeric_limits<std::uint64_t>::max(),
                              [&](std::uint64_t count) { random_options.count = count; });
    add_number<std::uint64_t>(drawing, "--seed,-s", "default: another one each time", 0,
                              std::numeric_limits<std::uint64_t>::max(),
                              [&](std::uint64_t seed) { random_options.seed = seed; });
    CLI::Option* const moves = add_number<std::int64_t>(
        drawing, "--moves", "boards after this many random moves", 0, 1'000'000'000'000,
        [&](std::int64_t count) { random_options.moves = count; });
    add_number<int>(drawing, "--optimal-length", "boards that need exactly this many moves", 0, 1'000'000,
                    [&](int moves_needed) { random_options.optimal_length = moves_needed; })
        ->excludes(moves);
    add_goal(drawing, random_options.goal);
    add_output(drawing, random_options.output);

    TraceOptions trace_options;
    CLI::App& tracing = add_command(app, "trace", "Print what A* does, event by event, for other programs.",
                                    "  npuzzle trace examples/puzzles/puzzle3x3-04.txt\n"
                                    "  npuzzle trace board.txt --format posthoc -o board.trace.json",
                                    [&] { exit = trace(trace_options); });
    add_file(tracing, trace_options.file);
    add_heuristic(tracing, trace_options.heuristic);
    add_goal(tracing, trace_options.goal);
    add_number<std::uint64_t>(tracing, "--steps", "the most expansions; default 100", 0, 100'000,
                              [&](std::uint64_t steps) { trace_options.steps = steps; });
    add_format(tracing, trace_options.format, {"jsonl", "posthoc"}, "jsonl");
    add_output(tracing, trace_options.output);

    CompareOptions compare_options;
    compare_options.search.algorithm = "astar";
    CLI::App& comparing = add_command(
        app, "compare", "Search with several heuristics, and compare what they cost.",
        "  npuzzle compare examples/puzzles/puzzle4x4-*.txt --heuristics "
        "manhattan,linear-conflict,pdb:5-5-5\n"
        "  npuzzle compare board.txt --algorithm ida --heuristics hamming,max:manhattan+walking-distance\n"
        "  npuzzle random --size 3 --count 100 | npuzzle compare - --heuristics hamming,manhattan",
        [&] { exit = compare(compare_options); });
    add_files(comparing, compare_options.files, "puzzle files; - is the standard input");
    comparing
        .add_option_function<std::string>(
            "--heuristics",
            [&](const std::string& text) {
                for (std::size_t begin = 0; begin <= text.size();) {
                    const std::size_t end = std::min(text.find(',', begin), text.size());
                    compare_options.heuristics.push_back(text.substr(begin, end - begin));
                    parse_heuristic(compare_options.heuristics.back());
                    begin = end + 1;
                }
            },
            "which heuristics, separated by commas")
        ->required()
        ->type_name("A,B,max:C+D,...");
    add_format(comparing, compare_options.format, {"text", "json"});
    add_output(comparing, compare_options.output);
    add_quiet(comparing);
    add_search(comparing, compare_options.search, is_without_heuristic);

    PdbOptions pdb_options;
    CLI::App& tables = add_command(app, "pdb", "Build and check the tables of pattern databases.",
                                   "  npuzzle pdb build 7-8\n"
                                   "  npuzzle pdb verify 6-6-6-6",
                                   [] {});
    tables.require_subcommand(1);
    add_pdb(tables, "build", "Build the missing tables.", PdbAction::build, pdb_options, exit);
    add_pdb(tables, "info", "Draw the patterns, and list their tables.", PdbAction::info, pdb_options, exit);
    add_pdb(tables, "verify", "Read the tables completely, and check their checksums.", PdbAction::verify,
            pdb_options, exit);

    refuse_empty(app);
    std::vector<std::string> arguments; // from the last to the first
    while (argc-- > 1) {
        const std::string_view argument = argv[argc];
        const bool is_list = argument.starts_with('[') && argument.ends_with(']'); // to the parser
        arguments.push_back((is_list ? "./" : "") + std::string(argument));
    }
    app.parse(std::move(arguments));
    return exit;
}

bool has_commands(const CLI::App& command) {
    return !command.get_subcommands([](const CLI::App*) { return true; }).empty();
}

// The message about an argument that nothing takes.
std::string unknown_argument(const std::string& argument, bool in_place_of_command) {
    if (argument.starts_with('-')) return "there is no option " + argument;
    if (in_place_of_command) return "there is no command " + argument;
    return argument + " is one argument too many";
}

// The parser's message, in our words if its own are unclear.
std::string in_our_words(std::string_view said) {
    constexpr std::string_view required = ": 1 required ";
    constexpr std::string_view missing = " missing";
    const std::size_t at = said.find(required);
    if (at == std::string_view::npos || !said.ends_with(missing)) return std::string(said);
    const std::size_t kind = at + required.size();
    return fmt::format("{} needs a value, {}", said.substr(0, at),
                       said.substr(kind, said.size() - missing.size() - kind));
}

} // namespace

int run(int argc, char* argv[]) {
    CLI::App app("Solves, checks and makes sliding-tile puzzles.", "npuzzle");
    app.require_subcommand(1);
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    app.formatter(std::make_shared<HelpFormatter>());
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.set_version_flag("--version", "npuzzle " + std::string(npuzzle::version));
    app.footer("Exit status: 0 solved, 1 unsolvable, 2 bad usage or input, 3 a limit struck,\n"
               "4 the same, and the best solution that is known is printed.\n"
               "npuzzle COMMAND --help describes a command, with examples.");
    try {
        return parse_and_run(app, argc, argv);
    } catch (const CLI::CallForHelp&) {
        Output output;
        output.write(app.help());
        output.flush();
        return exit_solved;
    } catch (const CLI::CallForVersion& version) {
        Output output;
        output.write(std::string(version.what()) + '\n');
        output.flush();
        return exit_solved;
    } catch (const CLI::ParseError& error) {
        std::string command;
        const CLI::App* innermost = &app;
        auto commands = app.get_subcommands();
        for (; !commands.empty(); commands = commands.back()->get_subcommands()) {
            innermost = commands.back();
            command += innermost->get_name() + ' ';
        }
        const auto unknown = app.remaining(true);
        const bool is_missing = std::string_view(error.what()) == "A subcommand is required";
        const std::string what = !unknown.empty()
                                     ? unknown_argument(unknown.front(), has_commands(*innermost))
                                 : is_missing ? "a command is missing"
                                              : in_our_words(error.what());
        print_error(fmt::format("npuzzle: {} (npuzzle {}--help tells more)\n", what, command));
        return exit_bad_input;
    }
}

} // namespace program

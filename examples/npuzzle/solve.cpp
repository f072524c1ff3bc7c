#include <npuzzle/puzzle/goal.hpp>

#include "batch.hpp"
#include "files.hpp"
#include "format.hpp"
#include "in_order.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "search.hpp"
#include "terminal.hpp"

#include <cstdio>
#include <exception>
#include <fmt/core.h>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace program {

namespace {

// An answer, or the reason why there is none.
struct Work {
    std::optional<Answer> answer;
    std::string error = {};
    int exit = exit_bad_input;
    bool is_left_out = false;
};

Work solve_source(Source& source, const SolveOptions& options, bool is_one_of_several) try {
    if (!source.board) return {std::nullopt, source.error, source.exit};
    if (is_one_of_several && Batch::is_over()) return {std::nullopt, {}, exit_limit, true};
    Answer answer{source.name, *std::move(source.board), {}};
    if (options.count) {
        answer.outcome = search_all(answer.board, options.search);
    } else if (options.all) {
        answer.outcome = search_all(answer.board, options.search,
                                    [&](const auto& solution) { answer.solutions.push_back(solution); });
    } else {
        answer.outcome = search(answer.board, options.search);
    }
    const int exit = exit_status(answer.outcome);
    return {std::move(answer), {}, exit};
} catch (const Interrupted&) {
    throw;
} catch (const std::bad_alloc&) {
    return {std::nullopt, source.name + ": out of memory", exit_limit};
} catch (const std::exception& error) {
    return {std::nullopt, error.what()};
}

using Write = void (*)(Output&, const Answer&);

Write writer_of(const std::string& format) {
    return format == "moves"  ? write_moves
           : format == "json" ? write_json
           : format == "html" ? write_html
           : format == "svg"  ? write_svg
                              : write_text;
}

void print_statistics(const Answer& answer) {
    const Outcome& outcome = answer.outcome;
    const npuzzle::Statistics& did = outcome.statistics;
    print_error(
        fmt::format("{}: {} by {} with {}: expanded {}, generated {}, stored {}, {} bytes, {:.3f} s\n",
                    answer.file, in_words(outcome.status), outcome.algorithm, outcome.heuristic, did.expanded,
                    did.generated, did.stored, did.bytes, did.seconds));
}

// What to do if memory was short.
std::string what_takes_less(const Answer& answer, std::uint64_t limit) {
    const Outcome& outcome = answer.outcome;
    if (outcome.status != npuzzle::Status::memory_limit) return "";
    const std::string takes = fmt::format("; it takes more than {}", bytes_in_words(limit));
    if (outcome.algorithm != "astar" || outcome.count) return takes;
    return takes + (is_packed(answer.board)
                        ? "; --spill FOLDER takes a file for it, and --algorithm ida next to none"
                        : "; --algorithm ida takes next to none");
}

std::string how_it_goes_on(const Outcome& outcome) {
    return outcome.checkpoint.empty() ? "" : fmt::format("; --checkpoint {} goes on", outcome.checkpoint);
}

void print_limit(const Answer& answer, std::uint64_t limit) {
    const Outcome& outcome = answer.outcome;
    if (outcome.is_bounded) {
        return print_note(fmt::format(
            "npuzzle: {}: the best known after {:.1f} s: {} moves, and no solution has fewer than {}: {}{}\n",
            answer.file, outcome.statistics.seconds, outcome.moves(), outcome.at_least,
            in_words(outcome.status),
            outcome.has_default_limit
                ? ", as usual from size 6 on; --optimal goes on, --time-limit sets another"
                : ""));
    }
    print_note(fmt::format("npuzzle: {}: no solution found: {} after {:.1f} s and {} expansions; it needs "
                           "{} moves or more{}{}\n",
                           answer.file, in_words(outcome.status), outcome.statistics.seconds,
                           outcome.statistics.expanded, outcome.at_least, what_takes_less(answer, limit),
                           how_it_goes_on(outcome)));
}

void print_unsolvable(const Answer& answer, bool is_picture) {
    const std::string_view other = npuzzle::reachable_goal(answer.board);
    if (other.empty() && !is_picture) return;
    print_note(fmt::format("npuzzle: {}: no solution possible{}{}\n", answer.file,
                           is_picture ? ", so no picture" : "",
                           other.empty() ? "" : fmt::format("; it is solvable with --goal {}", other)));
}

} // namespace

int solve(const SolveOptions& options) {
    const std::string format = format_of(options.format, options.output, {"txt", "json", "html", "svg"});
    const bool is_picture = format == "html" || format == "svg";
    const auto require_one = [&](bool is_one) {
        if (is_picture && !is_one) {
            throw std::invalid_argument("--format " + format + " draws one solution of one board");
        }
    };
    require_one(options.files.size() == 1 && !options.all && !options.count);
    Output output(options.output);
    std::vector<Source> sources = read_boards(options.files);
    require_one(sources.size() == 1);
    if (!options.search.checkpoint.empty() && (sources.size() != 1 || options.all || options.count)) {
        throw std::invalid_argument("--checkpoint goes with one solution of one board");
    }
    const Write write = writer_of(format);
    SolveOptions each = options;
    each.search = shared(options.search, sources.size());
    each.search.best_effort = options.search.algorithm == "auto" && !options.all && !options.count;

    int exit = exit_solved;
    bool has_answer = false;
    Batch batch(sources.size());
    in_order(
        sources.size(), options.search.threads,
        [&](std::size_t i) { return solve_source(sources[i], each, sources.size() > 1); },
        [&](std::size_t i, const Work& work) {
            exit = worse(exit, work.exit);
            if (work.is_left_out) return batch.leave_out(sources[i].name);
            batch.add(work.exit);
            if (!work.answer) {
                print_error(fmt::format("npuzzle: {}\n", work.error));
                return;
            }
            has_answer = has_answer || work.exit == exit_solved || work.exit == exit_bounded;
            if (work.exit == exit_bounded) output.set_patient();
            write(output, *work.answer);
            output.flush();
            if (work.exit == exit_limit || work.exit == exit_bounded)
                print_limit(*work.answer, total_memory(each.search));
            if (work.exit == exit_unsolvable) print_unsolvable(*work.answer, is_picture);
            if (options.stats) print_statistics(*work.answer);
        });
    batch.tell_left_out();
    if (sources.size() > 1 && (options.stats || batch.has_left_out() || is_terminal(stderr))) {
        (options.stats ? print_error : print_note)("npuzzle: " + batch.summary() + '\n');
    }
    // After a stop, an answer in which a board is left out, or has no solution, is not written.
    const bool is_cut = interrupted().stop_requested() && (exit == exit_limit || exit == exit_bad_input);
    if (has_answer && !is_cut) {
        output.finish();
    } else if (has_answer && output.is_file()) {
        print_note(fmt::format("npuzzle: cancelled, so {} is left as it is\n", options.output));
    } else if (output.is_file() && exit == exit_unsolvable && !is_picture) {
        print_note(fmt::format("npuzzle: no solution possible, so {} is left as it is\n", options.output));
    }
    return exit;
}

} // namespace program

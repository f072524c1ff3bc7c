#include <npuzzle/io/parse_error.hpp>

#include "batch.hpp"
#include "files.hpp"
#include "in_order.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "search.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <filesystem>
#include <fmt/core.h>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace program {

namespace {

// The files that an argument stands for: the file itself, or the .txt files of a folder.
std::vector<std::string> files_of(const std::string& argument) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(argument, ignored)) return {argument};
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(argument)) {
        if (entry.path().extension() == ".txt") files.push_back(entry.path().string());
    }
    if (files.empty()) throw std::invalid_argument(argument + ": there are no .txt files");
    std::sort(files.begin(), files.end());
    return files;
}

// The number of moves that a file name states after its last hyphen: puzzle4x4-31.txt; -1 for
// puzzle4x4-unsolvable.txt.
std::optional<std::int64_t> promised_moves(const std::string& file) {
    const std::string name = std::filesystem::path(file).stem().string();
    const std::string promise = name.substr(name.rfind('-') + 1);
    if (promise.starts_with("unsolvable")) return -1;
    std::int64_t moves = 0;
    const char* const end = promise.data() + promise.size();
    const auto [last, error] = std::from_chars(promise.data(), end, moves);
    return error == std::errc{} && last == end ? std::optional(moves) : std::nullopt;
}

struct Checked {
    std::string error; // if not empty, the other members have no meaning
    int exit = exit_solved;
    int n = 0;
    Outcome outcome = {};
    bool is_decided = true;
    std::optional<std::int64_t> promised = {};
    bool is_left_out = false;
};

Checked check_source(const Source& source, const CheckOptions& options) try {
    if (!source.board) return {source.error, source.exit};
    if (Batch::is_over()) {
        Checked left_out{{}, exit_limit};
        left_out.is_left_out = true;
        return left_out;
    }
    const npuzzle::Board& board = *source.board;
    Checked checked{{}, exit_solved, board.size(), search(board, options.search)};
    const int ended = exit_status(checked.outcome);
    checked.is_decided = ended != exit_limit && ended != exit_bounded;
    if (options.expect_from_name) checked.promised = promised_moves(source.file);
    if (!checked.is_decided) {
        checked.exit = ended;
    } else if (checked.promised && checked.promised != checked.outcome.moves()) {
        checked.exit = exit_unsolvable;
    }
    return checked;
} catch (const Interrupted&) {
    throw;
} catch (const std::bad_alloc&) {
    return {source.name + ": out of memory", exit_limit};
} catch (const std::exception& error) {
    return {error.what(), exit_bad_input};
}

std::string in_row(const std::string& name, std::size_t width, const Checked& checked) {
    const Outcome& outcome = checked.outcome;
    const bool is_unsolvable = outcome.status == npuzzle::Status::unsolvable;
    std::string row = fmt::format("{:<{}}  {:>3}  {:>8}  {:>5}  {:>12}  {:>8.3f}", name, width, checked.n,
                                  outcome.solution ? "yes"
                                  : is_unsolvable  ? "no"
                                                   : "unknown",
                                  outcome.solution ? fmt::format("{}", outcome.moves()) : "-",
                                  outcome.statistics.expanded, outcome.statistics.seconds);
    if (!checked.is_decided) {
        row += "  " + colored(Color::yellow, in_words(outcome.status));
    } else if (checked.exit != exit_solved) {
        const bool is_unsolvable_by_name = *checked.promised < 0;
        row += "  " + colored(Color::red,
                              "but its name says " +
                                  (is_unsolvable_by_name ? "unsolvable" : std::to_string(*checked.promised)));
    }
    return row + '\n';
}

} // namespace

int check(const CheckOptions& options) {
    std::vector<std::string> files;
    for (const std::string& argument : options.files) {
        for (std::string& file : files_of(argument)) files.push_back(std::move(file));
    }
    const std::vector<Source> sources = read_boards(files);
    std::size_t width = 4;
    for (const Source& source : sources) width = std::max(width, npuzzle::printable(source.name).size());

    CheckOptions each = options;
    each.search = shared(options.search, sources.size());
    Output output;
    output.write(fmt::format("{:<{}}  {:>3}  {:>8}  {:>5}  {:>12}  {:>8}\n", "file", width, "n", "solvable",
                             "moves", "expanded", "seconds"));
    int exit = exit_solved;
    Batch batch(sources.size());
    in_order(
        sources.size(), options.search.threads, [&](std::size_t i) { return check_source(sources[i], each); },
        [&](std::size_t i, const Checked& checked) {
            exit = worse(exit, checked.exit);
            if (checked.is_left_out) return batch.leave_out(sources[i].name);
            if (!checked.error.empty()) {
                batch.add(checked.exit);
                return print_error(fmt::format("npuzzle: {}\n", checked.error));
            }
            batch.add(exit_status(checked.outcome));
            output.write(in_row(npuzzle::printable(sources[i].name), width, checked));
            output.flush();
        });
    batch.tell_left_out();
    if (sources.size() > 1) output.write(batch.summary() + '\n');
    output.flush();
    return exit;
}

} // namespace program

#include <npuzzle/io/parse_error.hpp>
#include <npuzzle/puzzle/pattern_database/build.hpp>
#include <npuzzle/puzzle/pattern_database/file.hpp>
#include <npuzzle/puzzle/pattern_database/pattern.hpp>
#include <npuzzle/search/memory/available_memory.hpp>

#include "files.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "terminal.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace program {

namespace {

// A partition by its name or drawing, for boards of its size.
npuzzle::Partition partition_of(const std::string& name, const std::string& goal) {
    std::string known;
    for (int n = 3; n <= 5; ++n) {
        for (const std::string_view other : npuzzle::Partition::names(n)) {
            if (name == other) return npuzzle::Partition::named(name, goal_named(goal, n));
            known += (known.empty() ? "" : ", ") + std::string(other);
        }
        if (name.size() == static_cast<std::size_t>(n) * static_cast<std::size_t>(n)) {
            return npuzzle::Partition::drawn(name, goal_named(goal, n));
        }
    }
    throw std::invalid_argument("there is no partition \"" + name + "\"; there are " + known +
                                ", and drawings such as aabaccbc.");
}

// What is told of a table: what was done with it, and what it holds.
std::string line_of(const std::string& file, const std::string& what, const npuzzle::PatternTable& table) {
    double sum = 0;
    std::uint64_t reached = 0;
    for (std::size_t depth = 0; depth < table.entries_at_depth().size(); ++depth) {
        reached += table.entries_at_depth()[depth];
        sum += static_cast<double>(depth) * static_cast<double>(table.entries_at_depth()[depth]);
    }
    return fmt::format("{}: {}, {} entries, values to {}, mean {:.2f}\n", npuzzle::printable(file), what,
                       table_layout(table.shape()).values, table.entries_at_depth().size() - 1,
                       sum / static_cast<double>(reached));
}

// A table that the kernel would end the program for is not begun.
bool has_room_for(const npuzzle::TableShape& shape) {
    const std::uint64_t bytes = table_bytes(shape).to_build;
    const std::uint64_t available = npuzzle::available_memory();
    if (bytes <= available) return true;
    print_error(fmt::format("npuzzle: a table needs {} MB while it is built, and {} MB are available\n",
                            bytes / 1'000'000 + 1, available / 1'000'000));
    return false;
}

} // namespace

int pdb(PdbAction action, const PdbOptions& options) {
    const npuzzle::Partition partition = partition_of(options.name, options.goal);
    npuzzle::TableStore store;
    store.folder = options.folder;
    store.build.threads = options.threads;
    store.build.stop = interrupted();
    ProgressLine line;
    store.build.progress = [&](const npuzzle::BuildProgress& progress) { line.tell(progress); };
    store.load.trust_others = options.trusts_others;
    store.load.check = action == PdbAction::info ? npuzzle::TableCheck::header : npuzzle::TableCheck::entries;
    store.replace_damaged = action == PdbAction::build;

    // What `solve` uses for boards of this size, unless something else is asked for.
    const bool is_zero_aware = options.is_zero_aware || (partition.size() == 5 && !options.is_additive);
    const auto kind = is_zero_aware ? npuzzle::TableKind::zero_aware : npuzzle::TableKind::additive;
    static_cast<void>(table_bytes(partition, kind)); // refuses what cannot be before any of it is built
    Output output;
    if (action == PdbAction::info) output.write(partition.to_string());
    int exit = exit_solved;
    for (const npuzzle::TableShape& shape : table_shapes(partition, kind)) {
        const auto started = std::chrono::steady_clock::now();
        std::error_code ignored;
        const std::string file = store.file(shape).string();
        const bool is_there = std::filesystem::exists(file, ignored);
        if (action != PdbAction::build && !is_there) {
            output.write(fmt::format("{}: is not there\n", npuzzle::printable(file)));
            exit = action == PdbAction::verify ? exit_bad_input : exit;
            continue;
        }
        if (!is_there && !has_room_for(shape)) {
            output.flush();
            return exit_limit;
        }
        const auto table = load_or_build_table(shape, store);
        if (!table) {
            output.flush();
            print_note("npuzzle: cancelled\n");
            return exit_limit;
        }
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - started;
        output.write(line_of(file,
                             action == PdbAction::verify ? "whole"
                             : is_there                  ? "there"
                                                         : fmt::format("built in {:.1f} s", taken.count()),
                             *table));
        output.flush();
    }
    output.flush();
    return exit;
}

} // namespace program

#include <npuzzle/io/printable.hpp>
#include <npuzzle/puzzle/pattern_database/build.hpp>
#include <npuzzle/puzzle/pattern_database/file.hpp>

#include "files.hpp"
#include "format.hpp"
#include "json.hpp"
#include "output.hpp"
#include "pdb.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace program {

namespace {

namespace fs = std::filesystem;

npuzzle::TableStore store_of(const PdbOptions& options) {
    npuzzle::TableStore store;
    store.folder = options.folder.empty() ? npuzzle::cache_folder() : fs::path(options.folder);
    return store;
}

// The files of tables in a folder, by their names, and what a killed process has left of one; none if there
// is no such folder.
std::vector<fs::path> tables_in(const fs::path& folder) {
    std::vector<fs::path> files;
    if (!fs::exists(folder)) return files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const fs::path& file = entry.path();
        const bool is_table =
            file.extension() == ".npdb" || file.filename().string().find(".npdb.new-") != std::string::npos;
        if (is_table && entry.is_regular_file()) files.push_back(file);
    }
    std::sort(files.begin(), files.end());
    return files;
}

// The named partitions that a table's file belongs to. Goals that are images of each other have the same
// tables.
std::map<std::string, std::vector<std::string>> partitions_by_file() {
    std::map<std::string, std::vector<std::string>> partitions;
    for (int n = 3; n <= 5; ++n) {
        for (const std::string_view name : npuzzle::Partition::names(n)) {
            for (const std::string_view goal : {"blank-last", "spiral"}) {
                const std::string named =
                    goal == "spiral" ? fmt::format("{} --goal spiral", name) : std::string(name);
                const auto partition = partition_of(std::string(name), std::string(goal));
                for (const auto kind : {npuzzle::TableKind::additive, npuzzle::TableKind::zero_aware}) {
                    for (const npuzzle::TableShape& shape : table_shapes(partition, kind)) {
                        partitions[npuzzle::table_file_name(shape)].push_back(named);
                    }
                }
            }
        }
    }
    return partitions;
}

std::string age_in_words(std::int64_t seconds) {
    return seconds < 120         ? fmt::format("{} s", seconds)
           : seconds < 2 * 3600  ? fmt::format("{} min", seconds / 60)
           : seconds < 2 * 86400 ? fmt::format("{} h", seconds / 3600)
                                 : fmt::format("{} days", seconds / 86400);
}

std::int64_t age_of(const fs::path& file) {
    const auto age = fs::file_time_type::clock::now() - fs::last_write_time(file);
    return std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::seconds>(age).count());
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

} // namespace

int list_tables(const PdbOptions& options) {
    const fs::path folder = store_of(options).folder;
    const auto partitions = partitions_by_file();
    const std::vector<fs::path> files = tables_in(folder);
    std::size_t width = 4;
    for (const fs::path& file : files)
        width = std::max(width, npuzzle::printable(file.filename().string()).size());

    Output output;
    const bool is_json = options.format == "json";
    if (!is_json && !files.empty()) {
        output.write(fmt::format("{:<{}}  {:>8}  {:>8}  {}\n", "file", width, "size", "age", "of"));
    }
    std::uint64_t total = 0;
    for (const fs::path& file : files) {
        const std::uint64_t bytes = fs::file_size(file);
        total += bytes;
        const auto found = partitions.find(file.filename().string());
        const std::vector<std::string> of =
            found == partitions.end() ? std::vector<std::string>() : found->second;
        if (is_json) {
            write_line(
                output,
                {{"file", file.string()}, {"bytes", bytes}, {"age", age_of(file)}, {"partitions", of}});
            continue;
        }
        output.write(fmt::format("{:<{}}  {:>8}  {:>8}  {}\n", npuzzle::printable(file.filename().string()),
                                 width, bytes_in_words(bytes), age_in_words(age_of(file)),
                                 of.empty() ? "-" : joined(of)));
    }
    if (!is_json) {
        const std::string name = npuzzle::printable(folder.string());
        output.write(files.empty()
                         ? fmt::format("no tables in {}\n", name)
                         : fmt::format("{} tables, {}, in {}\n", files.size(), bytes_in_words(total), name));
    }
    output.flush();
    return exit_solved;
}

int list_partitions(const PdbOptions& options) {
    const npuzzle::TableStore store = store_of(options);
    Output output;
    const bool is_json = options.format == "json";
    if (!is_json) output.write("name     n  tables   there   to build\n");
    for (int n = 3; n <= 5; ++n) {
        for (const std::string_view name : npuzzle::Partition::names(n)) {
            const npuzzle::Partition partition = npuzzle::Partition::named(name, goal_named(options.goal, n));
            std::size_t there = 0;
            std::uint64_t bytes = 0;
            const npuzzle::TableKind kind = kind_of(partition, options);
            const std::vector<npuzzle::TableShape> shapes = table_shapes(partition, kind);
            for (const npuzzle::TableShape& shape : shapes) {
                std::error_code missing;
                const std::uint64_t size = fs::file_size(store.file(shape), missing);
                there += missing ? 0 : 1;
                bytes += missing ? 0 : size;
            }
            const std::uint64_t to_build = table_bytes(partition, kind).to_build;
            if (is_json) {
                write_line(output, {{"partition", name},
                                    {"size", n},
                                    {"tables", shapes.size()},
                                    {"there", there},
                                    {"bytes", bytes},
                                    {"bytes_to_build", to_build}});
            } else {
                output.write(fmt::format("{:<7}  {}  {:>6}  {:>6}  {:>9}\n", name, n, shapes.size(),
                                         there == 0 ? "-" : bytes_in_words(bytes), bytes_in_words(to_build)));
            }
        }
    }
    output.flush();
    return exit_solved;
}

int remove_tables(const PdbOptions& options) {
    if (options.is_all != options.name.empty()) {
        throw std::invalid_argument("pdb remove takes either NAME or --all");
    }
    if (options.is_all && (options.is_zero_aware || options.is_additive)) {
        throw std::invalid_argument("pdb remove --all removes the tables of all kinds");
    }
    const npuzzle::TableStore store = store_of(options);
    std::vector<fs::path> files = options.is_all ? tables_in(store.folder) : std::vector<fs::path>();
    if (!options.is_all) {
        const npuzzle::Partition partition = partition_of(options.name, options.goal);
        for (const npuzzle::TableShape& shape : table_shapes(partition, kind_of(partition, options))) {
            files.push_back(store.file(shape));
        }
    }
    Output output;
    std::size_t removed = 0;
    for (const fs::path& file : files) {
        std::error_code missing;
        const std::uint64_t bytes = fs::file_size(file, missing);
        const bool is_removed = fs::remove(file);
        removed += is_removed ? 1 : 0;
        if (options.format == "json") {
            write_line(output,
                       {{"file", file.string()}, {"removed", is_removed}, {"bytes", missing ? 0 : bytes}});
        } else {
            output.write(fmt::format("{}: {}\n", npuzzle::printable(file.string()),
                                     is_removed ? "removed, " + bytes_in_words(bytes) : "is not there"));
        }
        output.flush();
    }
    return removed > 0 || files.empty() ? exit_solved : exit_bad_input;
}

} // namespace program

#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/detail/table_io.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/puzzle/pattern_database/table_file_error.hpp"
#include "npuzzle/puzzle/pattern_database/verify.hpp"
#include "npuzzle/search/core/detail/checksum.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// \file
/// Pattern tables in files.
///
/// A file is a header of 4,096 bytes and then the entries, one byte each, in the order of their indexes. All
/// numbers are little-endian.
///
/// | from byte | bytes | what |
/// |---|---|---|
/// | 0 | 8 | `N P D B`, carriage return, line feed, 26, line feed: detects a copy in text mode |
/// | 8 | 4 | format version, 1 |
/// | 12 | 4 | n |
/// | 16 | 4 | kind: 0 additive, 1 classical |
/// | 20 | 4 | encoding: 0, one byte per entry |
/// | 24 | 4 | the goal: the cell of the blank |
/// | 28 | 4 | the pattern: one bit for each goal cell of its tiles |
/// | 32 | 8 | number of entries |
/// | 40 | 8 | checksum of the entries |
/// | 48 | 8 | number of depths |
/// | 56 | 2,048 | number of entries at each depth, 8 bytes each |
/// | 2,104 | 1,984 | zeros |
/// | 4,088 | 8 | checksum of the 4,088 bytes before |

namespace npuzzle {

/// How thoroughly a table is looked at when it is loaded.
enum class TableCheck : std::uint8_t {
    /// The header, which has its own checksum, and the length of the file. It takes microseconds. A damaged
    /// entry gives a wrong answer.
    header,
    /// Also the checksum of all entries, and a sample of them against those that are one move away, by which
    /// a table of other numbers is found. Tables for n up to 3, and of up to 65,536 entries, are checked as by
    /// `full`. A file that has not been changed since this process loaded it is not read again for this.
    sample,
    /// Also the distribution of the entries, and a larger sample; whether or not this process has loaded the
    /// file before.
    entries,
    /// Builds the table anew, and compares each entry.
    full,
};

namespace detail {

inline constexpr std::size_t table_header_size = 4096;
inline constexpr std::uint32_t table_format_version = 1;
inline constexpr std::array<std::uint8_t, 8> table_magic{'N', 'P', 'D', 'B', '\r', '\n', 26, '\n'};
inline constexpr std::size_t max_depths = 256;

/// Whether a table is built in milliseconds. Such tables are compared with a new one.
[[nodiscard]] NPUZZLE_COLD inline bool is_small(const TableShape& shape) {
    return shape.n <= 3 || shape.ranking().placements() <= 65536;
}

inline constexpr std::string_view table_advice =
    "; remove the file, or set TableStore::replace_damaged, and it will be built anew";

using TableHeader = std::array<std::uint8_t, table_header_size>;
using BuildFunction = std::optional<PatternTable> (*)(const TableShape&, const BuildOptions&);

NPUZZLE_COLD inline void put(TableHeader& header, std::size_t at, std::size_t size, std::uint64_t value) {
    for (std::size_t i = 0; i < size; ++i) {
        header[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

[[nodiscard]] NPUZZLE_COLD inline std::uint32_t read_u32(const std::uint8_t* bytes) noexcept {
    return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
           static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
}

[[nodiscard]] NPUZZLE_COLD inline TableHeader header_of(const PatternTable& table) {
    TableHeader header{};
    std::memcpy(header.data(), table_magic.data(), table_magic.size());
    put(header, 8, 4, table_format_version);
    put(header, 12, 4, static_cast<std::uint64_t>(table.shape().n));
    put(header, 16, 4, table.shape().kind == TableKind::additive ? 0 : 1);
    put(header, 20, 4, 0);
    put(header, 24, 4, static_cast<std::uint64_t>(table.shape().blank));
    put(header, 28, 4, table.shape().cells);
    put(header, 32, 8, table.entries().size());
    put(header, 40, 8, checksum(table.entries().data(), table.entries().size()));
    put(header, 48, 8, table.entries_at_depth().size());
    for (std::size_t depth = 0; depth < table.entries_at_depth().size(); ++depth) {
        put(header, 56 + 8 * depth, 8, table.entries_at_depth()[depth]);
    }
    put(header, table_header_size - 8, 8, checksum(header.data(), table_header_size - 8));
    return header;
}

[[noreturn]] NPUZZLE_COLD inline void throw_damaged(const std::filesystem::path& file,
                                                    std::initializer_list<std::string_view> what) {
    throw TableFileError(file, text_of({text_of(what), table_advice}));
}

[[noreturn]] NPUZZLE_COLD inline void throw_untrusted(const std::filesystem::path& file,
                                                      const std::string& why) {
    throw TableFileError(
        file,
        text_of({why, ", so the table may be anyone's work; if you trust it all the same, set "
                      "LoadOptions::trust_others (npuzzle --trust-tables)"}),
        TableFileError::Kind::untrusted);
}

/// The table that a file's bytes hold, as its header says. Throws TableFileError.
[[nodiscard]] NPUZZLE_COLD inline PatternTable
table_of(const TableShape& shape, const std::filesystem::path& file, const FileBytes& contents) {
    const std::span<const std::uint8_t> bytes = contents.bytes;
    const std::uint8_t* header = bytes.data();
    if (bytes.size() < table_magic.size() ||
        std::memcmp(header, table_magic.data(), table_magic.size()) != 0) {
        throw_damaged(file,
                      {bytes.empty() ? "is empty" : "is no pattern database: its first bytes are others"});
    }
    if (bytes.size() < table_header_size) {
        throw_damaged(file, {"is truncated within its header, at byte ", number_text(bytes.size())});
    }
    const std::uint32_t version = read_u32(header + 8);
    if (version > table_format_version) {
        throw TableFileError(
            file,
            text_of(
                {"has format version ", number_text(version), ", and this library reads version ",
                 number_text(table_format_version),
                 ": it was written by a newer one, or bytes 8 to 11 are damaged; read it with that one, or "
                 "remove the file, and it will be built anew"}),
            TableFileError::Kind::newer);
    }
    if (read_u64(header + table_header_size - 8) != checksum(header, table_header_size - 8)) {
        throw_damaged(file, {"is damaged in its header, bytes 0 to 4095: the checksum does not agree"});
    }
    const std::uint32_t kind = read_u32(header + 16);
    if (version != table_format_version || kind > 1 || read_u32(header + 20) != 0) {
        throw_damaged(file, {"has format version ", number_text(version), ", kind ", number_text(kind),
                             " and encoding ", number_text(read_u32(header + 20)),
                             ", which this library does not read"});
    }
    const TableShape found{static_cast<int>(read_u32(header + 12)),
                           kind == 0 ? TableKind::additive : TableKind::classical, read_u32(header + 28),
                           static_cast<int>(read_u32(header + 24))};
    if (found != shape) {
        const bool is_drawn = found.n >= 2 && found.n <= 5;
        throw_damaged(file, {"holds the table of another pattern or goal, ",
                             is_drawn ? found.to_string() : "of another size", ", not ", shape.to_string()});
    }
    const std::uint64_t entries = shape.ranking().placements();
    const std::uint64_t depths = read_u64(header + 48);
    if (read_u64(header + 32) != entries || depths > max_depths) {
        throw_damaged(file, {"has ", number_text(read_u64(header + 32)), " entries at ", number_text(depths),
                             " depths by its header; the pattern has ", number_text(entries)});
    }
    if (bytes.size() != table_header_size + entries) {
        throw_damaged(file, {bytes.size() < table_header_size + entries ? "is truncated" : "is too long",
                             ": it has ", number_text(bytes.size()), " bytes instead of ",
                             number_text(table_header_size + entries)});
    }
    std::vector<std::uint64_t> entries_at_depth;
    for (std::size_t depth = 0; depth < depths; ++depth) {
        entries_at_depth.push_back(read_u64(header + 56 + 8 * depth));
    }
    PatternTable table(shape, bytes.subspan(table_header_size), contents.owner, std::move(entries_at_depth));
    if (!has_possible_depths(table)) {
        throw_damaged(file,
                      {"has a header that no table has: its numbers of entries with each value cannot be"});
    }
    return table;
}

/// Throws TableFileError unless the entries are those that were written and can be right.
NPUZZLE_COLD inline void check_entries(const PatternTable& table, const std::filesystem::path& file,
                                       const FileBytes& contents, TableCheck check) {
    if (checksum(table.entries().data(), table.entries().size()) != read_u64(contents.bytes.data() + 40)) {
        throw_damaged(file, {"is damaged in its entries, from byte 4096 on: the checksum does not agree"});
    }
    if (const auto wrong = contradictory_entry(table, check == TableCheck::sample ? 32 : 4096)) {
        throw_damaged(file, {"is not the table of ", table.shape().to_string(), ": its entry at byte ",
                             number_text(table_header_size + *wrong), ", ",
                             number_text(table.entries()[*wrong]), ", contradicts those one move away"});
    }
    if (check != TableCheck::sample && !has_counted_entries(table)) {
        throw_damaged(file, {"is not the table of ", table.shape().to_string(),
                             ": its entries are not distributed as its header says"});
    }
}

/// Throws TableFileError unless all entries are those of the table that was just built.
NPUZZLE_COLD inline void compare_entries(const PatternTable& table, const PatternTable& built,
                                         const std::filesystem::path& file) {
    const auto different =
        std::mismatch(table.entries().begin(), table.entries().end(), built.entries().begin());
    if (different.first != table.entries().end()) {
        const auto at = static_cast<std::size_t>(different.first - table.entries().begin());
        throw_damaged(file, {"is not the table of ", table.shape().to_string(), ": its entry at byte ",
                             number_text(table_header_size + at), " is ", number_text(*different.first),
                             " in place of ", number_text(*different.second)});
    }
    if (table.entries_at_depth() != built.entries_at_depth()) {
        throw_damaged(file, {"is not the table of ", table.shape().to_string(),
                             ": its entries are not distributed as its header says"});
    }
}

} // namespace detail

/// The default folder for tables: the environment variable `NPUZZLE_CACHE`, else `npuzzle` in
/// `XDG_CACHE_HOME` if that is an absolute path (as the XDG Base Directory Specification requires), else
/// `.cache/npuzzle` in the home folder.
/// \throws std::runtime_error if none of these is set
[[nodiscard]] NPUZZLE_COLD inline std::filesystem::path cache_folder() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::filesystem::path(value == nullptr ? "" : value);
    };
    if (std::filesystem::path folder = variable("NPUZZLE_CACHE"); !folder.empty()) {
        return folder;
    }
    if (const std::filesystem::path folder = variable("XDG_CACHE_HOME"); folder.is_absolute()) {
        return folder / "npuzzle";
    }
    if (const std::filesystem::path home = variable("HOME"); !home.empty()) {
        return home / ".cache" / "npuzzle";
    }
    throw std::runtime_error(
        "there is no folder for pattern databases: set NPUZZLE_CACHE, XDG_CACHE_HOME or HOME");
}

/// The name of a table's file in its folder, such as `additive-4x4-cells00ff-blank08.npdb`. The cells of the
/// pattern are a hexadecimal number, the cell of the blank is a decimal number.
[[nodiscard]] NPUZZLE_COLD inline std::string table_file_name(const TableShape& shape) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string name(to_string(shape.kind));
    name += "-" + std::to_string(shape.n) + "x" + std::to_string(shape.n) + "-cells";
    for (int digit = (shape.n * shape.n - 1) / 4; digit >= 0; --digit) {
        name += digits[shape.cells >> (4 * digit) & 15U];
    }
    name += "-blank";
    name += digits[static_cast<std::size_t>(shape.blank / 10)];
    name += digits[static_cast<std::size_t>(shape.blank % 10)];
    return name + ".npdb";
}

/// Writes a table to `file`. Creates missing folders, to which only their owner can write.
///
/// The file appears completely or not at all: it gets its name when it has been synced to the disk. So a
/// crash, or another process that writes the same file, does no harm. Where the system has no files without
/// a name, a crash may leave a file beside it, which is removed when the next table is written there.
/// \throws TableFileError if the file cannot be written
NPUZZLE_COLD inline void save_table(const PatternTable& table, const std::filesystem::path& file) {
    try {
        detail::require_folder_of(file);
        detail::replace_file(file, detail::header_of(table), table.entries());
    } catch (const std::system_error& error) {
        throw TableFileError(file, detail::text_of({"cannot be written: ", error.what()}));
    }
}

/// Options for loading a table.
struct LoadOptions {
    TableCheck check = TableCheck::sample;
    /// Copies the entries into memory of this process, on huge pages if the system provides them, instead of
    /// mapping the file. It takes the time to read the file, and memory of its own. Look-ups are then faster,
    /// and nothing that happens to the file later matters. A mapped file that another program truncates ends
    /// this one by the signal SIGBUS at the next look-up.
    bool copy = false;
    /// Loads the file also if it belongs to another user than the own one and the administrator, or if others
    /// can write to it or to its folder. Who can write to a table decides the answers of the searches that
    /// use it.
    bool trust_others = false;
};

namespace detail {

/// Loads a table. Nothing if it had to be built for comparison, and that was stopped.
[[nodiscard]] NPUZZLE_COLD inline std::optional<PatternTable>
load_table_with(BuildFunction build, const TableShape& shape, const std::filesystem::path& file,
                const LoadOptions& options, const BuildOptions& build_options) {
    try {
        InputFile in(file);
        if (!in.is_regular()) {
            throw_damaged(file, {"is not a regular file"});
        }
        if (!options.trust_others) {
            const std::string why = in.distrust();
            if (const std::string distrust = why.empty() ? distrust_of_folder(file) : why;
                !distrust.empty()) {
                throw_untrusted(file, distrust);
            }
        }
        const FileBytes contents = in.bytes(options.copy);
        PatternTable table = table_of(shape, file, contents);
        if (options.check == TableCheck::header ||
            (options.check == TableCheck::sample && in.was_found_in_order())) {
            return table;
        }
        check_entries(table, file, contents, options.check);
        if (options.check == TableCheck::full || is_small(shape)) {
            BuildOptions quietly;
            quietly.threads = 1;
            const auto built = build(shape, is_small(shape) ? quietly : build_options);
            if (!built) {
                return std::nullopt;
            }
            compare_entries(table, *built, file);
        }
        in.found_in_order();
        return table;
    } catch (const std::system_error& error) {
        throw TableFileError(file, text_of({"cannot be read: ", error.what()}));
    }
}

} // namespace detail

/// Loads the table of `shape` from `file`. Unless it is copied, the file is mapped read-only and shared
/// between processes. A mapped file must not be changed in place; `save_table` never does this.
/// \throws TableFileError if the file cannot be read, is damaged, is not to be trusted, or holds another
///     table
[[nodiscard]] NPUZZLE_COLD inline PatternTable
load_table(const TableShape& shape, const std::filesystem::path& file, const LoadOptions& options = {}) {
    return *detail::load_table_with(build_table, shape, file, options, {});
}

/// Where tables are stored, and how they are loaded and built.
struct TableStore {
    /// The folder; if empty, `cache_folder()`.
    std::filesystem::path folder = {};
    LoadOptions load = {};
    BuildOptions build = {};
    /// Whether tables are saved after they have been built.
    bool save = true;
    /// Rebuilds a table whose file is damaged. Otherwise a damaged file is an error. A file of a newer format
    /// is always an error.
    bool replace_damaged = false;
    /// Called if a table that was built cannot be saved; the table is used nevertheless. If empty, this is an
    /// error.
    std::function<void(const TableFileError&)> save_failed = {};

    /// The path of a table's file.
    [[nodiscard]] NPUZZLE_COLD std::filesystem::path file(const TableShape& shape) const {
        return (folder.empty() ? cache_folder() : folder) / table_file_name(shape);
    }

    /// Whether there is a file for each table of a partition. Does not read the files.
    [[nodiscard]] NPUZZLE_COLD bool holds(const Partition& partition) const {
        for (const Pattern& pattern : partition.patterns()) {
            std::error_code ignored;
            if (!std::filesystem::is_regular_file(
                    file(normalized_shape(pattern, partition.blank_cell()).shape), ignored)) {
                return false;
            }
        }
        return true;
    }
};

namespace detail {

/// Whether a table can be saved when it is built. Throws TableFileError if it cannot, and `store.save_failed`
/// is empty.
NPUZZLE_COLD inline bool can_be_saved(const std::filesystem::path& file, const TableStore& store) {
    if (!store.save) {
        return false;
    }
    try {
        try {
            require_folder_of(file);
        } catch (const std::system_error& error) {
            throw TableFileError(file, text_of({"cannot be written: ", error.what()}));
        }
        if (const std::string distrust = distrust_of_folder(file);
            !store.load.trust_others && !distrust.empty()) {
            throw_untrusted(file, distrust);
        }
        return true;
    } catch (const TableFileError& error) {
        if (!store.save_failed) {
            throw;
        }
        store.save_failed(error);
        return false;
    }
}

[[nodiscard]] NPUZZLE_COLD inline std::optional<PatternTable>
load_or_build_table_with(BuildFunction build, const TableShape& shape, const TableStore& store) {
    const std::filesystem::path file = store.file(shape);
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
        try {
            return load_table_with(build, shape, file, store.load, store.build);
        } catch (const TableFileError& error) {
            if (!store.replace_damaged || error.kind() != TableFileError::Kind::damaged) {
                throw;
            }
        }
    }
    const bool is_saved = can_be_saved(file, store);
    std::optional<PatternTable> table = build(shape, store.build);
    if (table && is_saved) {
        try {
            save_table(*table, file);
        } catch (const TableFileError& error) {
            if (!store.save_failed) {
                throw;
            }
            store.save_failed(error);
        }
    }
    return table;
}

} // namespace detail

/// Loads the table of a shape if its file exists. Otherwise builds and saves it. Several processes may do
/// this at the same time.
/// \return the table, or nothing if the build was stopped
/// \throws TableFileError if the file exists but is not valid, or cannot be written. If its folder is not to
///     be trusted or cannot be made, this is found before the table is built.
[[nodiscard]] NPUZZLE_COLD inline std::optional<PatternTable>
load_or_build_table(const TableShape& shape, const TableStore& store = {}) {
    return detail::load_or_build_table_with(build_table, shape, store);
}

/// Loads or builds the additive tables of a partition, one for each pattern, in the order of the patterns.
/// Patterns that are images of each other share one table.
/// \return the tables, or nothing if the build was stopped
/// \throws TableFileError as `load_or_build_table`
[[nodiscard]] NPUZZLE_COLD inline std::optional<std::vector<PatternTable>>
load_or_build_tables(const Partition& partition, const TableStore& store = {}) {
    return detail::tables_of(partition, [&](const TableShape& shape) {
        return detail::load_or_build_table_with(detail::build_additive_table, shape, store);
    });
}

namespace detail {

/// Throws TableFileError: by these tables a board needs more moves than any board does.
[[noreturn]] NPUZZLE_COLD inline void throw_impossible_bound(const Partition& partition, int moves,
                                                             const TableStore& store) {
    std::string all;
    for (const Pattern& pattern : partition.patterns()) {
        const TableShape shape = normalized_shape(pattern, partition.blank_cell()).shape;
        all += text_of({all.empty() ? "" : ", ", table_file_name(shape)});
    }
    const TableShape shape = normalized_shape(partition.patterns().front(), partition.blank_cell()).shape;
    throw_damaged(store.file(shape),
                  {"is not what it should be, or another table that is used with it (", all,
                   "): by them a board needs more than ", number_text(static_cast<std::uint64_t>(moves)),
                   " moves, and none does; `npuzzle pdb verify --full` finds the wrong one"});
}

} // namespace detail

} // namespace npuzzle

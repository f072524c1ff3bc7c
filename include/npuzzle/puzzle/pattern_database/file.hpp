#pragma once

#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/detail/checksum.hpp"
#include "npuzzle/puzzle/pattern_database/detail/table_io.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

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

/// A file is not the requested table, or cannot be read or written. The message names the file, says what is
/// wrong and where, and how to repair it.
class TableFileError : public std::runtime_error {
public:
    TableFileError(std::filesystem::path file, const std::string& what, bool is_newer = false)
        : std::runtime_error(file.string() + ": " + what), file_(std::move(file)), is_newer_(is_newer) {}

    /// The path of the file.
    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }

    /// Whether the file seems to be written by a newer version of the library.
    [[nodiscard]] bool is_newer() const noexcept { return is_newer_; }

private:
    std::filesystem::path file_;
    bool is_newer_;
};

namespace detail {

inline constexpr std::size_t table_header_size = 4096;
inline constexpr std::uint32_t table_format_version = 1;
inline constexpr std::array<std::uint8_t, 8> table_magic{'N', 'P', 'D', 'B', '\r', '\n', 26, '\n'};
inline constexpr std::size_t max_depths = 256;

using TableHeader = std::array<std::uint8_t, table_header_size>;

inline void put(TableHeader& header, std::size_t at, std::size_t size, std::uint64_t value) {
    for (std::size_t i = 0; i < size; ++i) {
        header[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

[[nodiscard]] inline std::uint32_t read_u32(const std::uint8_t* bytes) noexcept {
    return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
           static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
}

[[nodiscard]] inline TableHeader header_of(const PatternTable& table) {
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

/// The table that a file's bytes hold. Throws TableFileError.
[[nodiscard]] inline PatternTable table_of(const TableShape& shape, const std::filesystem::path& file,
                                           const FileBytes& contents, bool is_verified) {
    const auto fail = [&](const std::string& what) {
        throw TableFileError(
            file, what + "; remove the file, or set TableStore::replace_damaged, and it will be built anew");
    };
    const std::span<const std::uint8_t> bytes = contents.bytes;
    const std::uint8_t* header = bytes.data();
    if (bytes.size() < table_magic.size() ||
        std::memcmp(header, table_magic.data(), table_magic.size()) != 0) {
        fail(bytes.empty() ? "is empty" : "is no pattern database: its first bytes are others");
    }
    if (bytes.size() < table_header_size) {
        fail("is truncated within its header, at byte " + std::to_string(bytes.size()));
    }
    const std::uint32_t version = read_u32(header + 8);
    if (version > table_format_version) {
        throw TableFileError(
            file,
            "has format version " + std::to_string(version) + ", and this library reads version " +
                std::to_string(table_format_version) +
                ": it was written by a newer one, or bytes 8 to 11 are damaged; read it with that one, or "
                "remove the file, and it will be built anew",
            true);
    }
    if (read_u64(header + table_header_size - 8) != checksum(header, table_header_size - 8)) {
        fail("is damaged in its header, bytes 0 to " + std::to_string(table_header_size - 1) +
             ": the checksum does not agree");
    }
    const std::uint32_t kind = read_u32(header + 16);
    if (version != table_format_version || kind > 1 || read_u32(header + 20) != 0) {
        fail("has format version " + std::to_string(version) + ", kind " + std::to_string(kind) +
             " and encoding " + std::to_string(read_u32(header + 20)) + ", which this library does not read");
    }
    const TableShape found{static_cast<int>(read_u32(header + 12)),
                           kind == 0 ? TableKind::additive : TableKind::classical, read_u32(header + 28),
                           static_cast<int>(read_u32(header + 24))};
    if (found != shape) {
        const bool is_drawn = found.n >= 2 && found.n <= 5;
        fail("holds the table of another pattern or goal, " +
             (is_drawn ? found.to_string() : "of another size") + ", not " + shape.to_string());
    }
    const std::uint64_t entries = shape.ranking().placements();
    const std::uint64_t depths = read_u64(header + 48);
    if (read_u64(header + 32) != entries || depths > max_depths) {
        fail("has " + std::to_string(read_u64(header + 32)) + " entries at " + std::to_string(depths) +
             " depths by its header; the pattern has " + std::to_string(entries));
    }
    if (bytes.size() != table_header_size + entries) {
        fail((bytes.size() < table_header_size + entries ? "is truncated: it has " : "is too long: it has ") +
             std::to_string(bytes.size()) + " bytes instead of " +
             std::to_string(table_header_size + entries));
    }
    const std::span<const std::uint8_t> data = bytes.subspan(table_header_size);
    if (is_verified && checksum(data.data(), data.size()) != read_u64(header + 40)) {
        fail("is damaged in its entries, from byte " + std::to_string(table_header_size) +
             " on: the checksum does not agree");
    }
    std::vector<std::uint64_t> entries_at_depth;
    for (std::size_t depth = 0; depth < depths; ++depth) {
        entries_at_depth.push_back(read_u64(header + 56 + 8 * depth));
    }
    return PatternTable(shape, data, contents.owner, std::move(entries_at_depth));
}

} // namespace detail

/// The default folder for tables: the environment variable `NPUZZLE_CACHE`, else `npuzzle` in
/// `XDG_CACHE_HOME` if that is an absolute path (as the XDG Base Directory Specification requires), else
/// `.cache/npuzzle` in the home folder.
/// \throws std::runtime_error if none of these is set
[[nodiscard]] inline std::filesystem::path cache_folder() {
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
[[nodiscard]] inline std::string table_file_name(const TableShape& shape) {
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

/// Writes a table to `file`. Creates missing folders.
///
/// The file appears completely or not at all: it is written under another name beside it, synced to the disk
/// and then renamed. So a crash, or another process that writes the same file, does no harm. Temporary files
/// that a crash left beside it are removed if they are older than an hour.
/// \throws TableFileError if the file cannot be written
inline void save_table(const PatternTable& table, const std::filesystem::path& file) {
    try {
        if (file.has_parent_path()) {
            std::filesystem::create_directories(file.parent_path());
        }
        detail::remove_abandoned(file);
        detail::replace_file(file, detail::header_of(table), table.entries());
    } catch (const std::system_error& error) {
        throw TableFileError(file, std::string("cannot be written: ") + error.what());
    }
}

/// Options for loading a table.
struct LoadOptions {
    /// Reads all entries and verifies their checksum. Otherwise only the header, with its own checksum, and
    /// the length are verified. A damaged entry then gives a wrong value.
    bool verify = false;
    /// Copies the entries into memory of this process, on huge pages if the system provides them, instead of
    /// mapping the file. It takes the time to read the file, and memory of its own. Look-ups are then faster.
    bool copy = false;
};

/// Loads the table of `shape` from `file`. Unless it is copied, the file is mapped read-only and shared
/// between processes. A mapped file must not be changed in place; `save_table` never does this.
/// \throws TableFileError if the file cannot be read, is damaged, or holds another table
[[nodiscard]] inline PatternTable load_table(const TableShape& shape, const std::filesystem::path& file,
                                             const LoadOptions& options = {}) {
    try {
        return detail::table_of(shape, file,
                                options.copy ? detail::copy_file_bytes(file) : detail::map_file(file),
                                options.verify);
    } catch (const std::system_error& error) {
        throw TableFileError(file, std::string("cannot be read: ") + error.what());
    }
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
    [[nodiscard]] std::filesystem::path file(const TableShape& shape) const {
        return (folder.empty() ? cache_folder() : folder) / table_file_name(shape);
    }

    /// Whether there is a file for each table of a partition. Does not read the files.
    [[nodiscard]] bool holds(const Partition& partition) const {
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

/// Loads the table of a shape if its file exists. Otherwise builds and saves it. Several processes may do
/// this at the same time.
/// \return the table, or nothing if the build was stopped
/// \throws TableFileError if the file exists but is not valid, or cannot be written
[[nodiscard]] inline std::optional<PatternTable> load_or_build_table(const TableShape& shape,
                                                                     const TableStore& store = {}) {
    const std::filesystem::path file = store.file(shape);
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
        try {
            return load_table(shape, file, store.load);
        } catch (const TableFileError& error) {
            if (!store.replace_damaged || error.is_newer()) {
                throw;
            }
        }
    }
    std::optional<PatternTable> table = build_table(shape, store.build);
    if (table && store.save) {
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

/// Loads or builds the tables of a partition, one for each pattern, in the order of the patterns. Patterns
/// that are images of each other share one table.
/// \return the tables, or nothing if the build was stopped
/// \throws TableFileError as `load_or_build_table`
[[nodiscard]] inline std::optional<std::vector<PatternTable>>
load_or_build_tables(const Partition& partition, const TableStore& store = {}) {
    return detail::tables_of(partition,
                             [&](const TableShape& shape) { return load_or_build_table(shape, store); });
}

} // namespace npuzzle

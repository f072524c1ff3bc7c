#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/detail/file_bytes.hpp"
#include "npuzzle/puzzle/pattern_database/pattern.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <initializer_list>
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
/// A file is a header of 4,096 bytes and then the entries, one byte each, in the order of their indexes; in a
/// zero-aware table one bit each, in words of 64 bits, as `PatternTable` says. All numbers are little-endian.
///
/// | from byte | bytes | what |
/// |---|---|---|
/// | 0 | 8 | `N P D B`, carriage return, line feed, 26, line feed: detects a copy in text mode |
/// | 8 | 4 | format version: 1, for zero-aware tables 2 |
/// | 12 | 4 | n |
/// | 16 | 4 | kind: 0 additive, 2 zero-aware |
/// | 20 | 4 | encoding: 0, one byte per entry; 1, one bit |
/// | 24 | 4 | the goal: the cell of the blank |
/// | 28 | 4 | the pattern: one bit for each goal cell of its tiles |
/// | 32 | 8 | number of entries |
/// | 40 | 8 | checksum of the entries |
/// | 48 | 8 | number of depths |
/// | 56 | 2,048 | number of entries at each depth, 8 bytes each |
/// | 2,104 | 1,984 | zeros |
/// | 4,088 | 8 | checksum of the 4,088 bytes before |

namespace npuzzle {

/// A file is not the requested table, or cannot be read or written. The message says how to repair it.
class TableFileError : public std::runtime_error {
public:
    /// What can be done about it.
    enum class Kind : std::uint8_t {
        damaged,   ///< the table can be built again
        newer,     ///< the file seems to be written by a newer version of the library
        untrusted, ///< others than the user and the administrator can write to the file or to its folder
    };

    NPUZZLE_COLD TableFileError(std::filesystem::path file, const std::string& what,
                                Kind kind = Kind::damaged)
        : std::runtime_error(file.string() + ": " + what), file_(std::move(file)), kind_(kind) {}

    /// The path of the file.
    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }

    /// What can be done about it.
    [[nodiscard]] Kind kind() const noexcept { return kind_; }

private:
    std::filesystem::path file_;
    Kind kind_;
};

/// How thoroughly a table is checked when it is loaded.
enum class TableCheck : std::uint8_t {
    /// The header and the length of the file, in microseconds. A damaged entry gives wrong answers.
    header,
    /// Also the checksum of all entries, which finds each flipped bit.
    entries,
};

/// The default folder for tables: the environment variable `NPUZZLE_CACHE`, else `npuzzle` in
/// `XDG_CACHE_HOME` if that is an absolute path (as the XDG Base Directory Specification requires), else
/// `.cache/npuzzle` in `HOME`, else, on Windows, `npuzzle` in `LOCALAPPDATA`.
/// \throws std::runtime_error if none of these is set
[[nodiscard]] NPUZZLE_COLD inline std::filesystem::path cache_folder() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::filesystem::path(value == nullptr ? "" : value);
    };
    if (std::filesystem::path folder = variable("NPUZZLE_CACHE"); !folder.empty()) return folder;
    if (const auto folder = variable("XDG_CACHE_HOME"); folder.is_absolute()) return folder / "npuzzle";
    if (const auto home = variable("HOME"); !home.empty()) return home / ".cache" / "npuzzle";
#if defined(_WIN32)
    if (const auto folder = variable("LOCALAPPDATA"); !folder.empty()) return folder / "npuzzle";
#endif
    throw std::runtime_error(
        "there is no folder for pattern databases: set NPUZZLE_CACHE, XDG_CACHE_HOME or HOME");
}

/// The name of a table's file in its folder, such as `additive-4x4-cells00ff-blank08.npdb`: the cells of the
/// pattern in hexadecimal, the cell of the blank in decimal.
[[nodiscard]] NPUZZLE_COLD inline std::string table_file_name(const TableShape& shape) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string name = detail::text_of({to_string(shape.kind), "-", shape.n, "x", shape.n, "-cells"});
    for (int digit = (shape.n * shape.n - 1) / 4; digit >= 0; --digit) {
        name += digits[shape.cells >> (4 * digit) & 15U];
    }
    name += "-blank";
    name += digits[static_cast<std::size_t>(shape.blank / 10)];
    name += digits[static_cast<std::size_t>(shape.blank % 10)];
    return name + ".npdb";
}

/// Options for loading a table.
struct LoadOptions {
    TableCheck check = TableCheck::entries;
    /// Copies the entries into memory, on huge pages if there are any, instead of mapping the file. Look-ups
    /// are faster then, and later changes of the file do no harm: if another program truncates a mapped file,
    /// the next look-up ends this program by the signal SIGBUS.
    bool copy = false;
    /// Loads the file even if others than the user and the administrator can write to it or to its folder.
    /// Who can write to a table decides the answers of searches.
    bool trust_others = false;
};

namespace detail {

/// A 64-bit checksum against accidents, not against malice, at about the speed of memory.
///
/// Four lanes take turns with little-endian words of eight bytes: lane = rotate_left(lane xor word, 29) * m,
/// m odd. The last words are padded with zeros. Then the lanes are folded into the number of bytes, each by
/// sum = rotate_left(sum xor lane, 31) * m. Finally the sum is mixed by two shifts and products. Each step is
/// a bijection, so a change within one word is always detected.
NPUZZLE_NOINLINE inline std::uint64_t checksum(std::span<const std::uint8_t> bytes) noexcept {
    constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15;
    std::array<std::uint64_t, 4> lanes{1, 2, 3, 4};
    const auto add = [&](const std::uint8_t* from) {
        for (std::size_t lane = 0; lane < 4; ++lane) {
            std::uint64_t word;
            std::memcpy(&word, from + 8 * lane, sizeof word);
            lanes[lane] = std::rotl(lanes[lane] ^ little_endian(word), 29) * multiplier;
        }
    };
    std::size_t at = 0;
    for (; bytes.size() - at >= 32; at += 32) add(bytes.data() + at);
    std::array<std::uint8_t, 32> rest{};
    std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), rest.begin());
    add(rest.data());
    std::uint64_t sum = bytes.size();
    for (const std::uint64_t lane : lanes) sum = std::rotl(sum ^ lane, 31) * multiplier;
    sum = (sum ^ sum >> 32) * multiplier;
    return sum ^ sum >> 29;
}

/// The header of a file, in words of eight bytes.
using TableHeader = std::array<std::uint64_t, 512>;

inline constexpr std::uint64_t table_magic = 0x0a1a'0a0d'4244'504e; ///< "NPDB\r\n\032\n"
inline constexpr std::uint32_t newest_table_version = 2;

/// The header of a table of this shape, whose values are not known yet.
NPUZZLE_COLD inline TableHeader table_header(const TableShape& shape) {
    const std::uint64_t is_zero_aware = shape.kind == TableKind::zero_aware ? 1 : 0;
    return {table_magic, (1 + is_zero_aware) | std::uint64_t(shape.n) << 32,
            std::uint64_t(shape.kind) | is_zero_aware << 32,
            std::uint64_t(shape.blank) | std::uint64_t{shape.cells} << 32, table_layout(shape).values};
}

[[noreturn]] NPUZZLE_COLD inline void throw_damaged(const std::filesystem::path& file,
                                                    std::initializer_list<TextPiece> what) {
    throw TableFileError(file, text_of({text_of(what), "; remove the file, and it will be built anew"}));
}

[[noreturn]] NPUZZLE_COLD inline void throw_untrusted(const std::filesystem::path& file,
                                                      const std::string& why) {
    throw TableFileError(
        file,
        text_of({why, ", so the table may be anyone's work; if you trust it all the same, set "
                      "LoadOptions::trust_others (npuzzle --trust-tables)"}),
        TableFileError::Kind::untrusted);
}

/// The table that a file's bytes hold, as its header says.
/// \throws TableFileError
NPUZZLE_COLD inline PatternTable table_of(const TableShape& shape, const std::filesystem::path& file,
                                          const FileBytes& contents, bool checks_entries) {
    const std::span<const std::uint8_t> bytes = contents.bytes;
    const std::uint64_t magic = little_endian(table_magic);
    if (bytes.size() < sizeof magic || std::memcmp(bytes.data(), &magic, sizeof magic) != 0) {
        throw_damaged(file,
                      {bytes.empty() ? "is empty" : "is no pattern database: its first bytes are others"});
    }
    TableHeader header;
    if (bytes.size() < sizeof header) {
        throw_damaged(file, {"is truncated within its header, at byte ", bytes.size()});
    }
    std::memcpy(header.data(), bytes.data(), sizeof header);
    std::transform(header.begin(), header.end(), header.begin(), little_endian);
    const TableHeader expected = table_header(shape);
    if (const auto version = static_cast<std::uint32_t>(header[1]); version > newest_table_version) {
        throw TableFileError(
            file,
            text_of(
                {"has format version ", version, ", and this library reads version ", newest_table_version,
                 ": it was written by a newer one, or bytes 8 to 11 are damaged; read it with that one, or "
                 "remove the file, and it will be built anew"}),
            TableFileError::Kind::newer);
    }
    if (header.back() != checksum(bytes.first(sizeof header - 8))) {
        throw_damaged(file, {"is damaged in its header, bytes 0 to 4095: the checksum does not agree"});
    }
    const TableShape found{
        static_cast<int>(header[1] >> 32), static_cast<TableKind>(static_cast<std::uint8_t>(header[2])),
        static_cast<std::uint32_t>(header[3] >> 32), static_cast<int>(static_cast<std::uint32_t>(header[3]))};
    if (found != shape) {
        const bool is_drawn = found.n >= 2 && found.n <= 5 &&
                              (found.kind == TableKind::additive || found.kind == TableKind::zero_aware);
        throw_damaged(file, {"holds the table of another pattern or goal, ",
                             is_drawn ? found.to_string() : "of another size", ", not ", shape.to_string()});
    }
    if (header[1] != expected[1] || header[2] != expected[2] || header[4] != expected[4] || header[6] == 0 ||
        header[6] > 256) {
        throw_damaged(file, {"has a header that no table of ", shape.to_string(), " has"});
    }
    const std::uint64_t size = sizeof header + table_layout(shape).bytes;
    if (bytes.size() != size) {
        throw_damaged(file, {bytes.size() < size ? "is truncated" : "is too long", ": it has ", bytes.size(),
                             " bytes instead of ", size});
    }
    const std::span<const std::uint8_t> entries = bytes.subspan(sizeof header);
    if (checks_entries && checksum(entries) != header[5]) {
        throw_damaged(file, {"is damaged in its entries, from byte 4096 on: the checksum does not agree"});
    }
    return {shape,
            entries,
            contents.owner,
            {header.begin() + 7, header.begin() + 7 + static_cast<std::ptrdiff_t>(header[6])}};
}

} // namespace detail

/// Writes a table to `file`. Creates missing folders, to which only their owner can write. The file appears
/// completely or not at all, whatever crashes or writes the same file. A crash may leave a file `.new-...`.
/// \throws TableFileError if the file cannot be written
NPUZZLE_COLD inline void save_table(const PatternTable& table, const std::filesystem::path& file) {
    detail::TableHeader header = detail::table_header(table.shape());
    header[5] = detail::checksum(table.entries());
    header[6] = table.entries_at_depth().size();
    std::copy(table.entries_at_depth().begin(), table.entries_at_depth().end(), header.begin() + 7);
    std::transform(header.begin(), header.end(), header.begin(), detail::little_endian);
    const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(header.data()),
                                              sizeof header);
    header.back() = detail::little_endian(detail::checksum(bytes.first(sizeof header - 8)));
    try {
        detail::make_folders(file.parent_path());
        detail::replace_file(file, {bytes, table.entries()});
    } catch (const std::system_error& error) {
        throw TableFileError(file, detail::text_of({"cannot be written: ", error.what()}));
    }
}

/// Loads the table of `shape` from `file`. Unless copied, the file is mapped read-only and shared between
/// processes. A mapped file must not be changed in place; `save_table` never does this.
/// \throws TableFileError if the file cannot be read, is damaged, is not to be trusted, or holds another
///     table
[[nodiscard]] NPUZZLE_COLD inline PatternTable
load_table(const TableShape& shape, const std::filesystem::path& file, const LoadOptions& options = {}) {
    try {
        if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file)) {
            throw TableFileError(file, "is not a regular file; remove it, and a table will be built anew");
        }
        std::string distrust;
        const detail::FileBytes contents =
            detail::read_file(file, options.copy, options.trust_others ? nullptr : &distrust);
        if (!distrust.empty()) detail::throw_untrusted(file, distrust);
        return detail::table_of(shape, file, contents, options.check == TableCheck::entries);
    } catch (const std::system_error& error) {
        throw TableFileError(file, detail::text_of({"cannot be read: ", error.what()}));
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
    /// Called if a table that was built cannot be saved, and is used nevertheless. If empty, this is an
    /// error.
    std::function<void(const TableFileError&)> save_failed = {};

    /// The path of a table's file.
    [[nodiscard]] NPUZZLE_COLD std::filesystem::path file(const TableShape& shape) const {
        return (folder.empty() ? cache_folder() : folder) / table_file_name(shape);
    }

    /// Whether there is a file for each table of a partition. Does not read the files.
    [[nodiscard]] NPUZZLE_COLD bool holds(const Partition& partition,
                                          TableKind kind = TableKind::additive) const {
        const std::vector<TableShape> shapes = table_shapes(partition, kind);
        return std::all_of(shapes.begin(), shapes.end(), [&](const TableShape& shape) {
            std::error_code ignored;
            return std::filesystem::is_regular_file(file(shape), ignored);
        });
    }
};

/// Loads the table of a shape if its file exists. Otherwise builds and saves it. Several processes may do
/// this at the same time.
/// \return the table, or nothing if the build was stopped
/// \throws TableFileError if the file exists but is not valid, or cannot be written; before the build if its
///     folder is not to be trusted or cannot be made
[[nodiscard]] NPUZZLE_COLD inline std::optional<PatternTable>
load_or_build_table(const TableShape& shape, const TableStore& store = {}) {
    const std::filesystem::path file = store.file(shape);
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
        try {
            return load_table(shape, file, store.load);
        } catch (const TableFileError& error) {
            const bool may_be_replaced = store.replace_damaged &&
                                         error.kind() == TableFileError::Kind::damaged &&
                                         !std::filesystem::is_directory(file, ignored);
            if (!may_be_replaced) throw;
        }
    }
    bool is_saved = store.save;
    const auto when_saved = [&](const auto& work) {
        if (!is_saved) return;
        try {
            work();
        } catch (const TableFileError& error) {
            if (!store.save_failed) throw;
            store.save_failed(error);
            is_saved = false;
        }
    };
    when_saved([&] {
        try {
            detail::make_folders(file.parent_path());
        } catch (const std::system_error& error) {
            throw TableFileError(file, detail::text_of({"cannot be written: ", error.what()}));
        }
        if (const std::string why = detail::distrust_of_folder(file);
            !store.load.trust_others && !why.empty()) {
            detail::throw_untrusted(file, why);
        }
    });
    std::optional<PatternTable> table = build_table(shape, store.build);
    if (table) when_saved([&] { save_table(*table, file); });
    return table;
}

/// The same for the tables of a partition, as `build_tables`.
template <TableKind kind = TableKind::additive>
[[nodiscard]] NPUZZLE_COLD std::optional<std::vector<PatternTable>>
load_or_build_tables(const Partition& partition, const TableStore& store = {}) {
    return detail::tables_of(partition, kind,
                             [&](const TableShape& shape) { return load_or_build_table(shape, store); });
}

} // namespace npuzzle

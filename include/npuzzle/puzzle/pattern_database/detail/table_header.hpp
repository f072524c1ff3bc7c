#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/detail/checksum.hpp"
#include "npuzzle/puzzle/pattern_database/detail/table_io.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/puzzle/pattern_database/table_file_error.hpp"
#include "npuzzle/puzzle/pattern_database/verify.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The header of a table's file, and what is looked for in a file. "file.hpp" describes the format.

namespace npuzzle::detail {

inline constexpr std::size_t table_header_size = 4096;
/// The newest format, and the format of each kind.
inline constexpr std::uint32_t table_format_version = 2;

[[nodiscard]] constexpr std::uint32_t format_version_of(TableKind kind) noexcept {
    return kind == TableKind::zero_aware ? 2 : 1;
}

inline constexpr std::array<std::uint8_t, 8> table_magic{'N', 'P', 'D', 'B', '\r', '\n', 26, '\n'};
inline constexpr std::size_t max_depths = 256;

inline constexpr std::string_view table_advice = "; remove the file, and it will be built anew";

using TableHeader = std::array<std::uint8_t, table_header_size>;

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
    const TableKind kind = table.shape().kind;
    put(header, 8, 4, format_version_of(kind));
    put(header, 12, 4, static_cast<std::uint64_t>(table.shape().n));
    put(header, 16, 4, static_cast<std::uint64_t>(kind));
    put(header, 20, 4, kind == TableKind::zero_aware ? 1 : 0);
    put(header, 24, 4, static_cast<std::uint64_t>(table.shape().blank));
    put(header, 28, 4, table.shape().cells);
    put(header, 32, 8, table_layout(table.shape()).values);
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
    const std::uint32_t kind_number = read_u32(header + 16);
    const auto kind = static_cast<TableKind>(kind_number);
    const std::uint32_t encoding = read_u32(header + 20);
    if (kind_number > 2 || version != format_version_of(kind) ||
        encoding != (kind == TableKind::zero_aware ? 1U : 0U)) {
        throw_damaged(file, {"has format version ", number_text(version), ", kind ", number_text(kind_number),
                             " and encoding ", number_text(encoding), ", which this library does not read"});
    }
    const TableShape found{static_cast<int>(read_u32(header + 12)), kind, read_u32(header + 28),
                           static_cast<int>(read_u32(header + 24))};
    if (found != shape) {
        const bool is_drawn = found.n >= 2 && found.n <= 5;
        throw_damaged(file, {"holds the table of another pattern or goal, ",
                             is_drawn ? found.to_string() : "of another size", ", not ", shape.to_string()});
    }
    const TableLayout layout = table_layout(shape);
    const std::uint64_t depths = read_u64(header + 48);
    if (read_u64(header + 32) != layout.values || depths > max_depths) {
        throw_damaged(file, {"has ", number_text(read_u64(header + 32)), " entries at ", number_text(depths),
                             " depths by its header; the pattern has ", number_text(layout.values)});
    }
    const std::uint64_t size = table_header_size + layout.bytes;
    if (bytes.size() != size) {
        throw_damaged(file, {bytes.size() < size ? "is truncated" : "is too long", ": it has ",
                             number_text(bytes.size()), " bytes instead of ", number_text(size)});
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
/// \param is_sample whether a sample of them is enough
NPUZZLE_COLD inline void check_entries(const PatternTable& table, const std::filesystem::path& file,
                                       const FileBytes& contents, bool is_sample) {
    if (checksum(table.entries().data(), table.entries().size()) != read_u64(contents.bytes.data() + 40)) {
        throw_damaged(file, {"is damaged in its entries, from byte 4096 on: the checksum does not agree"});
    }
    if (const auto wrong = contradictory_entry(table, is_sample ? 32 : 4096)) {
        throw_damaged(file, {"is not the table of ", table.shape().to_string(), ": its entry at byte ",
                             number_text(table_header_size + *wrong), ", ",
                             number_text(table.entries()[*wrong]), ", contradicts those one move away"});
    }
    if (!is_sample && !has_counted_entries(table)) {
        throw_damaged(file, {"is not the table of ", table.shape().to_string(),
                             ": its entries are not distributed as its header says"});
    }
}

/// Throws TableFileError unless all entries equal the table that was just built.
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

} // namespace npuzzle::detail

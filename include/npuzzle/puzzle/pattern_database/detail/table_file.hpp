#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/detail/cells.hpp"
#include "npuzzle/puzzle/pattern_database/detail/file_bytes.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/puzzle/pattern_database/table_file_error.hpp"

#include <algorithm>
#include <array>
#include <bit>
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
/// The header of a table's file. "file.hpp" describes the format.

namespace npuzzle::detail {

/// A 64-bit checksum against accidents, not against malice. It runs at about the speed of memory.
///
/// Four lanes take turns with words of eight bytes, little-endian: lane = rotate_left(lane xor word, 29) * m,
/// m odd. The last words are padded with zeros. Then the lanes are folded into the number of bytes one after
/// the other, each by sum = rotate_left(sum xor lane, 31) * m. Finally the sum is mixed by two shifts and
/// products. Each step is a bijection, so a change that is confined to one word is always detected.
[[nodiscard]] NPUZZLE_NOINLINE inline std::uint64_t checksum(std::span<const std::uint8_t> bytes) noexcept {
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
    for (; bytes.size() - at >= 32; at += 32) {
        add(bytes.data() + at);
    }
    std::array<std::uint8_t, 32> rest{};
    std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), rest.begin());
    add(rest.data());
    std::uint64_t sum = bytes.size();
    for (const std::uint64_t lane : lanes) {
        sum = std::rotl(sum ^ lane, 31) * multiplier;
    }
    sum = (sum ^ sum >> 32) * multiplier;
    return sum ^ sum >> 29;
}

/// The header of a file, in words of eight bytes.
class TableHeader {
public:
    static constexpr std::size_t size = 4096;
    static constexpr std::uint64_t magic = 0x0a1a'0a0d'4244'504e; ///< "NPDB\r\n\032\n"
    static constexpr std::uint64_t max_depths = 256;
    static constexpr std::uint32_t newest_version = 2;

    /// Of a table of this shape, whose values are not known yet.
    NPUZZLE_COLD explicit TableHeader(const TableShape& shape) {
        const std::uint64_t is_zero_aware = shape.kind == TableKind::zero_aware ? 1 : 0;
        words_[0] = magic;
        words_[1] = (1 + is_zero_aware) | std::uint64_t(shape.n) << 32;
        words_[2] = std::uint64_t(shape.kind) | is_zero_aware << 32;
        words_[3] = std::uint64_t(shape.blank) | std::uint64_t{shape.cells} << 32;
        words_[4] = table_layout(shape).values;
    }

    /// Of a table.
    NPUZZLE_COLD explicit TableHeader(const PatternTable& table) : TableHeader(table.shape()) {
        words_[5] = checksum(table.entries());
        words_[6] = table.entries_at_depth().size();
        std::copy(table.entries_at_depth().begin(), table.entries_at_depth().end(), words_.begin() + 7);
        std::transform(words_.begin(), words_.end(), words_.begin(), little_endian);
        words_.back() = little_endian(checksum(bytes().first(size - 8)));
    }

    /// As it is in a file, of `size` bytes or more.
    explicit TableHeader(std::span<const std::uint8_t> bytes) {
        std::memcpy(words_.data(), bytes.data(), size);
        std::transform(words_.begin(), words_.end(), words_.begin(), little_endian);
    }

    [[nodiscard]] std::uint64_t operator[](std::size_t word) const { return words_[word]; }

    [[nodiscard]] std::span<const std::uint8_t> bytes() const {
        return {reinterpret_cast<const std::uint8_t*>(words_.data()), size};
    }

    [[nodiscard]] std::uint32_t version() const { return static_cast<std::uint32_t>(words_[1]); }

    [[nodiscard]] TableShape shape() const {
        return {static_cast<int>(words_[1] >> 32),
                static_cast<TableKind>(static_cast<std::uint8_t>(words_[2])),
                static_cast<std::uint32_t>(words_[3] >> 32),
                static_cast<int>(static_cast<std::uint32_t>(words_[3]))};
    }

    [[nodiscard]] std::vector<std::uint64_t> entries_at_depth() const {
        return {words_.begin() + 7, words_.begin() + 7 + static_cast<std::ptrdiff_t>(words_[6])};
    }

private:
    std::array<std::uint64_t, size / 8> words_{};
};

[[noreturn]] NPUZZLE_COLD inline void throw_damaged(const std::filesystem::path& file,
                                                    std::initializer_list<std::string_view> what) {
    throw TableFileError(file, text_of({text_of(what), "; remove the file, and it will be built anew"}));
}

/// The table that a file's bytes hold, as its header says. Throws TableFileError.
[[nodiscard]] NPUZZLE_COLD inline PatternTable
table_of(const TableShape& shape, const std::filesystem::path& file, const FileBytes& contents) {
    const std::span<const std::uint8_t> bytes = contents.bytes;
    const std::uint64_t magic = little_endian(TableHeader::magic);
    if (bytes.size() < sizeof magic || std::memcmp(bytes.data(), &magic, sizeof magic) != 0) {
        throw_damaged(file,
                      {bytes.empty() ? "is empty" : "is no pattern database: its first bytes are others"});
    }
    if (bytes.size() < TableHeader::size) {
        throw_damaged(file, {"is truncated within its header, at byte ", number_text(bytes.size())});
    }
    const TableHeader header(bytes);
    const TableHeader expected(shape);
    if (header.version() > TableHeader::newest_version) {
        throw TableFileError(
            file,
            text_of(
                {"has format version ", number_text(header.version()), ", and this library reads version ",
                 number_text(TableHeader::newest_version),
                 ": it was written by a newer one, or bytes 8 to 11 are damaged; read it with that one, or "
                 "remove the file, and it will be built anew"}),
            TableFileError::Kind::newer);
    }
    if (header[TableHeader::size / 8 - 1] != checksum(bytes.first(TableHeader::size - 8))) {
        throw_damaged(file, {"is damaged in its header, bytes 0 to 4095: the checksum does not agree"});
    }
    if (const TableShape found = header.shape(); found != shape) {
        const bool is_drawn = found.n >= 2 && found.n <= 5 &&
                              (found.kind == TableKind::additive || found.kind == TableKind::zero_aware);
        throw_damaged(file, {"holds the table of another pattern or goal, ",
                             is_drawn ? found.to_string() : "of another size", ", not ", shape.to_string()});
    }
    if (header[1] != expected[1] || header[2] != expected[2] || header[4] != expected[4] || header[6] == 0 ||
        header[6] > TableHeader::max_depths) {
        throw_damaged(file, {"has a header that no table of ", shape.to_string(), " has"});
    }
    const std::uint64_t size = TableHeader::size + table_layout(shape).bytes;
    if (bytes.size() != size) {
        throw_damaged(file, {bytes.size() < size ? "is truncated" : "is too long", ": it has ",
                             number_text(bytes.size()), " bytes instead of ", number_text(size)});
    }
    return PatternTable(shape, bytes.subspan(TableHeader::size), contents.owner, header.entries_at_depth());
}

} // namespace npuzzle::detail

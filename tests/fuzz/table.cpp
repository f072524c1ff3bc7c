/// @file
/// Fuzzes the reading of table files: whole files, and valid files with some bytes changed, with and without
/// checksums that agree. A file is refused by an error that names it, or gives a table that can be used.
#include <npuzzle/puzzle/board.hpp>
#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/pattern_database/build.hpp>
#include <npuzzle/puzzle/pattern_database/file.hpp>

#include "support.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using npuzzle::TableKind;
using npuzzle::TableShape;

/// A table that was built, and its file.
struct Original {
    npuzzle::PatternTable table;
    std::vector<std::uint8_t> bytes;
};

/// A folder of our own. TMPDIR says where; in memory it is fastest.
const std::filesystem::path& folder() {
    static const std::filesystem::path made = [] {
        // The system puts other letters in place of the last six.
        std::string name = (std::filesystem::temp_directory_path() / "npuzzle-fuzz-").string();
        name.append(6, 'X');
        fuzz::require(mkdtemp(name.data()) != nullptr, "a folder can be made");
        std::atexit([] { std::filesystem::remove_all(folder()); });
        return std::filesystem::path(name);
    }();
    return made;
}

void write(const std::filesystem::path& file, const std::vector<std::uint8_t>& bytes) {
    // Truncates and writes in place: nothing maps the file any more.
    const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    fuzz::require(descriptor >= 0, "a file can be opened");
    fuzz::require(::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
                  "a file can be written");
    close(descriptor);
}

std::vector<std::uint8_t> read(const std::filesystem::path& file) {
    std::vector<std::uint8_t> bytes(std::filesystem::file_size(file));
    const int descriptor = open(file.c_str(), O_RDONLY);
    fuzz::require(::read(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
                  "a file can be read");
    close(descriptor);
    return bytes;
}

const std::vector<Original>& originals() {
    static const std::vector<Original> built = [] {
        std::vector<Original> all;
        for (const TableShape& shape :
             {TableShape{3, TableKind::additive, 0b11, 8}, TableShape{2, TableKind::additive, 0b110, 3},
              TableShape{3, TableKind::zero_aware, 0b1011, 8}}) {
            // A shape as the library names it, so that its file is found by its name, too.
            const TableShape normal =
                npuzzle::normalized_shape(npuzzle::Pattern(shape.n, shape.cells), shape.blank, shape.kind)
                    .shape;
            auto table = npuzzle::build_table(normal);
            const std::filesystem::path file = folder() / "original";
            npuzzle::save_table(*table, file);
            all.push_back({*std::move(table), read(file)});
        }
        return all;
    }();
    return built;
}

void put_u64(std::vector<std::uint8_t>& bytes, std::size_t at, std::uint64_t value) {
    for (std::size_t i = 0; i < 8; ++i) {
        bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

/// Gives a file the checksums that its content has.
void sign(std::vector<std::uint8_t>& bytes, bool entries) {
    constexpr std::size_t header = sizeof(npuzzle::detail::TableHeader);
    if (bytes.size() < header) {
        return;
    }
    if (entries) {
        put_u64(bytes, 40, npuzzle::detail::checksum(std::span(bytes).subspan(header)));
    }
    put_u64(bytes, header - 8, npuzzle::detail::checksum(std::span(bytes).first(header - 8)));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size);
    const std::uint8_t options = bytes.next();
    const Original& original = originals()[static_cast<std::size_t>(bytes.below(3))];
    std::vector<std::uint8_t> content;
    if ((options & 1) != 0) {
        content.assign(bytes.rest().begin(), bytes.rest().end());
    } else {
        content = original.bytes;
        const std::size_t length = bytes.next();
        content.resize(length < 128 ? content.size() + length : content.size() * (256 - length) / 128);
        while (!bytes.empty() && !content.empty()) {
            const std::size_t at = bytes.next() + 256U * bytes.next();
            content[at % content.size()] = bytes.next();
        }
    }
    if ((options & 2) != 0) {
        sign(content, (options & 4) != 0);
    }
    const std::filesystem::path file = folder() / "table";
    write(file, content);

    const TableShape& shape = original.table.shape();
    const auto check = static_cast<npuzzle::TableCheck>(options >> 3 & 1);
    try {
        const npuzzle::PatternTable table =
            npuzzle::load_table(shape, file, {.check = check, .copy = (options & 32) != 0});
        fuzz::require(table.shape() == shape, "the shape is the one asked for");
        fuzz::require(table.entries().size() == original.table.entries().size(), "no entry is missing");
        fuzz::require(std::equal(table.entries().begin(), table.entries().end(),
                                 content.begin() + sizeof(npuzzle::detail::TableHeader)),
                      "the entries are those of the file");
        fuzz::require(table.entries_at_depth().size() <= 256, "there are at most 256 depths");
        if (content == original.bytes) {
            fuzz::require(table.entries_at_depth() == original.table.entries_at_depth(),
                          "an unchanged file is the table that was built");
        }
    } catch (const npuzzle::TableFileError& error) {
        fuzz::require(std::string_view(error.what()).find(file.string()) != std::string_view::npos,
                      "the message names the file");
        fuzz::require(content != original.bytes, "an unchanged file is read");
    }
    return 0;
}

#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/build_options.hpp"
#include "npuzzle/puzzle/pattern_database/detail/checksum.hpp"
#include "npuzzle/puzzle/pattern_database/detail/region_build.hpp"
#include "npuzzle/puzzle/pattern_database/detail/table_header.hpp"
#include "npuzzle/puzzle/pattern_database/detail/table_io.hpp"
#include "npuzzle/puzzle/pattern_database/file.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"
#include "npuzzle/puzzle/pattern_database/table_file_error.hpp"
#include "npuzzle/search/core/limits.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// \file
/// Keeps unfinished builds of tables in files.

namespace npuzzle {

namespace detail {

/// Writes the pieces over a file, and gives it another name when they are on the disk. Throws
/// std::system_error.
/// \param is_damaged set while the file has neither its old content nor the new one
NPUZZLE_COLD inline void turn_file(const std::filesystem::path& from, FilePieces pieces,
                                   const std::filesystem::path& to, bool& is_damaged) {
#ifdef MAP_SHARED
    const FileDescriptor out(::open(from.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
    struct stat opened = {};
    if (out.number() < 0 || ::fstat(out.number(), &opened) != 0) {
        throw_system_error(errno, "opening");
    }
    if (!S_ISREG(opened.st_mode) || opened.st_nlink != 1) {
        throw_system_error(EINVAL, "opening");
    }
    is_damaged = true;
    std::size_t size = 0;
    for (const std::span<const std::uint8_t> piece : pieces) {
        write_all(out.number(), piece);
        size += piece.size();
    }
    if (::ftruncate(out.number(), static_cast<off_t>(size)) != 0 || ::fsync(out.number()) != 0) {
        throw_system_error(errno, "writing to the disk");
    }
    // Another process may have saved its own build there in the meantime.
    struct stat named = {};
    if (::lstat(from.c_str(), &named) != 0 || named.st_dev != opened.st_dev ||
        named.st_ino != opened.st_ino) {
        is_damaged = false;
        throw_system_error(ENOENT, "renaming");
    }
    if (std::rename(from.c_str(), to.c_str()) != 0) {
        throw_system_error(errno, "renaming");
    }
    sync_folder_of(to.native());
#else
    is_damaged = true;
    std::filesystem::remove(from);
    replace_file(to, pieces);
#endif
}

} // namespace detail

/// A file that keeps the state of an unfinished build of an additive or zero-aware table:
/// \code
/// npuzzle::BuildCheckpointFile checkpoint(store.file(shape) += ".checkpoint");
/// store.build.checkpoint = &checkpoint;
/// if (npuzzle::load_or_build_table(shape, store)) {
///     checkpoint.remove();
/// }
/// \endcode
/// It is as large as the memory of the build, and has a checksum. Each time a new file is written beside the
/// old one, and takes its name when it is on the disk: a crash leaves the old one or the new one. It can
/// be read by machines of the same byte order.
class BuildCheckpointFile final : public BuildCheckpoint {
public:
    /// \param every the time between two saves, at least; 0: always. A stop that ends the build saves it, too.
    /// \param trusts_others goes on also from a file that others can write to, as `LoadOptions::trust_others`
    explicit BuildCheckpointFile(std::filesystem::path file, TimeLimit every = std::chrono::minutes{1},
                                 bool trusts_others = false)
        : file_(std::move(file)), every_(every), trusts_others_(trusts_others) {}

    /// Called if it cannot be saved; the build goes on nevertheless. If empty, this is an error.
    std::function<void(const TableFileError&)> save_failed = {};

    /// The path of the file.
    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }

    /// Whether this object has saved the state of the build.
    [[nodiscard]] bool is_saved() const noexcept { return is_saved_; }

    /// Removes the file, if it is there, after the table is built.
    NPUZZLE_COLD void remove() const {
        std::error_code ignored;
        std::filesystem::remove(file_, ignored);
    }

    /// \throws TableFileError if the file cannot be read, is damaged, of another table or another version of
    ///     the library, or is not to be trusted
    NPUZZLE_COLD bool load(const TableShape& shape, std::span<const std::span<std::uint8_t>> state) override {
        last_ = Clock::now();
        std::error_code ignored;
        if (!std::filesystem::exists(file_, ignored)) {
            return false;
        }
        try {
            detail::InputFile in(file_);
            detail::require_trusted(in, file_, trusts_others_);
            fill(shape, state, in.bytes(false));
        } catch (const std::system_error& error) {
            throw TableFileError(file_, detail::text_of({"cannot be read: ", error.what()}));
        }
        is_own_ = true;
        return true;
    }

    /// Saves take at most a tenth of the time: saves of a large table are less frequent.
    bool is_due() override {
        const Clock::duration least = every_.count() == 0 ? Clock::duration{0} : 9 * save_;
        return Clock::now() - last_ >= std::max<Clock::duration>(every_, least);
    }

    /// \throws TableFileError if the file cannot be written, and `save_failed` is empty
    NPUZZLE_COLD void save(const TableShape& shape, std::span<const std::span<std::uint8_t>> state) override {
        const Clock::time_point started = Clock::now();
        try {
            std::vector<std::span<const std::uint8_t>> pieces(1);
            pieces.insert(pieces.end(), state.begin(), state.end());
            const Header header = header_of(shape, std::span(pieces).subspan(1));
            pieces[0] = {reinterpret_cast<const std::uint8_t*>(header.data()), sizeof header};
            detail::require_folder_of(file_);
            detail::replace_file(file_, pieces);
            is_saved_ = true;
            is_own_ = true;
        } catch (const std::system_error& error) {
            const TableFileError failure(file_, detail::text_of({"cannot be written: ", error.what()}));
            if (!save_failed) {
                throw failure;
            }
            save_failed(failure);
        }
        last_ = Clock::now();
        save_ = last_ - started;
    }

    /// Writes the table over what this object has saved or loaded, and gives the file the name of the
    /// table's: so it needs no more room on the disk, unless the file system writes to a new place. If that
    /// fails, the file is removed; if the process ends before, it is one that is refused. The file keeps its
    /// permissions. Linear in the size of the table.
    NPUZZLE_COLD bool keep(const PatternTable& table, const std::filesystem::path& file) override {
        const detail::TableHeader header = detail::header_of(table);
        const std::array<std::span<const std::uint8_t>, 2> pieces{header, table.entries()};
        std::error_code error;
        const std::uintmax_t room = is_own_ ? std::filesystem::file_size(file_, error) : 0;
        if (error || room < header.size() + table.entries().size()) {
            return false;
        }
        bool is_damaged = false;
        try {
            detail::turn_file(file_, pieces, file, is_damaged);
        } catch (const std::system_error&) {
            if (is_damaged) {
                remove();
            }
            return false;
        }
        return true;
    }

    /// How far the build in the file is, without times; nothing if it cannot be read or is no checkpoint.
    /// Looks at its first bytes alone, and not at the checksum of the others.
    [[nodiscard]] NPUZZLE_COLD std::optional<BuildProgress> progress() const {
        try {
            detail::InputFile in(file_);
            const detail::FileBytes contents = in.is_regular() ? in.bytes(false) : detail::FileBytes{};
            Header header{};
            detail::RegionBuildState state;
            if (contents.bytes.size() < sizeof header + sizeof state) {
                return std::nullopt;
            }
            std::memcpy(header.data(), contents.bytes.data(), sizeof header);
            std::memcpy(&state, contents.bytes.data() + sizeof header, sizeof state);
            if (header[0] != mark || header[7] != checksum_of(std::span(header).first(7))) {
                return std::nullopt;
            }
            BuildProgress progress;
            progress.shape = {static_cast<int>(header[1] >> 32), static_cast<TableKind>(header[1] & 255),
                              static_cast<std::uint32_t>(header[2]), static_cast<int>(header[3])};
            progress.entries = table_layout(progress.shape).values;
            progress.entries_done = (std::min)(state.done + state.found, progress.entries);
            progress.depth =
                static_cast<int>(std::min<std::uint64_t>(state.depths, state.at_depth.size())) - 1;
            return progress;
        } catch (const std::exception&) {
            return std::nullopt;
        }
    }

private:
    using Clock = std::chrono::steady_clock;

    /// A mark that also tells the byte order and the version; n and the kind, the cells, the blank; the bytes
    /// of the state, the number of its sequences, their checksum; the checksum of these words.
    using Header = std::array<std::uint64_t, 8>;
    static constexpr std::uint64_t mark = 0x4e50'4442'6370'0001;

    static Header header_of(const TableShape& shape, detail::FilePieces state) {
        Header header{mark,
                      static_cast<std::uint64_t>(shape.n) << 32 | static_cast<std::uint64_t>(shape.kind),
                      shape.cells, static_cast<std::uint64_t>(shape.blank)};
        std::vector<std::uint64_t> sums;
        for (const std::span<const std::uint8_t> piece : state) {
            header[4] += piece.size();
            sums.push_back(detail::checksum(piece.data(), piece.size()));
        }
        header[5] = state.size();
        header[6] = checksum_of(sums);
        header[7] = checksum_of(std::span(header).first(7));
        return header;
    }

    static std::uint64_t checksum_of(std::span<const std::uint64_t> words) {
        return detail::checksum(reinterpret_cast<const std::uint8_t*>(words.data()), words.size_bytes());
    }

    [[noreturn]] void refuse(std::string_view why) const {
        throw TableFileError(file_, detail::text_of({"is no checkpoint to go on from: ", why,
                                                     "; remove the file, and the build begins anew"}));
    }

    void fill(const TableShape& shape, std::span<const std::span<std::uint8_t>> state,
              const detail::FileBytes& contents) const {
        Header header{};
        if (contents.bytes.size() < sizeof header) {
            refuse("it is truncated");
        }
        std::memcpy(header.data(), contents.bytes.data(), sizeof header);
        if (header[0] != mark) {
            refuse("its first bytes are others, or of another version or another kind of machine");
        }
        if (header[7] != checksum_of(std::span(header).first(7))) {
            refuse("its header is damaged");
        }
        std::vector<std::span<const std::uint8_t>> pieces;
        std::size_t at = sizeof header;
        for (const std::span<std::uint8_t> piece : state) {
            if (contents.bytes.size() - at < piece.size()) {
                break;
            }
            pieces.push_back(contents.bytes.subspan(at, piece.size()));
            at += piece.size();
        }
        const Header expected = header_of(shape, pieces);
        if (!std::equal(header.begin() + 1, header.begin() + 4, expected.begin() + 1)) {
            refuse(detail::text_of({"it is of another table, not of ", shape.to_string()}));
        }
        if (pieces.size() != state.size() || at != contents.bytes.size()) {
            refuse("it is truncated or too long");
        }
        if (header != expected) {
            refuse("its checksum does not agree");
        }
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            std::memcpy(state[i].data(), pieces[i].data(), pieces[i].size());
        }
    }

    std::filesystem::path file_;
    std::chrono::nanoseconds every_;
    bool trusts_others_;
    bool is_saved_ = false;
    bool is_own_ = false; ///< what is in the file is of this build
    Clock::time_point last_;
    Clock::duration save_{0}; ///< what the last save took
};

} // namespace npuzzle

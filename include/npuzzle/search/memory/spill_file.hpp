#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/search/memory/budget_allocator.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#if defined(_WIN32)
#include <io.h>
#include <sys/stat.h>
#else
#include <unistd.h>
#endif

namespace npuzzle::detail {

/// A file of blocks of equal size, for what does not fit in memory, in a folder of the user's choice. It has
/// no name there, and on Windows the system deletes it when it is closed: however the process ends, its room
/// is given back. Blocks are read and written and never mapped, so a full disk is an error of a call, and no
/// signal.
class SpillFile {
public:
    using Number = std::uint32_t; ///< of a block

    /// \param folder where the file is to be; empty for the folder of temporary files
    /// \param block_bytes a multiple of 4096
    /// \param max_bytes what the file may hold
    /// \param budget for the list of blocks that are not in use
    /// \throws std::runtime_error, which names the folder and says why, if no file can be made there
    SpillFile(std::string folder, std::size_t block_bytes, std::uint64_t max_bytes, MemoryBudget& budget)
        : folder_(folder.empty() ? temporary_folder() : std::move(folder)), block_bytes_(block_bytes),
          max_blocks_(std::min<std::uint64_t>(max_bytes / block_bytes, (std::numeric_limits<Number>::max)())),
          free_(BudgetAllocator<Number>(budget)) {
        open();
    }
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;
    ~SpillFile() { close(); }

    [[nodiscard]] std::size_t block_bytes() const noexcept { return block_bytes_; }
    /// Of all blocks that were in use at one time.
    [[nodiscard]] std::uint64_t peak_bytes() const noexcept { return peak_blocks_ * block_bytes_; }

    /// Writes the first `bytes` of a block that is not in use, and returns its number: the one given back
    /// last, if there is one. Throws `std::bad_alloc` if the file may not grow or the disk is full, and
    /// std::runtime_error, which names the folder, if the system cannot write; the block is not in use then.
    [[nodiscard]] Number write(const char* data, std::size_t bytes) {
        const bool is_new = free_.empty();
        if (is_new && end_ >= max_blocks_) throw std::bad_alloc();
        if (free_.capacity() <= end_) {
            free_.reserve(2 * static_cast<std::size_t>(end_) + 64); // so that `give_back` never needs memory
        }
        const Number number = is_new ? static_cast<Number>(end_) : free_.back();
        transfer(number, data, bytes);
        is_new ? static_cast<void>(++end_) : free_.pop_back();
        peak_blocks_ = std::max<std::uint64_t>(peak_blocks_, end_ - free_.size());
        return number;
    }

    /// Reads the first `bytes` of a block. \throws std::runtime_error, which names the folder
    void read(Number number, char* data, std::size_t bytes) const { transfer(number, data, bytes); }

    /// Announces that a block will be read.
    void expect([[maybe_unused]] Number number) const noexcept {
#if defined(POSIX_FADV_WILLNEED)
        static_cast<void>(::posix_fadvise(file_, static_cast<off_t>(number * std::uint64_t{block_bytes_}),
                                          static_cast<off_t>(block_bytes_), POSIX_FADV_WILLNEED));
#endif
    }

    void give_back(Number number) noexcept { free_.push_back(number); }

private:
    [[noreturn]] NPUZZLE_COLD void fail(const char* what, int error) const {
        throw std::runtime_error("a file for what does not fit in memory " + std::string(what) + " " +
                                 folder_ + ": " + std::strerror(error));
    }

    /// \tparam Char constant if the bytes are to be written
    template <class Char>
    void transfer(Number number, Char* data, std::size_t bytes) const {
        for (std::size_t done = 0; done < bytes;) {
            const auto place = static_cast<std::int64_t>(std::uint64_t{number} * block_bytes_ + done);
            const std::int64_t count = transfer_some(data + done, bytes - done, place);
            if (count > 0) {
                done += static_cast<std::size_t>(count);
            } else if (count == 0) {
                fail("is shorter than it was in", EIO);
#if defined(EDQUOT)
            } else if (errno == EDQUOT) {
                throw std::bad_alloc();
#endif
            } else if (errno == ENOSPC || errno == EFBIG) {
                throw std::bad_alloc();
            } else if (errno != EINTR) {
                fail("cannot be read or written in", errno);
            }
        }
    }

    static std::string folder_or(const char* variable, const char* otherwise) {
        const char* const folder = std::getenv(variable); // NOLINT(concurrency-mt-unsafe)
        return folder != nullptr && *folder != '\0' ? folder : otherwise;
    }

#if defined(_WIN32)
    static std::string temporary_folder() { return folder_or("TMP", "."); }
    NPUZZLE_COLD void open() {
        // The name need only be free: an address differs from those of the files of this process.
        for (std::uint64_t attempt = reinterpret_cast<std::uintptr_t>(this), last = attempt + 1000;;
             ++attempt) {
            const std::string name = folder_ + "/npuzzle-" + std::to_string(attempt);
            file_ =
                ::_open(name.c_str(),
                        _O_RDWR | _O_CREAT | _O_EXCL | _O_TEMPORARY | _O_BINARY | _O_NOINHERIT | _O_RANDOM,
                        _S_IREAD | _S_IWRITE);
            if (file_ >= 0) return;
            if (errno != EEXIST || attempt == last) fail("cannot be made in", errno);
        }
    }
    void close() noexcept { ::_close(file_); }

    std::int64_t transfer_some(const char* data, std::size_t bytes, std::int64_t place) const {
        return ::_lseeki64(file_, place, SEEK_SET) < 0 ? -1
                                                       : ::_write(file_, data, static_cast<unsigned>(bytes));
    }
    std::int64_t transfer_some(char* data, std::size_t bytes, std::int64_t place) const {
        return ::_lseeki64(file_, place, SEEK_SET) < 0 ? -1
                                                       : ::_read(file_, data, static_cast<unsigned>(bytes));
    }
#else
    static std::string temporary_folder() { return folder_or("TMPDIR", "/tmp"); }

    NPUZZLE_COLD void open() {
        std::string name = folder_ + "/npuzzle-" + std::string(6, 'X'); // which mkstemp replaces
        file_ = ::mkstemp(name.data());
        if (file_ < 0) fail("cannot be made in", errno);
        ::unlink(name.c_str());
        ::fcntl(file_, F_SETFD, FD_CLOEXEC);
    }
    void close() noexcept { ::close(file_); }

    std::int64_t transfer_some(const char* data, std::size_t bytes, std::int64_t place) const {
        return ::pwrite(file_, data, bytes, static_cast<off_t>(place));
    }
    std::int64_t transfer_some(char* data, std::size_t bytes, std::int64_t place) const {
        return ::pread(file_, data, bytes, static_cast<off_t>(place));
    }
#endif

    std::string folder_;
    std::size_t block_bytes_;
    std::uint64_t max_blocks_;
    std::uint64_t end_ = 0; // of the blocks that were ever in use
    std::uint64_t peak_blocks_ = 0;
    std::vector<Number, BudgetAllocator<Number>> free_;
    int file_ = -1;
};

} // namespace npuzzle::detail

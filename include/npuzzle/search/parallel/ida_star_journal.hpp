#pragma once

#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/parallel/parallel_ida_star.hpp"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#if defined(_WIN32)
#include <io.h>
#include <share.h>
#elif __has_include(<unistd.h>)
#include <sys/file.h>
#include <unistd.h>
#endif

namespace npuzzle {

/// A file that keeps the finished units of a `parallel_ida_star`, a `distributed_ida_star`, or an `ida_star`
/// with a journal. A search that is killed goes on where it was, by any of them, with any number of threads,
/// and returns what it would have returned:
/// \code
/// npuzzle::IdaStarJournal journal("board.journal", "15-puzzle, blank first, 7-8, tables 1f3a9c");
/// npuzzle::parallel_ida_star(puzzle, board, heuristic, {.journal = &journal});
/// \endcode
///
/// Each unit is a record with a checksum, written when the unit is finished: if the process is killed, each
/// thread loses the unit that it is in. The file is synced ten times a second, which is what a power failure
/// may lose. A last record that was cut off is dropped. The file stays when the search ends.
///
/// One search at a time uses it. It cannot be copied.
class IdaStarJournal final : public UnitJournal {
public:
    /// \param key what the search cannot know of itself: the problem, the heuristic, the checksums of its
    ///        tables. The start, its estimate and the division are added.
    IdaStarJournal(std::string path, std::string key) : path_(std::move(path)), key_(std::move(key)) {}
    IdaStarJournal(const IdaStarJournal&) = delete;
    IdaStarJournal& operator=(const IdaStarJournal&) = delete;
    ~IdaStarJournal() { close(); }

    /// Opens the file, and reads it if it is there. \throws std::runtime_error, with the path and the place,
    /// if it cannot be opened, is in use, is no journal, is damaged, or is of another search
    std::vector<UnitRecord> begin(const std::string& search) override {
        close();
        known_ = 0;
#if defined(_WIN32)
        file_ = ::_fsopen(path_.c_str(), "a+b", _SH_DENYWR);
        if (file_ == nullptr && errno == EACCES) fail("is in use or cannot be written");
#else
        file_ = std::fopen(path_.c_str(), "a+b");
#endif
        if (file_ == nullptr) {
            fail("cannot be opened");
        }
#if !defined(_WIN32) && __has_include(<unistd.h>)
        if (::flock(::fileno(file_), LOCK_EX | LOCK_NB) != 0) {
            close();
            fail("is in use");
        }
#endif
        const std::string header = header_of(search);
        const std::string content = read_beginning(header.size() + 4096);
        std::vector<UnitRecord> records;
        if (content.size() < header.size() && header.starts_with(content)) {
            cut_to(0); // New, or killed at its beginning.
            write(header.data(), header.size());
        } else {
            check_header(header, content);
            cut_to(read_records(header.size(), records));
        }
        sync();
        known_ = records.size();
        return records;
    }

    /// \throws std::runtime_error if it cannot be written. Then nothing more is appended: a record that was
    ///     begun stays the last one.
    void append(const UnitRecord& record) override {
        const Stored stored{record, checksum_of(record)};
        const std::lock_guard lock(mutex_);
        if (file_ == nullptr) {
            fail("cannot be written: " + refusal_);
        }
        write(&stored, sizeof(stored));
        if (Clock::now() - synced_ >= std::chrono::milliseconds{100}) {
            sync();
        }
    }

    /// How many units were read from the file when the search began.
    [[nodiscard]] std::size_t known() const noexcept { return known_; }

private:
    using Clock = std::chrono::steady_clock;

    struct Stored {
        UnitRecord record;
        std::uint64_t checksum;
    };
    static_assert(sizeof(Stored) == 15 * sizeof(std::uint64_t));

    static std::uint64_t checksum_of(const UnitRecord& record) {
        std::uint64_t words[sizeof(record) / sizeof(std::uint64_t)];
        std::memcpy(words, &record, sizeof(record));
        std::uint64_t sum = sizeof(record);
        for (const std::uint64_t word : words) {
            sum = detail::mix(sum ^ word);
        }
        return sum;
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error("the journal " + path_ + " " + what);
    }

    /// Three lines. The first has a word as the machine writes it.
    [[nodiscard]] std::string header_of(const std::string& search) const {
        const std::uint64_t order = 0x0102030405060708;
        std::string header = "npuzzle IDA* journal, version 1, ";
        header.append(reinterpret_cast<const char*>(&order), sizeof(order)); // NOLINT
        for (std::string line : {key_, search}) {
            for (char& c : line) {
                c = c == '\n' ? ' ' : c;
            }
            header += '\n' + line;
        }
        return header + '\n';
    }

    void check_header(const std::string& expected, const std::string& content) const {
        const char* const names[] = {"version", "key", "search"};
        std::size_t begin = 0;
        std::size_t other = 0;
        for (const char* name : names) {
            const std::size_t end = expected.find('\n', begin);
            const std::size_t other_end = content.find('\n', other);
            const std::string line = expected.substr(begin, end - begin);
            const std::string found = content.substr(other, other_end - other);
            if (begin == 0 && found != line) {
                fail("is no journal of this version and this kind of machine");
            }
            if (other_end == std::string::npos || found != line) {
                fail("is of another search: its " + std::string(name) + " is \"" + found.substr(0, 200) +
                     "\" and not \"" + line + "\"");
            }
            begin = end + 1;
            other = other_end + 1;
        }
    }

    /// Reads the records from a place on. Returns where they end.
    std::size_t read_records(std::size_t place, std::vector<UnitRecord>& records) {
        std::fseek(file_, static_cast<long>(place), SEEK_SET);
        Stored stored;
        while (read(&stored, sizeof(stored)) == sizeof(stored)) {
            if (stored.checksum != checksum_of(stored.record)) {
                if (read(&stored, sizeof(stored)) == sizeof(stored)) {
                    fail("is damaged at byte " + std::to_string(place));
                }
                break;
            }
            records.push_back(stored.record);
            place += sizeof(Stored);
        }
        std::fseek(file_, 0, SEEK_END); // between reading and writing
        return place;
    }

    std::string read_beginning(std::size_t most) {
        std::string content(most, '\0');
        std::rewind(file_);
        content.resize(read(content.data(), most));
        std::fseek(file_, 0, SEEK_END); // between reading and writing
        return content;
    }

    std::size_t read(void* data, std::size_t size) {
        const std::size_t count = std::fread(data, 1, size, file_);
        if (std::ferror(file_) != 0) {
            fail("cannot be read");
        }
        return count;
    }

    void cut_to([[maybe_unused]] std::size_t size) {
#if defined(_WIN32)
        if (::_chsize_s(::_fileno(file_), static_cast<long long>(size)) != 0) {
            fail("cannot be cut to its whole records");
        }
#elif __has_include(<unistd.h>)
        if (::ftruncate(::fileno(file_), static_cast<off_t>(size)) != 0) {
            fail("cannot be cut to its whole records");
        }
#endif
    }

    void write(const void* data, std::size_t size) {
        if (std::fwrite(data, 1, size, file_) != size || std::fflush(file_) != 0) {
            refusal_ = std::generic_category().message(errno);
            close();
            fail("cannot be written: " + refusal_);
        }
    }

    void sync() {
#if defined(_WIN32)
        if (::_commit(::_fileno(file_)) != 0) {
            fail("cannot be synced");
        }
#elif __has_include(<unistd.h>)
        if (::fsync(::fileno(file_)) != 0) {
            fail("cannot be synced");
        }
#endif
        synced_ = Clock::now();
    }

    void close() noexcept {
        if (file_ != nullptr) {
            std::fclose(file_);
            file_ = nullptr;
        }
    }

    std::string path_;
    std::string key_;
    std::FILE* file_ = nullptr;
    std::string refusal_; ///< why nothing more is written
    std::size_t known_ = 0;
    std::mutex mutex_; ///< of the file, while it is written
    Clock::time_point synced_;
};

} // namespace npuzzle

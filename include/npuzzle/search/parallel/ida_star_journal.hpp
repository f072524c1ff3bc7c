#pragma once

#include "npuzzle/search/core/hash.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace npuzzle {

/// What `parallel_ida_star` counted in one unit of work, as a journal keeps it.
struct UnitRecord {
    std::uint64_t iteration = 0; ///< of those that are divided
    std::uint64_t units = 0;     ///< of this iteration; 0: this one is not finished
    std::uint64_t unit = 0;
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t contract_violations = 0;
    std::array<std::uint64_t, 8> bound{}; ///< what it knows of the next bound, in bytes
};

/// A file that keeps the finished units of a `parallel_ida_star` or a `distributed_ida_star`. If the search is
/// killed, either of them goes on, with any number of threads, and returns what it would have returned:
/// \code
/// npuzzle::IdaStarJournal journal("board.journal", "15-puzzle, blank first, 7-8, tables 1f3a9c");
/// npuzzle::parallel_ida_star(puzzle, board, heuristic, {.journal = &journal});
/// \endcode
///
/// Each finished unit is handed to the system, with a checksum: a kill loses the unit that each thread is in.
/// A record that was cut off or damaged is searched again. The file stays. One search at a time may use it.
class IdaStarJournal {
public:
    /// \param key what the search cannot know of itself: the problem, the heuristic, the checksums of its
    ///        tables. The start, its estimate and the division are added.
    IdaStarJournal(std::string path, std::string key) : path_(std::move(path)), key_(std::move(key)) {}

    /// Opens the file for a search, which `search` tells from others, and returns what it holds.
    /// \throws std::runtime_error, with the path, if it cannot be opened or is of another search
    std::vector<UnitRecord> begin(const std::string& search) {
        const std::string header = "npuzzle IDA* journal 3\n" + key_ + "\n" + search + "\n";
        std::ifstream in(path_, std::ios::binary);
        std::string found(header.size(), '\0');
        in.read(found.data(), static_cast<std::streamsize>(found.size()));
        found.resize(static_cast<std::size_t>(in.gcount()));
        if (!header.starts_with(found)) {
            fail("is of another search, or no journal: it begins with \"" + found + "\" and not with \"" +
                 header + "\"");
        }
        std::vector<UnitRecord> records;
        Stored stored;
        while (in.read(reinterpret_cast<char*>(&stored), sizeof(stored))) { // NOLINT
            if (stored.checksum == detail::hash_bytes(&stored.record, sizeof(UnitRecord))) {
                records.push_back(stored.record);
            }
        }
        known_ = records.size();
        const auto torn = static_cast<std::size_t>(in.gcount());
        out_ = std::ofstream(path_, std::ios::binary | std::ios::app);
        if (!out_) {
            fail("cannot be opened");
        }
        write(header.substr(found.size()) + std::string(torn == 0 ? 0 : sizeof(Stored) - torn, '\0'));
        return records;
    }

    /// Adds a finished unit.
    /// \throws std::runtime_error if it cannot be written, then and from then on
    void append(const UnitRecord& record) {
        const Stored stored{record, detail::hash_bytes(&record, sizeof(record))};
        write({reinterpret_cast<const char*>(&stored), sizeof(stored)}); // NOLINT
    }

    /// How many units were read from the file when the search began.
    [[nodiscard]] std::size_t known() const noexcept { return known_; }

private:
    struct Stored {
        UnitRecord record;
        std::uint64_t checksum;
    };
    static_assert(sizeof(Stored) == 15 * sizeof(std::uint64_t));

    void write(const std::string& bytes) {
        if (!out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) {
            fail("cannot be written");
        }
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error("the journal " + path_ + " " + what);
    }

    std::string path_;
    std::string key_;
    std::size_t known_ = 0;
    std::ofstream out_;
};

} // namespace npuzzle

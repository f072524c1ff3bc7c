#include "npuzzle/puzzle/pattern_database/build_checkpoint.hpp"

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/pattern_builds.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#if __has_include(<sys/wait.h>)
#include <sys/wait.h>
#include <unistd.h>
#endif

using npuzzle::build_table;
using npuzzle::BuildCheckpointFile;
using npuzzle::BuildOptions;
using npuzzle::normalized_shape;
using npuzzle::Pattern;
using npuzzle::PatternTable;
using npuzzle::TableFileError;
using npuzzle::TableKind;
using npuzzle::TableShape;

namespace fs = std::filesystem;

namespace {

constexpr std::array both_kinds{TableKind::additive, TableKind::zero_aware};

struct Killed {};

/// Keeps the state in memory after every piece of work, and ends the build after some of them.
class MemoryCheckpoint : public npuzzle::BuildCheckpoint {
public:
    explicit MemoryCheckpoint(int pieces) : pieces_(pieces) {}

    bool load(const TableShape&, std::span<const std::span<std::uint8_t>> state) override {
        left_ = pieces_;
        for (std::size_t i = 0; i < saved_.size(); ++i) {
            REQUIRE(saved_[i].size() == state[i].size());
            std::copy(saved_[i].begin(), saved_[i].end(), state[i].begin());
        }
        return !saved_.empty();
    }

    bool is_due() override { return true; }

    void save(const TableShape&, std::span<const std::span<std::uint8_t>> state) override {
        if (left_-- == 0) {
            throw Killed(); // what was done since the last time is lost
        }
        saved_.clear();
        for (const std::span<std::uint8_t> piece : state) {
            saved_.emplace_back(piece.begin(), piece.end());
        }
    }

private:
    int pieces_;
    int left_ = 0;
    std::vector<std::vector<std::uint8_t>> saved_;
};

void check_same(const PatternTable& table, const PatternTable& expected) {
    CHECK(std::equal(table.entries().begin(), table.entries().end(), expected.entries().begin()));
    CHECK(table.entries_at_depth() == expected.entries_at_depth());
}

/// Builds a table by builds of which all but the last are killed. Returns how many there were.
int check_killed(const TableShape& shape, int pieces) {
    CAPTURE(shape.to_string(), pieces);
    MemoryCheckpoint checkpoint(pieces);
    BuildOptions options;
    options.checkpoint = &checkpoint;
    std::optional<PatternTable> table;
    int builds = 0;
    while (!table) {
        options.threads = builds % 2 == 0 ? 1 : 3;
        REQUIRE(++builds < 1000);
        try {
            table = build_table(shape, options);
        } catch (const Killed&) {
        }
    }
    check_same(*table, test::built(shape));
    return builds;
}

std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

const TableShape& small_shape(TableKind kind) {
    static const TableShape additive = normalized_shape(Pattern(4, 0x0133), 15).shape;
    static const TableShape zero_aware =
        normalized_shape(Pattern(4, 0x0133), 15, TableKind::zero_aware).shape;
    return kind == TableKind::additive ? additive : zero_aware;
}

/// Leaves the state of a build in a file that was stopped at a depth.
void stop_at(int depth, const TableShape& shape, BuildCheckpointFile& checkpoint) {
    bool stops = false;
    BuildOptions options;
    options.checkpoint = &checkpoint;
    options.stop = [&] { return stops; };
    options.progress = [&](const npuzzle::BuildProgress& progress) { stops = progress.depth >= depth; };
    REQUIRE_FALSE(build_table(shape, options));
    REQUIRE(checkpoint.is_saved());
}

} // namespace

TEST_CASE("a build that is killed anywhere goes on, by any number of threads, and makes the same table",
          "[build_checkpoint]") {
    for (const TableKind kind : both_kinds) {
        for (const int pieces : {1, 2, 5}) {
            CHECK(check_killed(normalized_shape(Pattern(3, 0b000'011'011), 8, kind).shape, pieces) > 2);
        }
        // Several pieces for each depth; in an additive table for n = 5 the entries have bits of regions.
        CHECK(check_killed(normalized_shape(Pattern(5, 0x63), 24, kind).shape, 31) > 3);
    }
}

TEST_CASE("a build that is stopped goes on from its file, to a file with the same bytes",
          "[build_checkpoint]") {
    const test::Folder folder;
    for (const TableKind kind : both_kinds) {
        const TableShape& shape = small_shape(kind);
        npuzzle::TableStore undisturbed;
        undisturbed.folder = folder.path + "/undisturbed";
        REQUIRE(load_or_build_table(shape, undisturbed));

        npuzzle::TableStore store;
        store.folder = folder.path + "/stopped";
        std::vector<npuzzle::BuildProgress> told;
        store.build.progress = [&](const auto& progress) { told.push_back(progress); };
        {
            BuildCheckpointFile stopped(store.file(shape) += ".checkpoint");
            CHECK_FALSE(stopped.progress());
            stop_at(7, shape, stopped);
            stop_at(14, shape, stopped);
        }
        CHECK_FALSE(fs::exists(store.file(shape)));

        const auto kept = BuildCheckpointFile(store.file(shape) += ".checkpoint").progress();
        REQUIRE(kept);
        CHECK(kept->shape == shape);
        npuzzle::BuildCheckpointFile checkpoint(store.file(shape) += ".checkpoint");
        store.build.checkpoint = &checkpoint;
        if (load_or_build_table(shape, store)) {
            checkpoint.remove();
        }

        CHECK(bytes_of(store.file(shape)) == bytes_of(undisturbed.file(shape)));
        CHECK_FALSE(fs::exists(checkpoint.file()));
        REQUIRE(told.size() > 1);
        CHECK(told.front().depth >= 14);
        CHECK(told.front().entries_before > 1000);
        CHECK(told.front().entries_before == told.front().entries_done);
        CHECK(told.front().percent() == kept->percent());
        CHECK(told.front().seconds_left == 0);
        CHECK(told.back().percent() == 100);
    }
}

#if __has_include(<sys/wait.h>)
TEST_CASE("a process that is killed leaves a file from which another one goes on", "[build_checkpoint]") {
    const test::Folder folder;
    const TableShape shape = normalized_shape(Pattern(3, 0b000'011'011), 8).shape;
    BuildCheckpointFile checkpoint(folder.path + "/table.npdb.checkpoint", std::chrono::nanoseconds{0});
    int first = 0;
    BuildOptions options;
    options.threads = 1;
    options.checkpoint = &checkpoint;
    for (const int depth : {4, 8, 12}) {
        options.progress = [&](const npuzzle::BuildProgress& progress) {
            if (progress.depth == depth) {
                ::kill(::getpid(), SIGKILL);
            }
        };
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            (void)build_table(shape, options);
            ::_exit(0);
        }
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        REQUIRE(WIFSIGNALED(status));
        REQUIRE(fs::exists(checkpoint.file()));
    }
    options.progress = [&](const npuzzle::BuildProgress& progress) {
        first = first == 0 ? progress.depth : first;
    };
    const auto table = build_table(shape, options);
    REQUIRE(table);
    CHECK(first >= 11);
    check_same(*table, test::built(shape));
}
#endif

TEST_CASE("a file that is damaged or of something else is refused by its name, and stays",
          "[build_checkpoint]") {
    const test::Folder folder;
    const TableShape& shape = small_shape(TableKind::additive);
    BuildCheckpointFile checkpoint(folder.path + "/table.npdb.checkpoint");
    const std::string name = checkpoint.file().string();
    stop_at(10, shape, checkpoint);
    const std::string good = bytes_of(checkpoint.file());
    const auto refusal = [&](const std::string& bytes, const TableShape& asked) {
        write(checkpoint.file(), bytes);
        BuildOptions options;
        options.checkpoint = &checkpoint;
        const std::string message = message_of<TableFileError>([&] { (void)build_table(asked, options); });
        CHECK(bytes_of(checkpoint.file()) == bytes);
        CHECK(checkpoint.progress().has_value() ==
              (bytes.size() >= 4096 && bytes.substr(0, 64) == good.substr(0, 64)));
        return message;
    };
    const std::string no = name + ": is no checkpoint to go on from: ";
    const std::string anew = "; remove the file, and the build begins anew";
    CHECK(refusal("", shape) == no + "it is truncated" + anew);
    CHECK(refusal(good.substr(0, 63), shape) == no + "it is truncated" + anew);
    CHECK(refusal(good.substr(0, 64), shape) == no + "it is truncated or too long" + anew);
    CHECK(refusal(good.substr(0, good.size() - 1), shape) == no + "it is truncated or too long" + anew);
    CHECK(refusal(good + '\0', shape) == no + "it is truncated or too long" + anew);
    CHECK(refusal(std::string(5000, 'x'), shape) ==
          no + "its first bytes are others, or of another version or another kind of machine" + anew);
    const auto with_change_at = [&](std::size_t place) {
        std::string bytes = good;
        bytes[place] = static_cast<char>(bytes[place] ^ 4);
        return bytes;
    };
    for (std::size_t place = 8; place < 64; place += 8) {
        CHECK(refusal(with_change_at(place), shape) == no + "its header is damaged" + anew);
    }
    for (std::size_t place = 64; place < good.size(); place += good.size() / 13) {
        CHECK(refusal(with_change_at(place), shape) == no + "its checksum does not agree" + anew);
    }
    CHECK(refusal(with_change_at(good.size() - 1), shape) == no + "its checksum does not agree" + anew);
    for (const TableShape& other :
         {small_shape(TableKind::zero_aware), normalized_shape(Pattern(4, 0x0137), 15).shape,
          normalized_shape(Pattern(3, 0b000'011'011), 8).shape}) {
        CHECK(refusal(good, other) == no + "it is of another table, not of " + other.to_string() + anew);
    }
#if __has_include(<sys/wait.h>)
    fs::permissions(checkpoint.file(), fs::perms::others_write, fs::perm_options::add);
    CHECK(refusal(good, shape).starts_with(name + ": can be written to by everyone"));
#endif
}

TEST_CASE("a file that cannot be written is an error, unless somebody is told", "[build_checkpoint]") {
    const test::Folder folder;
    write(folder.path + "/file", "");
    const TableShape shape = normalized_shape(Pattern(3, 0b000'011'011), 8, TableKind::zero_aware).shape;
    BuildCheckpointFile checkpoint(folder.path + "/file/table.npdb.checkpoint", std::chrono::nanoseconds{0});
    BuildOptions options;
    options.checkpoint = &checkpoint;
    const std::string expected =
        checkpoint.file().string() + ": cannot be written: making its folder: Not a directory";
    CHECK(message_of<TableFileError>([&] { (void)build_table(shape, options); }) == expected);
    std::string told;
    checkpoint.save_failed = [&](const TableFileError& error) { told = error.what(); };
    const auto table = build_table(shape, options);
    REQUIRE(table);
    check_same(*table, test::built(shape));
    CHECK(told == expected);
    CHECK_FALSE(checkpoint.is_saved());
}

namespace {

/// Fills one part of the state with what no build has.
struct HostileCheckpoint final : npuzzle::BuildCheckpoint {
    std::size_t part;
    explicit HostileCheckpoint(std::size_t filled) : part(filled) {}
    bool load(const TableShape&, std::span<const std::span<std::uint8_t>> state) override {
        std::fill(state[part].begin(), state[part].end(), std::uint8_t{0xff});
        return true;
    }
    bool is_due() override { return false; }
    void save(const TableShape&, std::span<const std::span<std::uint8_t>>) override {}
};

} // namespace

TEST_CASE("what a checkpoint says does not lead outside of the table", "[build_checkpoint]") {
    for (const TableKind kind : both_kinds) {
        const TableShape& shape = small_shape(kind);
        HostileCheckpoint counts(0);
        BuildOptions options;
        options.checkpoint = &counts;
        CHECK_THROWS_AS(build_table(shape, options), std::length_error);
        HostileCheckpoint sets(1); // Sets without states are gone through for nothing.
        options.checkpoint = &sets;
        const std::optional<PatternTable> table = build_table(shape, options);
        REQUIRE(table);
        check_same(*table, test::built(shape));
    }
}

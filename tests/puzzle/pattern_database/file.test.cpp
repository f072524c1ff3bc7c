#include "npuzzle/puzzle/goal.hpp"
#include "npuzzle/puzzle/pattern_database/file.hpp"

#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/folder.hpp"
#include "support/random.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#if __has_include(<sys/wait.h>)
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

using npuzzle::load_table;
using npuzzle::LoadOptions;
using npuzzle::normalized_shape;
using npuzzle::Partition;
using npuzzle::Pattern;
using npuzzle::PatternTable;
using npuzzle::save_table;
using npuzzle::TableCheck;
using npuzzle::TableFileError;
using npuzzle::TableKind;
using npuzzle::TableShape;
using npuzzle::TableStore;

using test::Folder;

namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(in), {});
}

void write(const fs::path& file, const Bytes& bytes) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

bool are_equal(const PatternTable& a, const PatternTable& b) {
    return a.shape() == b.shape() && a.entries_at_depth() == b.entries_at_depth() &&
           std::equal(a.entries().begin(), a.entries().end(), b.entries().begin(), b.entries().end());
}

const TableShape& small_shape() {
    static const TableShape shape = normalized_shape(Pattern(3, 0b000'001'011), 8).shape;
    return shape;
}

const PatternTable& small_table() {
    static const PatternTable table = *npuzzle::build_table(small_shape());
    return table;
}

// The message about a file with these bytes, without its name.
std::string error_of(const Bytes& bytes, const LoadOptions& options = {},
                     const TableShape& shape = small_shape()) {
    const Folder folder;
    const fs::path file = folder / "table";
    write(file, bytes);
    const std::string message = message_of<TableFileError>([&] { (void)load_table(shape, file, options); });
    const std::string start = file.string() + ": ";
    return message.starts_with(start) ? message.substr(start.size()) : message;
}

Bytes file_of(const PatternTable& table) {
    const Folder folder;
    save_table(table, folder / "table");
    return read(folder / "table");
}

// Updates the header's checksum, as after a deliberate change of a field.
void seal(Bytes& bytes) {
    const std::uint64_t sum = npuzzle::detail::checksum(std::span(bytes).first(4088));
    for (std::size_t i = 0; i < 8; ++i) {
        bytes[4088 + i] = static_cast<std::uint8_t>(sum >> (8 * i));
    }
}

const std::string advice = "; remove the file, and it will be built anew";

} // namespace

TEST_CASE("a table comes back from its file, mapped or copied, however it is checked", "[file]") {
    const Folder folder;
    for (const PatternTable& table :
         {small_table(), *npuzzle::build_table(normalized_shape(Pattern(4, 0x0037), 15).shape),
          *npuzzle::build_table(
              normalized_shape(Pattern(4, 0x0037), 15, npuzzle::TableKind::zero_aware).shape)}) {
        const fs::path file = folder / npuzzle::table_file_name(table.shape());
        save_table(table, file);
        CHECK(fs::file_size(file) == 4096 + table.entries().size());
        for (const TableCheck check : {TableCheck::header, TableCheck::entries}) {
            for (const bool copy : {false, true}) {
                LoadOptions options;
                options.check = check;
                options.copy = copy;
                CHECK(are_equal(load_table(table.shape(), file, options), table));
            }
        }
    }
    CHECK(folder.files() == 3); // nothing temporary is left
}

TEST_CASE("saving replaces what was there, and a table that was mapped before stays what it was", "[file]") {
    const Folder folder;
    const fs::path file = folder / "table";
    write(file, {1, 2, 3});
    save_table(small_table(), file);
    const PatternTable loaded = load_table(small_shape(), file);
    save_table(*npuzzle::build_table(normalized_shape(Pattern(3, 3), 8).shape), file);
    CHECK(are_equal(loaded, small_table()));
    CHECK(folder.files() == 1);
}

TEST_CASE("the header is as documented", "[file]") {
    const Bytes bytes = file_of(small_table());
    const Bytes start(bytes.begin(), bytes.begin() + 40);
    CHECK(start == Bytes{'N', 'P', 'D', 'B', '\r', '\n', 26, '\n', 1,  0, 0, 0, 3,   0, 0, 0, 0, 0, 0, 0,
                         0,   0,   0,   0,   2,    0,    0,  0,    11, 0, 0, 0, 248, 1, 0, 0, 0, 0, 0, 0});
    // Files of earlier versions stay readable: the checksum of the entries, from a program of its own.
    const Bytes sum(bytes.begin() + 40, bytes.begin() + 48);
    CHECK(sum == Bytes{0xd1, 0x4e, 0x7f, 0xf1, 0xdb, 0xd0, 0x77, 0x72});
    CHECK(bytes[48] == small_table().entries_at_depth().size());
    CHECK(bytes[56] == 1);
    CHECK(bytes.size() == 4096 + 504);
}

TEST_CASE("the error says what is wrong with a file, and where", "[file]") {
    const Bytes good = file_of(small_table());
    const auto resized = [&](std::size_t size) {
        Bytes bytes = good;
        bytes.resize(size);
        return bytes;
    };
    const auto with = [&](std::size_t place, unsigned value, bool is_sealed) {
        Bytes bytes = good;
        bytes[place] = static_cast<std::uint8_t>(value);
        if (is_sealed) {
            seal(bytes);
        }
        return bytes;
    };
    const std::string no_sum = ": the checksum does not agree";
    const std::string not_one = "has a header that no table of additive 3x3 xx_/x../... has";
    const std::string of_another = "holds the table of another pattern or goal, ";
    const std::pair<Bytes, std::string> faults[] = {
        {{}, "is empty"},
        {{'P', 'K', 3, 4, 0, 0, 0, 0, 0}, "is no pattern database: its first bytes are others"},
        {resized(100), "is truncated within its header, at byte 100"},
        {resized(4599), "is truncated: it has 4599 bytes instead of 4600"},
        {resized(4601), "is too long: it has 4601 bytes instead of 4600"},
        {with(60, good[60] ^ 4U, false), "is damaged in its header, bytes 0 to 4095" + no_sum},
        {with(4200, good[4200] ^ 4U, false), "is damaged in its entries, from byte 4096 on" + no_sum},
        {with(8, 0, true), not_one},
        {with(20, 1, true), not_one},
        {with(32, good[32] ^ 1U, true), not_one},
        {with(48, 0, true), not_one},
        {with(49, 2, true), not_one},
        {with(12, 5, true),
         of_another + "additive 5x5 xx_x./...../...../...../....., not additive 3x3 xx_/x../..."},
        {with(12, 6, true), of_another + "of another size, not additive 3x3 xx_/x../..."},
    };
    for (const auto& [bytes, fault] : faults) {
        CHECK(error_of(bytes) == fault + advice);
    }
    LoadOptions quick;
    quick.check = TableCheck::header; // which does not read the entries
    CHECK(error_of(with(4200, good[4200] ^ 4U, false), quick) == "nothing thrown");
    CHECK(
        error_of(with(8, 3, false)) ==
        "has format version 3, and this library reads version 2: it was written by a newer one, "
        "or bytes 8 to 11 are damaged; read it with that one, or remove the file, and it will be built anew");
    CHECK(error_of(good, {}, normalized_shape(Pattern(3, 0b000'010'011), 8).shape) ==
          of_another + "additive 3x3 xx_/x../..., not additive 3x3 xx_/.x./..." + advice);
}

TEST_CASE("a zero-aware file has a version of its own", "[file]") {
    const TableShape shape =
        normalized_shape(Pattern(3, 0b000'010'011), 8, npuzzle::TableKind::zero_aware).shape;
    const PatternTable table = *npuzzle::build_table(shape);
    Bytes bytes = file_of(table);
    CHECK(bytes[8] == 2);
    CHECK(npuzzle::table_file_name(shape) == "zero-aware-3x3-cells013-blank02.npdb");
    CHECK(error_of(bytes, {}, normalized_shape(Pattern(3, 0b000'010'011), 8).shape)
              .starts_with("holds the table of another pattern or goal, zero-aware 3x3 xx_/.x./..., not"));
    --bytes[8]; // would be a table of bytes
    seal(bytes);
    CHECK(error_of(bytes, {}, shape) ==
          "has a header that no table of zero-aware 3x3 xx_/.x./... has" + advice);
}

TEST_CASE("a file that is not there, is a folder, or cannot be written", "[file]") {
    const Folder folder;
    const std::string missing =
        message_of<TableFileError>([&] { (void)load_table(small_shape(), folder / "none"); });
    CHECK(missing.starts_with((folder / "none").string() + ": cannot be read: "));
    LoadOptions copied;
    copied.copy = true;
    CHECK_THROWS_AS(load_table(small_shape(), folder / "none", copied), TableFileError);
    CHECK_THROWS_AS(load_table(small_shape(), folder.path), TableFileError);
    CHECK_THROWS_AS(load_table(small_shape(), folder.path, copied), TableFileError);
    write(folder / "file", {1});
    const std::string blocked =
        message_of<TableFileError>([&] { save_table(small_table(), folder / "file" / "table"); });
    CHECK(blocked.starts_with((folder / "file" / "table").string() + ": cannot be written: "));
    fs::create_directories(folder / "folder" / "inside");
    CHECK_THROWS_AS(save_table(small_table(), folder / "folder"), TableFileError);
    CHECK(folder.files() == 2); // nothing temporary is left
}

TEST_CASE("the cache folder follows the environment", "[file]") {
    const test::Environment own("NPUZZLE_CACHE", "/somewhere/tables");
#if defined(_WIN32)
    const test::Environment xdg("XDG_CACHE_HOME", "C:/xdg");
    const test::Environment local("LOCALAPPDATA", nullptr);
    const fs::path xdg_folder = "C:/xdg/npuzzle";
#else
    const test::Environment xdg("XDG_CACHE_HOME", "/xdg");
    const fs::path xdg_folder = "/xdg/npuzzle";
#endif
    const test::Environment home("HOME", "/home/user");
    CHECK(npuzzle::cache_folder() == "/somewhere/tables");
    {
        const test::Environment none("NPUZZLE_CACHE", nullptr);
        CHECK(npuzzle::cache_folder() == xdg_folder);
        const test::Environment relative("XDG_CACHE_HOME", "relative");
        CHECK(npuzzle::cache_folder() == "/home/user/.cache/npuzzle");
        const test::Environment empty("XDG_CACHE_HOME", "");
        CHECK(npuzzle::cache_folder() == "/home/user/.cache/npuzzle");
        const test::Environment homeless("HOME", nullptr);
        CHECK(message_of<std::runtime_error>([] { (void)npuzzle::cache_folder(); }) ==
              "there is no folder for pattern databases: set NPUZZLE_CACHE, XDG_CACHE_HOME or HOME");
    }
    TableStore store;
    CHECK(store.file(small_shape()) == "/somewhere/tables/additive-3x3-cells00b-blank02.npdb");
    store.folder = "/given";
    CHECK(store.file(small_shape()) == "/given/additive-3x3-cells00b-blank02.npdb");
    CHECK(npuzzle::table_file_name(normalized_shape(Pattern(5, 0x1800000 >> 1), 24).shape) ==
          "additive-5x5-cells0000006-blank00.npdb");
}

TEST_CASE("tables are built when they are missing, and loaded after that", "[file]") {
    const Folder folder;
    TableStore store;
    store.folder = folder / "deep" / "folder";
    const Partition partition = Partition::named("3-3-2", npuzzle::goal_blank_last(3));
    std::size_t told = 0;
    store.build.progress = [&](const npuzzle::BuildProgress&) { ++told; };
    CHECK_FALSE(store.holds(partition));
    const auto built = npuzzle::load_or_build_tables(partition, store);
    REQUIRE(built);
    CHECK(told > 0);
    CHECK(store.holds(partition));
    told = 0;
    const auto loaded = npuzzle::load_or_build_tables(partition, store);
    REQUIRE(loaded);
    CHECK(told == 0);
    REQUIRE(loaded->size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(are_equal((*built)[i], (*loaded)[i]));
    }
    // The folder from the environment works as well.
    const test::Environment own("NPUZZLE_CACHE", store.folder.string().c_str());
    CHECK(TableStore{}.holds(partition));
}

TEST_CASE("a store that does not save, and a build that is stopped, leave no files", "[file]") {
    const Folder folder;
    TableStore store;
    store.folder = folder.path;
    store.save = false;
    CHECK(npuzzle::load_or_build_table(small_shape(), store));
    CHECK(folder.files() == 0);
    store.save = true;
    npuzzle::StopSource source;
    source.request_stop();
    store.build.stop = source.get_token();
    CHECK_FALSE(npuzzle::load_or_build_table(small_shape(), store));
    CHECK_FALSE(npuzzle::load_or_build_tables(Partition::named("4-4", 3, 8), store));
    CHECK(folder.files() == 0);
}

TEST_CASE("the error about a damaged file says how to repair it, and both ways work", "[file]") {
    const Folder folder;
    TableStore store;
    store.folder = folder.path;
    const fs::path file = store.file(small_shape());
    const auto message = [&] {
        return message_of<TableFileError>([&] { (void)npuzzle::load_or_build_table(small_shape(), store); });
    };
    Bytes bytes = file_of(small_table());
    bytes[60] ^= 4;
    write(file, bytes);
    CHECK(message().ends_with(advice));
    store.replace_damaged = true;
    CHECK(message() == "nothing thrown");
    CHECK(are_equal(load_table(small_shape(), file), small_table()));
    store.replace_damaged = false;
    CHECK(message() == "nothing thrown");
    // Or the file is removed by hand. For a file of a newer format this is the only way.
    bytes[8] = 9;
    write(file, bytes);
    store.replace_damaged = true;
    CHECK(message().ends_with("remove the file, and it will be built anew"));
    CHECK(read(file) == bytes);
    fs::remove(file);
    CHECK(message() == "nothing thrown");
    CHECK(are_equal(load_table(small_shape(), file), small_table()));
}

TEST_CASE("a table that cannot be saved is an error, or used nevertheless on request", "[file]") {
    const Folder folder;
    write(folder / "file", {1});
    TableStore store;
    store.folder = folder / "file";
    CHECK_THROWS_AS(npuzzle::load_or_build_table(small_shape(), store), TableFileError);
    std::string told;
    store.save_failed = [&](const TableFileError& error) { told = error.what(); };
    const auto table = npuzzle::load_or_build_table(small_shape(), store);
    REQUIRE(table);
    CHECK(are_equal(*table, small_table()));
    CHECK(told.find("cannot be written") != std::string::npos);
}

TEST_CASE("several threads that build the same file at the same time all succeed", "[file]") {
    const Folder folder;
    for (int round = 0; round < 20; ++round) {
        TableStore store;
        store.folder = folder / std::to_string(round);
        std::array<std::optional<PatternTable>, 4> tables;
        std::vector<std::thread> threads;
        for (auto& table : tables) {
            threads.emplace_back([&] { table = npuzzle::load_or_build_table(small_shape(), store); });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        for (const auto& table : tables) {
            REQUIRE(table);
            REQUIRE(are_equal(*table, small_table()));
        }
        CHECK(are_equal(load_table(small_shape(), store.file(small_shape())), small_table()));
        CHECK(std::distance(fs::directory_iterator(store.folder), fs::directory_iterator()) == 1);
    }
}

#ifdef RLIMIT_FSIZE

namespace {

// A table of 524,160 entries. Writing it takes long enough to be interrupted.
const PatternTable& larger_table() {
    static const PatternTable table = *npuzzle::build_table(normalized_shape(Pattern(4, 0x0037), 15).shape);
    return table;
}

bool holds(const fs::path& file, const PatternTable& table) {
    return are_equal(load_table(table.shape(), file), table);
}

} // namespace

TEST_CASE("a process that is killed at any moment leaves a whole file or none", "[file]") {
    const TableShape& shape = larger_table().shape();
    const Folder folder;
    TableStore store;
    store.folder = folder.path;
    const fs::path file = store.file(shape);
    for (int round = 0; round < 40; ++round) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        while (child == 0) {
            save_table(larger_table(), file);
        }
        std::this_thread::sleep_for(std::chrono::microseconds{500 * round});
        ::kill(child, SIGKILL);
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status));
        CHECK((!fs::exists(file) || holds(file, larger_table())));
    }
    save_table(larger_table(), file);
    CHECK(holds(file, larger_table()));
}

TEST_CASE("what is not a regular file is neither waited for nor read", "[file]") {
    const Folder folder;
    TableStore store;
    store.folder = folder.path;
    const fs::path file = store.file(small_shape());
    const auto message = [&] {
        return message_of<TableFileError>([&] { (void)npuzzle::load_or_build_table(small_shape(), store); });
    };
    for (const bool copy : {false, true}) {
        store.load.copy = copy;
        const auto refused = [&] {
            CHECK(message() ==
                  file.string() + ": is not a regular file; remove it, and a table will be built anew");
            fs::remove(file);
        };
        REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
        refused();
        fs::create_directory(file);
        refused();
        fs::create_symlink("/dev/zero", file);
        refused();
    }
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    store.replace_damaged = true;
    CHECK(message() == "nothing thrown");
    CHECK(holds(file, small_table()));
    fs::remove(file);
    fs::create_directory(file); // Nothing is built in vain.
    CHECK(message() == file.string() + ": is not a regular file; remove it, and a table will be built anew");
    fs::remove(file);
    CHECK(message() == "nothing thrown");
    // A table that lies elsewhere is fine.
    fs::rename(file, folder / "elsewhere");
    fs::create_symlink(folder / "elsewhere", file);
    CHECK(holds(file, small_table()));
}

TEST_CASE("a table is read where the standard input is closed", "[file]") {
    const Folder folder;
    save_table(small_table(), folder / "table");
    const int input = ::dup(0);
    ::close(0);
    const std::string message =
        message_of<TableFileError>([&] { (void)load_table(small_shape(), folder / "table"); });
    ::dup2(input, 0);
    ::close(input);
    CHECK(message == "nothing thrown");
}

TEST_CASE("a table to which others can write is refused, unless they are trusted", "[file]") {
    const Folder folder;
    TableStore store;
    store.folder = folder / "tables";
    fs::create_directory(store.folder);
    fs::permissions(store.folder, fs::perms{0755});
    const fs::path file = store.file(small_shape());
    save_table(small_table(), file);
    const auto message = [&] {
        return message_of<TableFileError>([&] { (void)npuzzle::load_or_build_table(small_shape(), store); });
    };
    const std::string way = ", so the table may be anyone's work; if you trust it all the same, set "
                            "LoadOptions::trust_others (npuzzle --trust-tables)";
    const auto refused_only_without_trust = [&](const std::string& why) {
        CHECK(message() == file.string() + ": " + why + way);
        store.replace_damaged = true; // which is no reason to trust the folder
        CHECK(message() == file.string() + ": " + why + way);
        store.replace_damaged = false;
        store.load.trust_others = true;
        CHECK(message() == "nothing thrown");
        store.load.trust_others = false;
    };
    const std::string in_folder = "is in the folder " + store.folder.string() + ", which ";
    CHECK(message() == "nothing thrown");

    fs::permissions(file, fs::perms{0646});
    refused_only_without_trust("can be written to by everyone");
    fs::permissions(file, fs::perms{0644});
    fs::permissions(store.folder, fs::perms{0777});
    refused_only_without_trust(in_folder + "can be written to by everyone");
    // In such a folder, as /tmp is one, files cannot be replaced by others.
    fs::permissions(store.folder, fs::perms{01777});
    CHECK(message() == "nothing thrown");
    fs::permissions(store.folder, fs::perms{0755});

    if (::geteuid() == 0) { // The rest needs the right to give files away.
        const auto give = [](const fs::path& path, uid_t user, gid_t group) {
            REQUIRE(::chown(path.c_str(), user, group) == 0);
        };
        give(file, 1234, 0);
        refused_only_without_trust("belongs to user 1234");
        give(file, 0, 0);
        give(store.folder, 1234, 0);
        refused_only_without_trust(in_folder + "belongs to user 1234");
        fs::permissions(store.folder, fs::perms{01777});
        refused_only_without_trust(in_folder + "belongs to user 1234");
        give(store.folder, 0, 50);
        fs::permissions(store.folder, fs::perms{0775});
        refused_only_without_trust(in_folder + "can be written to by group 50");
        give(store.folder, 0, 0);
        CHECK(message() == "nothing thrown"); // the administrator's own group
    }
}

TEST_CASE(
    "what is written, only its owner can write to; it is not built for a folder that others can write to",
    "[file]") {
    const Folder folder;
    const mode_t mask = ::umask(0);
    save_table(small_table(), folder / "deep" / "down" / "table.npdb");
    ::umask(mask);
    struct stat status = {};
    for (const char* const name : {"deep", "deep/down", "deep/down/table.npdb"}) {
        REQUIRE(::stat((folder / name).c_str(), &status) == 0);
        CHECK((status.st_mode & 0022) == 0);
    }

    TableStore store;
    store.folder = folder / "open";
    fs::create_directory(store.folder);
    fs::permissions(store.folder, fs::perms{0777});
    std::size_t told = 0;
    store.build.progress = [&](const npuzzle::BuildProgress&) { ++told; };
    const auto build = [&] { return npuzzle::load_or_build_table(small_shape(), store); };
    CHECK(message_of<TableFileError>([&] { (void)build(); }).find("can be written to by everyone") !=
          std::string::npos);
    CHECK(told == 0);
    std::size_t unsaved = 0;
    store.save_failed = [&](const TableFileError&) { ++unsaved; };
    CHECK(are_equal(build().value(), small_table()));
    CHECK(unsaved == 1);
    CHECK(fs::is_empty(store.folder));
    store.load.trust_others = true;
    CHECK(are_equal(build().value(), small_table()));
    CHECK(unsaved == 1);
    CHECK_FALSE(fs::is_empty(store.folder));
}

TEST_CASE("one flipped bit anywhere is found by a usual load", "[file]") {
    const Folder folder;
    const fs::path file = folder / "table";
    const Bytes good = file_of(larger_table());
    test::Random random(11);
    for (int i = 0; i < 60; ++i) {
        Bytes bytes = good;
        const std::size_t at = i == 0 ? 4096 : i == 1 ? good.size() - 1 : random.below(good.size());
        const auto bit = random.below(8);
        CAPTURE(at, bit);
        bytes[at] ^= static_cast<std::uint8_t>(1U << bit);
        fs::remove(file);
        write(file, bytes);
        LoadOptions options;
        options.copy = random.one_in(2);
        CHECK_THROWS_AS(load_table(larger_table().shape(), file, options), TableFileError);
    }
}

#endif

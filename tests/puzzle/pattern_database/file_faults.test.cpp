// Each call for files fails in turn while a table is saved, loaded or built.
#include "npuzzle/puzzle/pattern_database/file.hpp"

#include "support/catch.hpp"
#include "support/failing_calls.hpp"
#include "support/folder.hpp"
#include "support/thrown.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using npuzzle::normalized_shape;
using npuzzle::Pattern;
using npuzzle::PatternTable;
using npuzzle::TableFileError;
using npuzzle::TableShape;
using npuzzle::TableStore;
using test::Fault;
using test::Folder;

namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(in), {});
}

const TableShape& shape() {
    static const TableShape made = normalized_shape(Pattern(3, 0b000'001'011), 8).shape;
    return made;
}

const PatternTable& table() {
    static const PatternTable made = *npuzzle::build_table(shape());
    return made;
}

// Calls `work` with each of its calls failing once, until there is none left; `check(message)` after each,
// with what was thrown. Returns how many calls there were.
template <class Prepare, class Work, class Check>
std::uint64_t with_each_call(Fault fault, int error, bool for_good, const Prepare& prepare, const Work& work,
                             const Check& check) {
    for (std::uint64_t number = 1;; ++number) {
        CAPTURE(number);
        prepare();
        test::calls.for_good = for_good;
        test::calls.arm_any(number, fault, error);
        const std::string message = message_of<TableFileError>(work);
        test::calls.disarm();
        if (test::calls.hits == 0) {
            CHECK(message == "nothing thrown");
            return number - 1;
        }
        check(message);
    }
}

} // namespace

TEST_CASE("whatever call fails while a table is saved, the old file or the new one is whole", "[file]") {
    const Folder folder;
    const fs::path file = folder / "table.npdb";
    npuzzle::save_table(table(), file);
    const Bytes whole = read(file);
    const Bytes old{1, 2, 3};
    for (const bool is_there : {false, true}) {
        for (const Fault fault : {Fault::fails, Fault::falls_short}) {
            for (const int error : {EIO, ENOSPC}) {
                for (const bool for_good : {false, true}) {
                    CAPTURE(is_there, fault == Fault::fails, error, for_good);
                    std::size_t failed = 0;
                    const auto prepare = [&] {
                        fs::remove(file);
                        if (is_there) {
                            std::ofstream(file, std::ios::binary) << "\1\2\3";
                        }
                    };
                    const auto check = [&](const std::string& message) {
                        const bool has_failed = message != "nothing thrown";
                        failed += has_failed ? 1 : 0;
                        if (has_failed) {
                            CHECK(message.starts_with(file.string() + ": cannot be written: "));
                        }
                        // A failure at the end, to sync the folder, is none.
                        const Bytes now = read(file);
                        CHECK((now == whole || (has_failed && now == (is_there ? old : Bytes{}))));
                        for (const fs::directory_entry& entry : fs::directory_iterator(folder.path)) {
                            CHECK((entry.path() == file || for_good));
                            if (entry.path() != file) {
                                fs::remove(entry.path());
                            }
                        }
                    };
                    const std::uint64_t calls = with_each_call(
                        fault, error, for_good, prepare, [&] { npuzzle::save_table(table(), file); }, check);
                    CHECK(calls >= 3);
                    CHECK(failed >= 1);
                }
            }
        }
    }
}

TEST_CASE("whatever call fails while a table is loaded, the error names the file, or the table is right",
          "[file]") {
    const Folder folder;
    const fs::path file = folder / "table.npdb";
    npuzzle::save_table(table(), file);
    for (const bool copy : {false, true}) {
        CAPTURE(copy);
        npuzzle::LoadOptions options;
        options.copy = copy;
        bool is_right = true;
        std::size_t failed = 0;
        const auto load = [&] {
            const PatternTable loaded = npuzzle::load_table(shape(), file, options);
            is_right = std::equal(loaded.entries().begin(), loaded.entries().end(), table().entries().begin(),
                                  table().entries().end());
        };
        const std::uint64_t calls = with_each_call(
            Fault::fails, EACCES, false, [] {}, load,
            [&](const std::string& message) {
                failed += message == "nothing thrown" ? 0 : 1;
                CHECK((message == "nothing thrown" ||
                       message.starts_with(file.string() + ": cannot be read: ")));
                CHECK(is_right);
            });
        CHECK(calls >= 2);
        CHECK(failed >= 1);
    }
}

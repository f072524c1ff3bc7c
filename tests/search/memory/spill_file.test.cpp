#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/memory/spill_file.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/thrown.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#if __has_include(<sys/resource.h>)
#include <dlfcn.h>
#include <sys/types.h>

// What the system does to the next writes and reads.
namespace {

enum class Fault { none, interrupted, short_of, broken, full };
Fault fault = Fault::none;

template <class Bytes>
ssize_t moved(const char* name, int file, Bytes bytes, std::size_t size, off_t place) {
    auto* const real =
        reinterpret_cast<ssize_t (*)(int, Bytes, std::size_t, off_t)>(::dlsym(RTLD_NEXT, name));
    switch (fault) {
    case Fault::none:
        break;
    case Fault::interrupted:
        fault = Fault::short_of;
        errno = EINTR;
        return -1;
    case Fault::short_of:
        fault = Fault::none;
        return real(file, bytes, size / 3, place);
    case Fault::broken:
        errno = EIO;
        return -1;
    case Fault::full:
        errno = ENOSPC;
        return -1;
    }
    return real(file, bytes, size, place);
}

} // namespace

extern "C" ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t place) {
    return moved("pwrite", file, bytes, size, place);
}
extern "C" ssize_t pread(int file, void* bytes, std::size_t size, off_t place) {
    return moved("pread", file, bytes, size, place);
}
#endif

namespace {

using npuzzle::MemoryBudget;
using npuzzle::detail::SpillFile;

constexpr std::size_t block = 4096;
constexpr std::uint64_t unlimited = ~std::uint64_t{0};
#if defined(_WIN32)
constexpr std::size_t names = 1; // of a file that is in use
#else
constexpr std::size_t names = 0;
#endif

std::vector<char> bytes_of(char c) {
    return std::vector<char>(block, c);
}

char first_of(const SpillFile& file, SpillFile::Number number) {
    std::vector<char> bytes(block, '?');
    file.read(number, bytes.data(), block);
    CHECK(bytes == bytes_of(bytes[0]));
    return bytes[0];
}

} // namespace

TEST_CASE("blocks are there until they are given back", "[spill_file]") {
    const test::Folder folder;
    MemoryBudget budget;
    {
        SpillFile file(folder.path, block, unlimited, budget);
        CHECK(folder.files() == names);
        CHECK(file.block_bytes() == block);
        const auto a = file.write(bytes_of('a').data(), block);
        const auto b = file.write(bytes_of('b').data(), block);
        CHECK(first_of(file, a) == 'a');
        CHECK(first_of(file, b) == 'b');
        CHECK(file.bytes() == 2 * block);
        file.give_back(a);
        CHECK(file.bytes() == block);
        file.expect(b);
        const auto c = file.write(bytes_of('c').data(), 100);
        CHECK(c == a);
        char bytes[100];
        file.read(c, bytes, 100);
        CHECK(std::string(bytes, 100) == std::string(100, 'c'));
        CHECK(first_of(file, b) == 'b');
        CHECK(file.peak_bytes() == 2 * block);
    }
    CHECK(budget.used() == 0);
    CHECK(folder.files() == 0);
}

#if __has_include(<sys/resource.h>)
TEST_CASE("a call that is interrupted or does a part goes on", "[spill_file]") {
    const test::Folder folder;
    MemoryBudget budget;
    SpillFile file(folder.path, block, unlimited, budget);
    fault = Fault::interrupted;
    const auto a = file.write(bytes_of('a').data(), block);
    CHECK(fault == Fault::none);
    fault = Fault::interrupted;
    CHECK(first_of(file, a) == 'a');
    CHECK(fault == Fault::none);
}

TEST_CASE("a full disk is no memory, a broken one is an error", "[spill_file]") {
    const test::Folder folder;
    MemoryBudget budget;
    SpillFile file(folder.path, block, unlimited, budget);
    const auto a = file.write(bytes_of('a').data(), block);
    fault = Fault::full;
    CHECK_THROWS_AS(static_cast<void>(file.write(bytes_of('b').data(), block)), std::bad_alloc);
    fault = Fault::broken;
    const auto write = [&] { static_cast<void>(file.write(bytes_of('b').data(), block)); };
    CHECK(message_of<std::runtime_error>(write).find("read or written in " + folder.path + ": ") !=
          std::string::npos);
    CHECK(message_of<std::runtime_error>([&] { first_of(file, a); }).find(folder.path) != std::string::npos);
    fault = Fault::none;
    CHECK(file.bytes() == block);
    CHECK(first_of(file, a) == 'a');
    CHECK(message_of<std::runtime_error>([&] { first_of(file, a + 1); }).find("is shorter than it was") !=
          std::string::npos);
}

#endif

TEST_CASE("a folder where no file can be made is named", "[spill_file]") {
    MemoryBudget budget;
    const auto make = [&](const std::string& folder) {
        return message_of<std::runtime_error>([&] { SpillFile(folder, block, unlimited, budget); });
    };
    CHECK(
        make("no/such/folder") ==
        "a file for what does not fit in memory cannot be made in no/such/folder: No such file or directory");
    CHECK(make("/proc").find(" in /proc: ") != std::string::npos);
    CHECK(make("") == "nothing thrown");
}

#include <npuzzle/puzzle/goal.hpp>
#include <npuzzle/puzzle/heuristics/manhattan.hpp>
#include <npuzzle/puzzle/packed_board.hpp>
#include <npuzzle/puzzle/scramble.hpp>
#include <npuzzle/puzzle/sliding_puzzle.hpp>
#include <npuzzle/search/ida_star.hpp>
#include <npuzzle/search/parallel/ida_star_journal.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/catch.hpp"
#include "support/thrown.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#if __has_include(<sys/wait.h>)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace {

using npuzzle::IdaStarJournal;
using npuzzle::Manhattan;
using npuzzle::PackedBoard;
using npuzzle::SlidingPuzzle;

/// A file that is gone afterwards.
struct File {
    std::string path = "ida_star_journal." + std::to_string(std::random_device{}());
    File() { std::remove(path.c_str()); }
    ~File() { std::remove(path.c_str()); }

    std::string read() const {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void write(const std::string& content) const { std::ofstream(path, std::ios::binary) << content; }
};

constexpr std::size_t record_size = 120;

const SlidingPuzzle<3> puzzle;
const PackedBoard<3> board({8, 6, 7, 2, 5, 4, 3, 0, 1}); // one of the two that take 31 moves

auto search(IdaStarJournal& journal, unsigned threads) {
    return npuzzle::parallel_ida_star(puzzle, board, Manhattan{},
                                      {.threads = threads, .least_divided = 1'000, .journal = &journal});
}

std::string message(const std::string& path, const std::string& key = "8-puzzle") {
    return message_of<std::runtime_error>([&] {
        IdaStarJournal journal(path, key);
        search(journal, 2);
    });
}

} // namespace

#if __has_include(<sys/wait.h>)
TEST_CASE("a search that is killed again and again ends with the same totals", "[parallel_ida_star]") {
    const File file;
    const auto expected = npuzzle::ida_star(puzzle, board, Manhattan{});
    REQUIRE(expected.cost == 31);
    int kills = 0;
    std::size_t known = 0;
    std::chrono::microseconds unit{1}; // of the time until a search is killed, longer where nothing gets done
    for (unsigned run = 0; run < 100; ++run) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            IdaStarJournal journal(file.path, "8-puzzle");
            const bool is_same =
                search(journal, 1 + run % 3).statistics.expanded == expected.statistics.expanded;
            ::_exit(is_same ? 0 : 1);
        }
        std::this_thread::sleep_for((100 + 300 * (run % 17)) * unit);
        ::kill(child, SIGKILL);
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        if (WIFSIGNALED(status)) {
            CHECK(WTERMSIG(status) == SIGKILL);
            ++kills;
        } else {
            CHECK(WEXITSTATUS(status) == 0);
        }
        // What was finished is kept.
        const std::size_t size = file.read().size();
        CHECK(size / record_size >= known);
        known = size / record_size;
        if (known == 0 && run % 17 == 16) {
            unit *= 2;
        }
    }
    CHECK(kills > 0);
    CHECK(known > 0);
    IdaStarJournal journal(file.path, "8-puzzle");
    const auto result = search(journal, 2);
    CHECK(result.path == expected.path);
    CHECK(result.statistics.expanded == expected.statistics.expanded);
    CHECK(result.statistics.generated == expected.statistics.generated);
}
#endif

TEST_CASE("a record that was cut off is dropped", "[parallel_ida_star]") {
    const File file;
    {
        IdaStarJournal journal(file.path, "8-puzzle");
        search(journal, 2);
    }
    const std::string whole = file.read();
    const auto known = [&] {
        IdaStarJournal journal(file.path, "8-puzzle");
        CHECK(search(journal, 2).cost == 31);
        return journal.known();
    };
    const std::size_t all = known();
    file.write(whole.substr(0, whole.size() - 1));
    CHECK(known() == all - 1);
    file.write(whole + "torn");
    CHECK(known() == all);
    std::string damaged = whole;
    damaged.back() = static_cast<char>(damaged.back() ^ 1);
    file.write(damaged); // the last one: a power failure may leave that
    CHECK(known() == all - 1);
    file.write(whole.substr(0, 30)); // within the header
    CHECK(known() == 0);
}

#if __has_include(<sys/wait.h>)
TEST_CASE("a journal on a full disk ends the search, and is good for the next one", "[parallel_ida_star]") {
    const File file;
    ::rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    for (const rlim_t size : {50U, 1'000U, 1'001U, 2'000U}) {
        const ::rlimit full{size, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &full);
        const std::string said = message(file.path);
        ::setrlimit(RLIMIT_FSIZE, &before);
        CHECK(said.starts_with("the journal " + file.path + " cannot be written: "));
        CHECK(file.read().size() <= size);
    }
    std::signal(SIGXFSZ, handler);
    IdaStarJournal journal(file.path, "8-puzzle");
    CHECK(search(journal, 2).statistics.expanded ==
          npuzzle::ida_star(puzzle, board, Manhattan{}).statistics.expanded);
    CHECK(journal.known() > 10);
}

#endif

TEST_CASE("a journal of something else is refused by name", "[parallel_ida_star]") {
    const File file;
    {
        IdaStarJournal journal(file.path, "8-puzzle");
        search(journal, 2);
    }
    const std::string whole = file.read();
    const std::string name = "the journal " + file.path + " ";
    CHECK(message(file.path, "15-puzzle") ==
          name + "is of another search: its key is \"8-puzzle\" and not \"15-puzzle\"");
    CHECK(message_of<std::runtime_error>([&] {
              IdaStarJournal journal(file.path, "8-puzzle");
              npuzzle::parallel_ida_star(puzzle, PackedBoard<3>({8, 6, 7, 2, 5, 4, 3, 1, 0}), Manhattan{},
                                         {.least_divided = 1'000, .journal = &journal});
          }).starts_with(name + "is of another search: its search is"));
    file.write("what is this, it is long enough to be a journal, but it is none at all, is it");
    CHECK(message(file.path) == name + "is no journal of this version and this kind of machine");

    std::string damaged = whole;
    const std::size_t place = damaged.size() - 3 * record_size;
    damaged[place + 5] = static_cast<char>(damaged[place + 5] ^ 1);
    file.write(damaged);
    CHECK(message(file.path) == name + "is damaged at byte " + std::to_string(place));
    CHECK(file.read() == damaged);
    CHECK(message("no such folder/journal") == "the journal no such folder/journal cannot be opened");
}

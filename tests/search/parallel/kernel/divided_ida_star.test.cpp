#include <npuzzle/search/parallel/kernel/divided_ida_star.hpp>
#include <npuzzle/search/parallel/parallel_ida_star.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// What the search returns: parallel_ida_star.test.cpp. Here, what a journal gets of it and gives it.

namespace {

/// Keeps units in memory.
struct Kept : npuzzle::UnitJournal {
    std::vector<std::string> searches;
    std::map<std::pair<std::uint64_t, std::uint64_t>, npuzzle::UnitRecord> records;
    std::mutex mutex;
    std::size_t appended = 0;

    void begin(const std::string& search) override { searches.push_back(search); }
    const npuzzle::UnitRecord* find(std::uint64_t iteration, std::uint64_t unit) override {
        const auto found = records.find({iteration, unit});
        return found != records.end() ? &found->second : nullptr;
    }
    void append(const npuzzle::UnitRecord& record) override {
        const std::lock_guard lock(mutex);
        records[{record.iteration, record.unit}] = record;
        ++appended;
    }
};

/// All of the numbers below 100,000, each with three children.
auto search(npuzzle::UnitJournal* journal, unsigned threads) {
    const auto children = [](int n) {
        std::vector<int> result;
        for (int child = 3 * n + 1; child <= 3 * n + 3 && child < 100'000; ++child) {
            result.push_back(child);
        }
        return result;
    };
    return npuzzle::parallel_ida_star(npuzzle::problem_from<int>(children, [](int) { return false; }), 0,
                                      npuzzle::Zero{},
                                      {.threads = threads, .least_divided = 100, .journal = journal});
}

} // namespace

TEST_CASE("a search takes what a journal has, and appends the rest", "[parallel_ida_star]") {
    const auto expected = search(nullptr, 1);
    REQUIRE(expected.status == npuzzle::Status::unsolvable);
    const auto check = [&](Kept& kept, unsigned threads) {
        const auto result = search(&kept, threads);
        CHECK(result.status == expected.status);
        CHECK(result.statistics.expanded == expected.statistics.expanded);
        CHECK(result.statistics.generated == expected.statistics.generated);
    };
    Kept all;
    check(all, 2);
    CHECK(all.appended > 100);
    for (const unsigned threads : {1U, 2U, 3U}) {
        Kept kept;
        kept.records = all.records;
        for (auto record = kept.records.begin(); record != kept.records.end();) {
            record = record->first.second % 3 == 0 ? kept.records.erase(record) : std::next(record);
        }
        const std::size_t before = kept.records.size();
        check(kept, threads);
        CHECK(kept.records.size() == all.records.size());
        CHECK(std::equal(kept.records.begin(), kept.records.end(), all.records.begin(),
                         [](const auto& a, const auto& b) {
                             return a.first == b.first && a.second.expanded == b.second.expanded &&
                                    a.second.generated == b.second.generated;
                         }));
        CHECK(kept.appended == all.records.size() - before);
        CHECK(kept.searches == all.searches);
    }
}

TEST_CASE("a journal of another division is refused", "[parallel_ida_star]") {
    Kept kept;
    search(&kept, 2);
    for (auto& [place, record] : kept.records) {
        ++record.units;
    }
    CHECK_THROWS_AS(search(&kept, 2), std::runtime_error);
}

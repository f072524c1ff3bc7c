#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/memory/record_chains.hpp>

#include "support/catch.hpp"
#include "support/folder.hpp"
#include "support/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <new>
#include <tuple>
#include <vector>

namespace {

using npuzzle::MemoryBudget;
using npuzzle::detail::RecordChain;
using npuzzle::detail::RecordChains;

constexpr std::uint64_t unlimited = ~std::uint64_t{0};
constexpr std::size_t record_bytes = 13;
using Record = std::array<char, record_bytes>;

Record record_of(std::uint64_t number) {
    Record record{};
    std::memcpy(record.data(), &number, sizeof(number));
    record[record_bytes - 1] = static_cast<char>(number % 101);
    return record;
}

void append(RecordChains& chains, RecordChain& chain, const Record& record) {
    std::memcpy(chains.append(chain), record.data(), record_bytes);
}

std::vector<Record> records_of(RecordChains::Reader& reader, const RecordChain& chain,
                               std::uint64_t from = 0) {
    std::vector<Record> records;
    reader.begin(chain, from);
    for (auto [at, count] = reader.next(); count > 0; std::tie(at, count) = reader.next()) {
        for (std::uint32_t i = 0; i < count; ++i) {
            Record record;
            std::memcpy(record.data(), at + i * record_bytes, record_bytes);
            records.push_back(record);
        }
    }
    return records;
}

} // namespace

TEST_CASE("chains keep their records, with few blocks in memory or many", "[record_chains]") {
    const test::Folder folder;
    for (const std::uint64_t memory :
         {std::uint64_t{0}, std::uint64_t{3 * 4096}, std::uint64_t{16 * 4096}, unlimited}) {
        test::Random random(memory);
        MemoryBudget budget;
        {
            std::deque<RecordChain> chains;
            std::vector<std::vector<Record>> expected(10);
            RecordChains all(record_bytes, memory, folder.path, 4096, unlimited, budget);
            RecordChains::Reader reader(all);
            for (int i = 0; i < 10; ++i) {
                chains.emplace_back(budget);
            }
            for (std::uint64_t step = 0; step < 60'000; ++step) {
                const auto which = static_cast<std::size_t>(random.below(10) * random.below(10) / 10);
                if (random.one_in(6'000)) {
                    all.clear(chains[which]);
                    expected[which].clear();
                } else {
                    append(all, chains[which], record_of(step));
                    expected[which].push_back(record_of(step));
                }
                if (random.one_in(2'000)) {
                    REQUIRE(chains[which].size() == expected[which].size());
                    REQUIRE(records_of(reader, chains[which]) == expected[which]);
                    const std::uint64_t from = random.below(expected[which].size() + 1);
                    REQUIRE(records_of(reader, chains[which], from) ==
                            std::vector<Record>(expected[which].begin() + static_cast<std::ptrdiff_t>(from),
                                                expected[which].end()));
                }
            }
            CHECK(all.file().peak_bytes() > 0);
            if (memory == 16 * 4096) {
                CHECK(budget.peak() < 16 * 4096);
            }
            all.clear(chains[0]);
            chains.pop_front();
        }
        CHECK(budget.used() == 0);
    }
}

TEST_CASE("what is being read may go to the file meanwhile", "[record_chains]") {
    const test::Folder folder;
    for (const int blocks_before : {0, 1, 2, 3}) {
        MemoryBudget budget;
        RecordChain chain(budget);
        RecordChain other(budget);
        RecordChains all(record_bytes, 4096, folder.path, 4096, unlimited, budget);
        for (std::uint64_t i = 0; i < 700; ++i) {
            append(all, chain, record_of(i));
        }
        RecordChains::Reader reader(all);
        reader.begin(chain);
        std::uint64_t count = 0;
        for (int i = 0;; ++i) {
            if (i == blocks_before) {
                const std::uint64_t written = all.file().bytes();
                append(all, other, record_of(0)); // Only one block is in memory.
                CHECK(all.file().bytes() == written + 4096);
            }
            const auto [at, here] = reader.next();
            if (here == 0) {
                break;
            }
            for (std::uint32_t j = 0; j < here; ++j, ++count) {
                CHECK(std::memcmp(at + j * record_bytes, record_of(count).data(), record_bytes) == 0);
            }
        }
        CHECK(count == 700);
    }
}

TEST_CASE("no room in memory or in the file for more records", "[record_chains]") {
    const test::Folder folder;
    MemoryBudget budget(9'000);
    RecordChain chain(budget);
    RecordChain other(budget);
    RecordChain third(budget);
    RecordChains all(record_bytes, unlimited, folder.path, 4096, 4096, budget);
    append(all, chain, record_of(1));
    append(all, other, record_of(2));
    CHECK_THROWS_AS(append(all, third, record_of(3)), std::bad_alloc);
    CHECK(third.size() == 0);
    std::uint64_t count = 1;
    const auto fill = [&] {
        for (;; ++count) {
            append(all, chain, record_of(1));
        }
    };
    CHECK_THROWS_AS(fill(), std::bad_alloc);
    CHECK(count == 2 * (4096 / record_bytes)); // one block in the file, and one in memory
    CHECK(chain.size() == count);
}

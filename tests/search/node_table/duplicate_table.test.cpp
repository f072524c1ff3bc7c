#include <npuzzle/search/core/word.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/duplicate_table.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <cstdint>
#include <cstring>
#include <new>
#include <set>
#include <vector>

namespace {

using npuzzle::MemoryBudget;

struct Same {
    bool operator()(const char* a, const char* b) const { return std::memcmp(a, b, 8) == 0; }
};
using Table = npuzzle::detail::DuplicateTable<Same>;
using Insertion = Table::Insertion;

constexpr std::size_t record_bytes = 9; // a word, and what is not compared

struct Record {
    char bytes[record_bytes];
    Record(std::uint64_t word, char more) {
        std::memcpy(bytes, &word, 8);
        bytes[8] = more;
    }
};

std::uint64_t word_of(const char* record) {
    std::uint64_t word;
    std::memcpy(&word, record, 8);
    return word;
}

std::uint64_t hash_of(std::uint64_t word) {
    return npuzzle::detail::mix_word(word);
}

} // namespace

TEST_CASE("each record is wanted once, and not if it is known", "[duplicate_table]") {
    test::Random random(1);
    MemoryBudget budget;
    {
        Table table(record_bytes, Same{}, budget);
        for (const std::uint64_t count : {1U, 5U, 63U, 1'000U, 30'000U}) {
            for (const std::uint64_t parts : {1U, 2U, 7U}) {
                std::vector<std::uint64_t> arrived;
                std::set<std::uint64_t> wanted;
                for (std::uint64_t i = 0; i < count; ++i) {
                    arrived.push_back(random.below(count) * 0x123456789);
                    wanted.insert(arrived.back());
                }
                std::set<std::uint64_t> known;
                for (std::uint64_t i = 0; i < count / 2; ++i) {
                    known.insert(random.below(count) * 0x123456789);
                }
                std::set<std::uint64_t> found;
                std::uint64_t last = 0;
                std::uint64_t falls = 0;
                for (std::uint64_t part = 0; part < parts; ++part) {
                    std::set<std::uint64_t> here;
                    // Parts of few differ by chance.
                    table.begin(part, parts, count + 64 * parts);
                    for (const std::uint64_t word : arrived) {
                        if (table.is_in_part(hash_of(word))) {
                            table.prefetch(hash_of(word));
                            const bool is_new = here.insert(word).second;
                            const Record record(word, is_new ? 'n' : 'o');
                            REQUIRE(table.insert(record.bytes, hash_of(word)) ==
                                    (is_new ? Insertion::made : Insertion::found));
                        }
                    }
                    CHECK(table.size() == here.size());
                    for (const std::uint64_t word : known) {
                        if (table.is_in_part(hash_of(word))) {
                            const Record record(word, '?');
                            REQUIRE(table.drop(record.bytes, hash_of(word)) == (here.count(word) > 0));
                            REQUIRE_FALSE(table.drop(record.bytes, hash_of(word)));
                        }
                    }
                    std::uint64_t visited = 0;
                    table.for_each([&](const char* record) {
                        CHECK(record[8] == 'n');
                        CHECK(found.insert(word_of(record)).second);
                        falls += hash_of(word_of(record)) < last ? 1 : 0;
                        last = hash_of(word_of(record));
                        ++visited;
                    });
                    CHECK(visited == table.size());
                }
                for (const std::uint64_t word : known) {
                    wanted.erase(word);
                }
                CHECK(found == wanted);
                CHECK(falls * 2 <= found.size() + 64); // in order, but for neighbors
            }
        }
        CHECK(budget.used() > 0);
        table.release();
        CHECK(budget.used() == 0);
    }
}

TEST_CASE("parts fit in the memory that there is", "[duplicate_table]") {
    for (const std::uint64_t bytes : {10'000U, 1'000'000U}) {
        for (const std::uint64_t records : {500U, 10'000U, 300'000U}) {
            MemoryBudget budget(bytes);
            Table table(record_bytes, Same{}, budget);
            const std::uint64_t parts = table.parts(records, bytes);
            CHECK((parts == 1) == (records * 5 / 4 * 10 <= bytes));
            CHECK(parts <= records * 5 / 4 * 10 * 5 / 4 / bytes + 1);
            std::vector<std::uint64_t> sizes(parts, 0);
            for (std::uint64_t part = 0; part < parts; ++part) {
                table.begin(part, parts, records);
                for (std::uint64_t word = 0; word < records; ++word) {
                    sizes[part] += table.is_in_part(hash_of(word)) ? 1 : 0;
                }
            }
            std::uint64_t sum = 0;
            for (const std::uint64_t size : sizes) {
                sum += size;
            }
            CHECK(sum == records);
        }
    }
}

TEST_CASE("a table that is full, and one for which there is no memory", "[duplicate_table]") {
    MemoryBudget budget(10'000);
    Table table(record_bytes, Same{}, budget);
    table.begin(0, 1, 100);
    std::uint64_t made = 0;
    for (;; ++made) {
        const Record record(made, 'n');
        const Insertion insertion = table.insert(record.bytes, hash_of(made));
        if (insertion == Insertion::full) {
            break;
        }
        REQUIRE(insertion == Insertion::made);
    }
    CHECK(made >= 100);
    CHECK(table.size() == made);
    const Record known(0, 'n');
    CHECK(table.insert(known.bytes, hash_of(0)) == Insertion::found);
    const Record unknown(1'000, 'n');
    CHECK_FALSE(table.drop(unknown.bytes, hash_of(1'000)));
    CHECK_THROWS_AS(table.begin(0, 1, 10'000), std::bad_alloc);
    table.begin(0, 1, 100);
    CHECK(table.size() == 0);
}

#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/memory/detail/pool.hpp>
#include <npuzzle/search/memory/storage.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace {

using npuzzle::MemoryBudget;
using npuzzle::detail::Blocks;
using npuzzle::detail::ChunkSequence;
using npuzzle::detail::Storage;

struct alignas(64) Line {
    std::uint64_t number;
    char rest[56];
};

void fill(Storage<Line>& storage, std::size_t from) {
    for (std::size_t i = from; i < storage.size(); ++i) {
        storage[i].number = 7 * i;
    }
}

bool is_filled(const Storage<Line>& storage, std::size_t count, std::size_t first = 0) {
    for (std::size_t i = 0; i < count; ++i) {
        if (storage[i].number != 7 * (first + i)) {
            return false;
        }
    }
    return true;
}

} // namespace

TEST_CASE("storage grows, aligned, and keeps what it holds", "[storage]") {
    MemoryBudget budget;
    {
        Storage<Line> storage(budget);
        CHECK(storage.size() == 0);
        // From bytes to 64 MiB: through pages of every size that the system has.
        for (std::size_t size = 1; size <= std::size_t{1} << 20;
             size = size < 100 ? size + 33 : 2 * size + 1) {
            const std::size_t before = storage.size();
            storage.grow(size);
            CHECK(storage.size() == size);
            CHECK(budget.used() == size * sizeof(Line));
            CHECK(reinterpret_cast<std::uintptr_t>(storage.data()) % 64 == 0);
            CHECK(is_filled(storage, before));
            fill(storage, before);
        }
    }
    CHECK(budget.used() == 0);
}

TEST_CASE("storage that is refused memory is as it was", "[storage]") {
    MemoryBudget budget(10 * sizeof(Line) + 50'000 * sizeof(Line));
    Storage<Line> storage(budget);
    for (const std::size_t size : {std::size_t{10}, std::size_t{50'000}}) {
        const std::size_t before = storage.size();
        storage.grow(size);
        fill(storage, before);
        CHECK_THROWS_AS(storage.grow(50'011), std::bad_alloc);
        CHECK_THROWS_AS(storage.grow(~std::size_t{0} / 64), std::bad_alloc);
        CHECK(storage.size() == size);
        CHECK(is_filled(storage, size));
        CHECK(budget.used() == size * sizeof(Line));
    }
}

TEST_CASE("storage is cut into parts that live on", "[storage]") {
    for (const std::size_t part : {std::size_t{3}, std::size_t{1} << 15, (std::size_t{1} << 15) + 64}) {
        MemoryBudget budget;
        Storage<Line> storage(budget);
        storage.grow(4 * part);
        fill(storage, 0);
        {
            auto parts = storage.cut<4>();
            CHECK(storage.size() == 0);
            CHECK(budget.used() == 4 * part * sizeof(Line));
            for (std::size_t i = 0; i < 4; ++i) {
                CHECK(parts[i].size() == part);
                CHECK(is_filled(parts[i], part, i * part));
            }
            parts[1].grow(2 * part);
            CHECK(is_filled(parts[1], part, part));
            Storage<Line> moved = std::move(parts[2]);
            CHECK(is_filled(moved, part, 2 * part));
            CHECK(is_filled(parts[3], part, 3 * part));
        }
        CHECK(budget.used() == 0);
        storage.grow(1);
        CHECK(storage.size() == 1);
    }
}

TEST_CASE("blocks last, aligned, and are counted", "[storage]") {
    MemoryBudget budget(std::size_t{5} << 20);
    {
        Blocks blocks(budget);
        std::vector<char*> added;
        for (const std::size_t size : {std::size_t{100}, std::size_t{3} << 20, std::size_t{7}}) {
            added.push_back(blocks.add(size, 64));
            CHECK(reinterpret_cast<std::uintptr_t>(added.back()) % 64 == 0);
            std::memset(added.back(), static_cast<int>(added.size()), size);
        }
        CHECK_THROWS_AS(blocks.add(std::size_t{2} << 20, 64), std::bad_alloc);
        CHECK(added[0][99] == 1);
        CHECK(added[1][(std::size_t{3} << 20) - 1] == 2);
        CHECK(added[2][6] == 3);
        CHECK(budget.used() >= (std::size_t{3} << 20) + 107);
    }
    CHECK(budget.used() == 0);
}

TEMPLATE_TEST_CASE("what is in a sequence of chunks never moves", "[storage]", std::uint16_t, Line) {
    MemoryBudget budget;
    {
        ChunkSequence<TestType> sequence(budget);
        std::vector<TestType*> places;
        for (std::size_t i = 0; i < 100'000; ++i) {
            sequence.reserve_next(i);
            places.push_back(&sequence[i]);
            std::memcpy(static_cast<void*>(places.back()), &i, 2);
        }
        bool is_kept = true;
        for (std::size_t i = 0; i < places.size(); ++i) {
            is_kept = is_kept && &sequence[i] == places[i] && std::memcmp(places[i], &i, 2) == 0;
        }
        CHECK(is_kept);
        // No more than a quarter, and one chunk, is waiting.
        CHECK(budget.used() < 100'000 * sizeof(TestType) * 4 / 3 + 100'000);
    }
    CHECK(budget.used() == 0);
}

TEST_CASE("a short sequence of chunks takes little memory", "[storage]") {
    MemoryBudget budget;
    ChunkSequence<std::uint64_t> sequence(budget);
    const std::uint64_t room = sequence.grow();
    CHECK(room >= 16);
    CHECK(budget.used() < room * sizeof(std::uint64_t) + 1024);
    CHECK(sequence.grow() > 2 * room);
}

TEST_CASE("what a pool has taken back is taken again", "[storage]") {
    struct Object {
        std::uint64_t number;
        Object* next;
    };
    MemoryBudget budget;
    npuzzle::detail::Pool<Object> pool(budget);
    std::uint64_t used = 0;
    for (int round = 0; round < 4; ++round) {
        std::vector<Object*> objects;
        for (std::uint64_t i = 0; i < 10'000; ++i) {
            if (i % 3 == 2) {
                pool.give_back(objects.back());
                objects.pop_back();
            }
            objects.push_back(pool.take());
            objects.back()->number = objects.size();
        }
        bool are_distinct = true;
        for (std::size_t i = 0; i < objects.size(); ++i) {
            are_distinct = are_distinct && objects[i]->number == i + 1;
        }
        CHECK(are_distinct);
        CHECK((round == 0 || budget.used() == used));
        used = budget.used();
        pool.clear();
    }
}

TEST_CASE("a sequence of chunks that is refused memory is as it was", "[storage]") {
    MemoryBudget budget(std::size_t{1} << 20);
    ChunkSequence<std::uint64_t> sequence(budget);
    std::uint64_t size = 0;
    CHECK_THROWS_AS(
        [&] {
            for (;; ++size) {
                sequence.reserve_next(size);
                sequence[size] = size;
            }
        }(),
        std::bad_alloc);
    CHECK(size > 60'000);
    CHECK_THROWS_AS(sequence.reserve_next(size), std::bad_alloc);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
        sum += sequence[i];
    }
    CHECK(sum == size * (size - 1) / 2);
}

#include <npuzzle/search/node_table/line_storage.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace {

using npuzzle::detail::LineStorage;
using npuzzle::detail::MemoryBudget;

struct alignas(64) Line {
    std::uint64_t number;
    char rest[56];
};

void fill(LineStorage<Line>& storage, std::size_t from) {
    for (std::size_t i = from; i < storage.size(); ++i) {
        storage[i].number = 7 * i;
    }
}

bool is_filled(const LineStorage<Line>& storage, std::size_t count, std::size_t first = 0) {
    for (std::size_t i = 0; i < count; ++i) {
        if (storage[i].number != 7 * (first + i)) {
            return false;
        }
    }
    return true;
}

} // namespace

TEST_CASE("storage grows, aligned, and keeps what it holds", "[line_storage]") {
    MemoryBudget budget;
    {
        LineStorage<Line> storage(budget);
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

TEST_CASE("storage that is refused memory is as it was", "[line_storage]") {
    MemoryBudget budget(10 * sizeof(Line) + 50'000 * sizeof(Line));
    LineStorage<Line> storage(budget);
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

TEST_CASE("storage is cut into parts that live on", "[line_storage]") {
    for (const std::size_t part : {std::size_t{3}, std::size_t{1} << 15, (std::size_t{1} << 15) + 64}) {
        MemoryBudget budget;
        LineStorage<Line> storage(budget);
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
            LineStorage<Line> moved = std::move(parts[2]);
            CHECK(is_filled(moved, part, 2 * part));
            CHECK(is_filled(parts[3], part, 3 * part));
        }
        CHECK(budget.used() == 0);
        storage.grow(1);
        CHECK(storage.size() == 1);
    }
}

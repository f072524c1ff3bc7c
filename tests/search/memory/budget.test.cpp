#include <npuzzle/search/memory/budget.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

namespace {

// What is aligned by more than usual, and whether it is refused.
int aligned_blocks = 0;
bool is_refused = false;

} // namespace

void* operator new(std::size_t size, std::align_val_t alignment) {
    void* const block = is_refused ? nullptr : std::aligned_alloc(static_cast<std::size_t>(alignment), size);
    if (block == nullptr) {
        throw std::bad_alloc();
    }
    ++aligned_blocks;
    return block;
}

void operator delete(void* block, std::align_val_t) noexcept {
    --aligned_blocks;
    std::free(block);
}

namespace {

using npuzzle::BudgetAllocator;
using npuzzle::MemoryBudget;

static_assert(!std::is_copy_constructible_v<MemoryBudget> && !std::is_copy_assignable_v<MemoryBudget>);

} // namespace

TEST_CASE("a budget draws on a source, and gives back what it drew", "[memory]") {
    struct Source final : npuzzle::MemorySource {
        std::size_t left = 50;
        bool take(std::size_t bytes) noexcept override {
            if (left < bytes) {
                return false;
            }
            left -= bytes;
            return true;
        }
        void give_back(std::size_t bytes) noexcept override { left += bytes; }
    } source;
    MemoryBudget budget(10);
    budget.acquire(5);
    budget.draw_on(source);
    CHECK(source.left == 45);
    budget.acquire(30);
    CHECK(source.left == 15);
    CHECK_THROWS_AS(budget.acquire(16), std::bad_alloc);
    CHECK(budget.used() == 35);
    budget.acquire(15);
    CHECK(source.left == 0);
    CHECK(budget.peak() == 50);
    budget.release(45);
    CHECK(source.left == 45);
    budget.release(5);
    CHECK(source.left == 50);
    MemoryBudget large(100);
    large.acquire(60);
    CHECK_THROWS_AS(large.draw_on(source), std::bad_alloc);
    CHECK(large.used() == 60);
}

TEST_CASE("a budget counts, and refuses what is beyond its limit", "[memory]") {
    MemoryBudget budget(100);
    budget.acquire(60);
    budget.acquire(40);
    CHECK(budget.used() == 100);
    CHECK_THROWS_AS(budget.acquire(1), std::bad_alloc);
    CHECK_THROWS_AS(budget.acquire(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
    CHECK(budget.used() == 100);
    budget.acquire(0);
    budget.release(60);
    CHECK(budget.used() == 40);
    CHECK(budget.peak() == 100);
    CHECK_THROWS_AS(budget.acquire(61), std::bad_alloc);
    budget.acquire(60);
    CHECK(budget.peak() == 100);
    CHECK(budget.limit() == 100);

    MemoryBudget none(0);
    CHECK_THROWS_AS(none.acquire(1), std::bad_alloc);
    CHECK(none.peak() == 0);

    MemoryBudget unlimited;
    unlimited.acquire(std::numeric_limits<std::size_t>::max());
    CHECK_THROWS_AS(unlimited.acquire(1), std::bad_alloc);
}

TEST_CASE("an allocator is on a budget", "[memory]") {
    MemoryBudget budget(1000);
    {
        std::vector<std::uint32_t, BudgetAllocator<std::uint32_t>> values{
            BudgetAllocator<std::uint32_t>(budget)};
        values.reserve(100);
        CHECK(budget.used() == 400);
        values.resize(100);
        CHECK_THROWS_AS(values.reserve(200), std::bad_alloc); // Old and new storage at one time.
        CHECK(values.size() == 100);
        CHECK(budget.used() == 400);
        values.reserve(150);
        CHECK(budget.used() == 600);
        CHECK(budget.peak() == 1000);
    }
    CHECK(budget.used() == 0);

    BudgetAllocator<std::uint64_t> allocator(budget);
    CHECK_THROWS_AS(static_cast<void>(allocator.allocate(std::numeric_limits<std::size_t>::max() / 4)),
                    std::bad_alloc);
    CHECK(budget.used() == 0);

    MemoryBudget other(1000);
    CHECK(allocator == BudgetAllocator<char>(budget));
    CHECK(allocator == BudgetAllocator<char>(allocator));
    CHECK(allocator != BudgetAllocator<std::uint64_t>(other));
}

TEST_CASE("what is aligned by more than usual goes back the way it came", "[memory]") {
    struct alignas(64) Line {
        std::uint8_t bytes[64];
    };
    MemoryBudget budget(1000);
    BudgetAllocator<Line> lines(budget);
    BudgetAllocator<char> text(budget);
    Line* const line = lines.allocate(2);
    char* const letters = text.allocate(10);
    CHECK(aligned_blocks == 1);
    CHECK(budget.used() == 138);
    text.deallocate(letters, 10);
    CHECK(aligned_blocks == 1);
    lines.deallocate(line, 2);
    CHECK(aligned_blocks == 0);
    CHECK(budget.used() == 0);

    is_refused = true;
    CHECK_THROWS_AS(static_cast<void>(lines.allocate(2)), std::bad_alloc);
    is_refused = false;
    CHECK(budget.used() == 0);
}

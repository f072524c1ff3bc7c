#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/indexed.hpp>
#include <npuzzle/search/node_table/node_table.hpp>
#include <npuzzle/search/node_table/packed.hpp>
#include <npuzzle/search/node_table/pooled.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"

#include <cstdint>
#include <map>
#include <new>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

// One suite over all node tables.

namespace {

using npuzzle::IndexedNodeTable;
using npuzzle::MemoryBudget;
using npuzzle::PackedNodeTable;
using npuzzle::PooledNodeTable;
using test::Compact;
using test::CompactWithEqualKeys;
using test::Random;
using test::Ring;
using test::WithIndex;
using test::WithMoves;
using test::WithWords;

struct NotATable {};
static_assert(!npuzzle::NodeTable<NotATable>);
static_assert(npuzzle::NodeTable<archetype::NodeTable<Ring, int>>);
static_assert(!npuzzle::FindsNodes<archetype::NodeTable<Ring, int>>);
static_assert(npuzzle::FindsNodes<PooledNodeTable<Ring, int>>);

/// All states have the same hash.
template <class Base>
struct Colliding : Base {
    using Base::Base;
    std::size_t hash(int) const { return 42; }
};

/// Words of 128 bits, of which the low ones are the same for many states.
template <class Base>
struct WithWideWords : Base {
    using Base::Base;
    using Word = npuzzle::detail::uint128;
    Word pack(int vertex) const {
        const auto number = static_cast<Word>(static_cast<unsigned>(vertex));
        return static_cast<Word>(number << 70 | number % 3);
    }
    int unpack(Word word) const { return static_cast<int>(static_cast<std::uint64_t>(word >> 70)); }
};

template <class Base>
struct WithNarrowCosts : Base {
    using Base::Base;
    static constexpr int longest_path = 255;
};

/// A table and its problem, and beside them what should be in the table.
template <class Table>
class Compared {
    using Problem = typename Table::Problem;
    using Parts = typename Table::Parts;
    using Link = typename Parts::Link;

    struct Expected {
        int cost = 0;
        int parent = -1;
        bool is_closed = true;
        bool is_relaxed = false;
    };

public:
    Compared(std::uint64_t seed, int size, MemoryBudget& budget)
        : random_(seed), problem_(seed, size, 0), table_(problem_, budget) {}

    Problem& problem() { return problem_; }
    Parts& table() { return table_; }

    void insert_root(int state) {
        auto [node, is_new] = table_.insert(int{state});
        CHECK(is_new);
        CHECK(node.is_closed());
        node.relax(0, 0, Parts::root(node));
        keys_.emplace(state, node.key());
        expected_[state] = {0, -1, false, true};
    }

    /// Goes from a state that is known and has a path to one beside it, which may be known or not, and may be
    /// given this way as its path, or closed.
    void step() {
        int from = 0;
        do {
            from = std::next(keys_.begin(), random_.between(0, static_cast<int>(keys_.size()) - 1))->first;
        } while (!expected_[from].is_relaxed);
        const auto direction = random_.below(Ring::offsets.size());
        const int to = problem_.after(from, direction);
        const Link link = Parts::link(table_.insert(int{from}).first, move(direction));

        const bool should_be_new = keys_.count(to) == 0;
        if constexpr (npuzzle::FindsNodes<Parts>) {
            const auto found = table_.find(table_.lookup_hint(to), to);
            CHECK(found.has_value() != should_be_new);
            if (found) {
                CHECK(found->key() == keys_.at(to));
                CHECK(found->state() == to);
            }
        }
        auto [node, is_new] = table_.insert(int{to});
        CHECK(is_new == should_be_new);
        CHECK(node.state() == to);
        if (is_new) {
            CHECK(node.is_closed());
            keys_.emplace(to, node.key());
        } else {
            CHECK(node.key() == keys_.at(to));
        }
        Expected& expected = expected_[to];
        if (to != 0 && random_.one_in(2)) {
            const int cost = random_.between(0, 200);
            node.relax(cost, cost + 1, link);
            expected = {cost, from, false, true};
        } else if (random_.one_in(4)) {
            node.close();
            expected.is_closed = true;
        }
    }

    void check_all() {
        CHECK(table_.size() == keys_.size());
        int wrong = 0;
        for (const auto& [state, key] : keys_) {
            const auto node = table_.insert(int{state}).first;
            const Expected& expected = expected_[state];
            bool is_right =
                node.key() == key && node.state() == state && node.is_closed() == expected.is_closed;
            if (expected.is_relaxed) {
                is_right =
                    is_right && node.cost() == expected.cost && node.is_root() == (expected.parent < 0);
                if (expected.parent >= 0) {
                    is_right = is_right && table_.parent(node).state() == expected.parent;
                    is_right = is_right && table_.parent(node).key() == keys_.at(expected.parent);
                }
                for (std::size_t i = 0; i < Ring::offsets.size(); ++i) {
                    const int beside = problem_.after(state, i);
                    is_right = is_right && table_.leads_back(node, beside) == (beside == expected.parent);
                }
                if constexpr (Parts::stores_estimate) {
                    is_right = is_right && (expected.parent < 0 || node.estimate() == expected.cost + 1);
                }
            }
            wrong += is_right ? 0 : 1;
        }
        CHECK(wrong == 0);
    }

    void clear() {
        table_.clear();
        keys_.clear();
        expected_.clear();
        CHECK(table_.size() == 0);
    }

private:
    static typename Parts::Move move(std::size_t direction) {
        if constexpr (npuzzle::MoveProblem<Problem>) {
            return static_cast<typename Parts::Move>(direction);
        } else {
            return {};
        }
    }

    Random random_;
    Problem problem_;
    Parts table_;
    std::map<int, typename Parts::Key> keys_;
    std::map<int, Expected> expected_;
};

template <class P>
struct Pooled {
    using Problem = P;
    using Parts = PooledNodeTable<P, int>;
};
template <class P>
struct Packed {
    using Problem = P;
    using Parts = PackedNodeTable<P, int>;
};
/// Cut into segments when it has 32 lines, or as many as there are regions.
template <class P>
struct Cut {
    using Problem = P;
    using Parts = PackedNodeTable<P, int, npuzzle::detail::packed_line_t<P, int>, 32 * 64>;
};
template <class P>
struct Indexed {
    using Problem = P;
    using Parts = IndexedNodeTable<P, int>;
};
template <class P>
struct Archetype {
    using Problem = P;
    using Parts = archetype::NodeTable<P, int>;
};

} // namespace

#define NPUZZLE_REAL_TABLES                                                                                  \
    Pooled<Ring>, Pooled<WithMoves<Ring>>, Packed<WithWords<Ring>>, Packed<WithWords<WithMoves<Ring>>>,      \
        Packed<WithWideWords<Ring>>, Packed<WithNarrowCosts<WithWideWords<WithMoves<Ring>>>>,                \
        Packed<Compact<WithWords<WithMoves<Ring>>>>, Packed<CompactWithEqualKeys<WithMoves<Ring>>>,          \
        Cut<WithWords<Ring>>, Cut<Compact<WithWords<WithMoves<Ring>>>>,                                      \
        Cut<CompactWithEqualKeys<WithMoves<Ring>>>

// These take all of their memory at once.
#define NPUZZLE_INDEXED_TABLES Indexed<WithIndex<Ring>>, Indexed<WithIndex<WithMoves<Ring>>>

TEMPLATE_TEST_CASE("a table keeps what it was told, while it grows", "[node_table]", NPUZZLE_REAL_TABLES,
                   NPUZZLE_INDEXED_TABLES, Pooled<Colliding<Ring>>, Archetype<Ring>) {
    STATIC_REQUIRE(npuzzle::NodeTable<typename TestType::Parts>);
    for (const std::uint64_t seed : {1U, 2U}) {
        MemoryBudget budget;
        {
            Compared<TestType> compared(seed, 700, budget);
            CHECK(compared.table().size() == 0);
            CHECK(budget.used() == 0);
            compared.insert_root(0);
            for (int i = 0; i < 4000; ++i) {
                compared.step();
                if (i % 500 == 0 || i < 5) {
                    compared.check_all();
                }
            }
            compared.check_all();
            CHECK(compared.table().size() > 300); // Grown four times at least.
        }
        CHECK(budget.used() == 0);
    }
}

TEMPLATE_TEST_CASE("a table that was cleared is empty, and keeps its storage", "[node_table]",
                   NPUZZLE_REAL_TABLES, NPUZZLE_INDEXED_TABLES) {
    MemoryBudget budget;
    Compared<TestType> compared(3, 300, budget);
    std::uint64_t used = 0;
    for (int round = 0; round < 3; ++round) {
        compared.insert_root(0);
        for (int i = 0; i < 3000; ++i) {
            compared.step();
        }
        compared.check_all();
        compared.clear();
        used = used == 0 ? budget.used() : used;
        // What a growth needs for a moment is kept too, and may have become a little more.
        CHECK(budget.used() >= used);
        CHECK(budget.used() <= used + 4096);
    }
}

TEMPLATE_TEST_CASE("states may be probed before the table has any node, and before it grows", "[node_table]",
                   NPUZZLE_REAL_TABLES, NPUZZLE_INDEXED_TABLES) {
    using Table = typename TestType::Parts;
    MemoryBudget budget;
    const typename TestType::Problem problem(4, 2000, 0);
    Table table(problem, budget);
    for (const int from : {0, 1000}) {
        std::vector<typename Table::Probe> probes;
        for (int state = from; state < from + 1000; ++state) {
            probes.push_back(table.probe(int{state}));
        }
        for (auto& probe : probes) {
            auto [node, is_new] = table.insert(std::move(probe));
            CHECK(is_new);
            node.relax(node.state() % 200, 0, Table::root(node));
        }
    }
    CHECK(table.size() == 2000);
    int wrong = 0;
    for (int state = 0; state < 2000; ++state) {
        auto [node, is_new] = table.insert(int{state});
        wrong += !is_new && node.cost() == state % 200 ? 0 : 1;
    }
    CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("a table holds very many nodes", "[node_table]", NPUZZLE_REAL_TABLES) {
    constexpr int count = 60'000;
    MemoryBudget budget;
    const typename TestType::Problem problem(4, 61, 0);
    typename TestType::Parts table(problem, budget);
    std::vector<typename TestType::Parts::Key> keys;
    for (int state = 0; state < count; ++state) {
        auto [node, is_new] = table.insert(state * 7 % count);
        CHECK((is_new && node.is_closed()));
        node.relax(state % 250, 0, TestType::Parts::root(node));
        keys.push_back(node.key());
    }
    CHECK(table.size() == count);
    int wrong = 0;
    for (int state = 0; state < count; ++state) {
        auto [node, is_new] = table.insert(state * 7 % count);
        wrong += node.key() == keys[static_cast<std::size_t>(state)] && !is_new ? 0 : 1;
        wrong += node.state() == state * 7 % count && node.cost() == state % 250 && node.is_root() ? 0 : 1;
    }
    CHECK(wrong == 0);
    CHECK(table.size() == count);
}

TEMPLATE_TEST_CASE("a table that is refused memory is as it was", "[node_table]", NPUZZLE_REAL_TABLES) {
    const typename TestType::Problem problem(5, 61, 0);
    std::vector<typename TestType::Parts::Key> keys;
    const auto fill = [&](typename TestType::Parts& table, int count) {
        while (table.size() < static_cast<std::uint64_t>(count)) {
            const auto state = static_cast<int>(table.size());
            auto [node, is_new] = table.insert(int{state});
            node.relax(state % 100, 0, TestType::Parts::root(node));
            keys.push_back(node.key());
        }
    };
    const auto is_right = [&](typename TestType::Parts& table, int count) {
        bool result = table.size() == static_cast<std::uint64_t>(count);
        for (int state = 0; state < count; ++state) {
            const auto node = table.insert(int{state}).first;
            result = result && node.key() == keys[static_cast<std::size_t>(state)] && node.state() == state &&
                     node.cost() == state % 100;
        }
        return result;
    };
    SECTION("and goes on when there is memory again") {
        constexpr std::uint64_t others = npuzzle::Limits::unlimited - 600'000;
        MemoryBudget budget;
        typename TestType::Parts table(problem, budget);
        budget.acquire(others);
        CHECK_THROWS_AS(fill(table, 1'000'000), std::bad_alloc);
        const auto size = static_cast<int>(table.size());
        CHECK(size > 100);
        CHECK(is_right(table, size));
        CHECK_THROWS_AS(table.insert(int{size}), std::bad_alloc);
        CHECK(is_right(table, size));
        budget.release(others);
        fill(table, size + 1000);
        CHECK(is_right(table, size + 1000));
        CHECK_FALSE(table.insert(size - 1).second);
    }
    SECTION("at each limit below its need") {
        MemoryBudget unlimited;
        {
            typename TestType::Parts table(problem, unlimited);
            fill(table, 2000);
        }
        const std::uint64_t need = unlimited.peak();
        for (std::uint64_t limit = 0; limit < need; limit += 511) {
            MemoryBudget budget(limit);
            {
                typename TestType::Parts table(problem, budget);
                CHECK_THROWS_AS(fill(table, 2000), std::bad_alloc);
                CHECK(budget.used() <= limit);
            }
            CHECK(budget.used() == 0);
        }
        MemoryBudget budget(need);
        typename TestType::Parts table(problem, budget);
        CHECK_NOTHROW(fill(table, 2000));
    }
}

#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/node_table/node_table.hpp>
#include <npuzzle/search/node_table/packed.hpp>
#include <npuzzle/search/node_table/pooled.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"
#include "support/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// One suite over all node tables, then what only one of them promises.

namespace {

using npuzzle::IndexedNodeTable;
using npuzzle::MemoryBudget;
using npuzzle::PackedNodeTable;
using npuzzle::PooledNodeTable;
using npuzzle::detail::Mixer;
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
static_assert(PooledNodeTable<Ring, int>::finds_duplicates);
static_assert(IndexedNodeTable<WithIndex<Ring>, int>::finds_duplicates);
static_assert(PackedNodeTable<Compact<WithMoves<WithWords<Ring>>>, int>::finds_duplicates);
static_assert(!PooledNodeTable<Ring, int, npuzzle::detail::NoIndex>::finds_duplicates);

/// All states have the same hash.
template <class Base>
struct Colliding : Base {
    using Base::Base;
    std::size_t hash(int) const { return 42; }
};

/// Words of `bits` bits. Twelve states at a time have the same key, and differ in single bits all over the
/// rest of the mixed word.
template <unsigned bits, int longest = 1000>
struct EqualKeys : WithMoves<Ring> {
    using WithMoves::WithMoves;
    using Word = std::uint64_t;
    static constexpr unsigned word_bits = bits;
    static constexpr int longest_path = longest;
    static constexpr unsigned group = 12;

    static unsigned place_of_bit(unsigned i) { return i * (bits - 33) / (group - 1); }

    Word pack(int vertex) const {
        const auto number = static_cast<unsigned>(vertex);
        const auto key = static_cast<Word>(number / group * 2654435761U);
        return Mixer<bits>::unmix(key << (bits - 32) | Word{1} << place_of_bit(number % group));
    }
    int unpack(Word word) const {
        const Word item = Mixer<bits>::mix(word);
        unsigned i = 0;
        while ((item >> place_of_bit(i) & 1) == 0) {
            ++i;
        }
        constexpr std::uint32_t inverse = 244002641; // of 2654435761, modulo 2^32
        return static_cast<int>(static_cast<std::uint32_t>(item >> (bits - 32)) * inverse * group + i);
    }
};

using InRegions = EqualKeys<50, 5000>;

// The longest words that fit with costs of ten bits and six moves, and the longest costs.
static_assert(npuzzle::detail::fits_packed_nodes<EqualKeys<62>, int>);
static_assert(!npuzzle::detail::fits_packed_nodes<EqualKeys<63>, int>);
static_assert(!npuzzle::detail::fits_packed_nodes<EqualKeys<62>, double>);
static_assert(!npuzzle::detail::fits_packed_nodes<EqualKeys<32, 1 << 27>, int>);

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
        if constexpr (requires(const Parts& table) { table.find(table.lookup_hint(0), 0); }) {
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
                if constexpr (Parts::stores_estimate) {
                    is_right = is_right && (expected.parent < 0 || node.estimate() == expected.cost + 1);
                }
                const auto is_it = [state = state](int other) { return other == state; };
                const auto open = table_.find_open(key, expected.cost, is_it);
                is_right = is_right && open.has_value() == !expected.is_closed &&
                           (!open || open->state() == state) &&
                           !table_.find_open(key, expected.cost + 1, is_it);
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
/// By quarters from 32 lines on, or from as many as there are in four pages of each region.
template <class P>
struct ByQuarters {
    using Problem = P;
    using Parts = PackedNodeTable<P, int, 32 * 64>;
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
    Pooled<Ring>, Pooled<WithMoves<Ring>>, Packed<Compact<WithWords<WithMoves<Ring>>>>,                      \
        ByQuarters<CompactWithEqualKeys<WithMoves<Ring>>>, ByQuarters<InRegions>

// These take all of their memory at once.
#define NPUZZLE_INDEXED_TABLES Indexed<WithIndex<Ring>>, Indexed<WithIndex<WithMoves<Ring>>>

TEMPLATE_TEST_CASE("a table keeps what it was told, while it grows", "[node_table]", NPUZZLE_REAL_TABLES,
                   NPUZZLE_INDEXED_TABLES, Packed<EqualKeys<62>>, Pooled<Colliding<Ring>>, Archetype<Ring>) {
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

TEMPLATE_TEST_CASE("a table holds very many nodes, which may be probed before it grows", "[node_table]",
                   NPUZZLE_REAL_TABLES) {
    using Table = typename TestType::Parts;
    constexpr int count = 60'000;
    MemoryBudget budget;
    const typename TestType::Problem problem(4, 61, 0);
    Table table(problem, budget);
    std::vector<typename Table::Key> keys;
    for (int first = 0; first < count; first += 1000) {
        std::vector<typename Table::Probe> probes;
        for (int state = first; state < first + 1000; ++state) {
            probes.emplace_back(table, state * 7 % count);
        }
        for (auto& probe : probes) {
            auto [node, is_new] = table.insert(std::move(probe));
            CHECK((is_new && node.is_closed()));
            node.relax(static_cast<int>(keys.size()) % 250, 0, Table::root(node));
            keys.push_back(node.key());
        }
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
            const auto node = *table.find(table.lookup_hint(state), state);
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
                try {
                    fill(table, 2000);
                    CHECK(limit > need / 2); // A table that may not double grows by less.
                } catch (const std::bad_alloc&) {
                    CHECK(table.size() < 2000);
                }
                CHECK(budget.used() <= limit);
                CHECK(is_right(table, static_cast<int>(table.size())));
            }
            CHECK(budget.used() == 0);
        }
        MemoryBudget budget(need);
        typename TestType::Parts table(problem, budget);
        CHECK_NOTHROW(fill(table, 2000));
    }
}

// Packed tables.

namespace {

template <unsigned bits>
void check_mixer() {
    constexpr std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
    int wrong = 0;
    for (unsigned shift = 0; shift + 8 <= bits; ++shift) {
        std::set<unsigned> homes;
        for (unsigned i = 0; i < 256; ++i) {
            const std::uint64_t number = (std::uint64_t{i} << shift ^ (i % 2 == 0 ? 0 : mask)) & mask;
            const std::uint64_t result = Mixer<bits>::mix(number);
            wrong += result <= mask && Mixer<bits>::unmix(result) == number ? 0 : 1;
            homes.insert(static_cast<unsigned>(result >> (bits - 10)));
        }
        // 226 are to be expected of 256 random numbers below 1024, give or take 5.
        wrong += homes.size() > 160 ? 0 : 1;
    }
    CHECK(wrong == 0);
}

} // namespace

TEST_CASE("words are mixed by a bijection that spreads numbers that are alike", "[packed]") {
    check_mixer<49>();
    check_mixer<60>();
    check_mixer<64>();
}

TEST_CASE("a node can have the costs that fit where they are stored", "[packed][pooled]") {
    using Small = PackedNodeTable<Compact<WithMoves<WithWords<Ring>>>, int>;
    CHECK((Small::can_hold(1000) && !Small::can_hold(100'000)));
    constexpr int most = std::numeric_limits<int>::max();
    using Numbered = IndexedNodeTable<WithIndex<Ring>, int>;
    CHECK((Numbered::can_hold(most - 1) && !Numbered::can_hold(most)));
    using Any = PooledNodeTable<test::Graph<double>, double>;
    CHECK(Any::can_hold(1e300));
    CHECK_FALSE(Any::can_hold(std::numeric_limits<double>::infinity()));
    CHECK_FALSE(Any::can_hold(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("a node takes 8 bytes, a table at most 1.7 times as much where it grows by quarters", "[packed]") {
    using Problem = Compact<WithMoves<WithWords<Ring>>>;
    const Problem problem(1, 101, 0);
    MemoryBudget budget;
    ByQuarters<Problem>::Parts table(problem, budget);
    int too_much = 0;
    for (int state = 0; state < 100'000; ++state) {
        table.insert(state);
        too_much += state < 60'000 || budget.used() < std::uint64_t{14} * table.size() ? 0 : 1;
    }
    CHECK(too_much == 0);
}

TEST_CASE("a table that may not double still grows by quarters", "[packed]") {
    using Problem = Compact<WithMoves<WithWords<Ring>>>;
    const Problem problem(1, 101, 0);
    constexpr std::size_t limit = 3'200'000;
    MemoryBudget budget(limit);
    PackedNodeTable<Problem, int> table(problem, budget);
    const auto fill = [&] {
        for (int state = 0; state < 1'000'000; ++state) {
            table.insert(state);
        }
    };
    CHECK_THROWS_AS(fill(), std::bad_alloc);
    CHECK(8 * table.size() > limit * 3 / 4);
    CHECK(table.find(table.lookup_hint(1), 1).has_value());
}

TEST_CASE("tables that share a limit do not take each other's room by doubling", "[packed]") {
    using Problem = Compact<WithMoves<WithWords<Ring>>>;
    using Table = PackedNodeTable<Problem, int, std::size_t{1} << 23>;
    const Problem problem(1, 101, 0);
    constexpr std::size_t limit = 14'700'000;
    MemoryBudget budget(limit);
    std::array<Table, 4> tables{Table(problem, budget), Table(problem, budget), Table(problem, budget),
                                Table(problem, budget)};
    const auto fill = [&] {
        for (int state = 0;; ++state) {
            for (Table& table : tables) {
                table.insert(state);
            }
        }
    };
    CHECK_THROWS_AS(fill(), std::bad_alloc);
    CHECK(8 * 4 * tables[0].size() > limit * 3 / 5);
}

// Tables of numbered states.

namespace {

struct Plane {
    using State = std::array<int, 2>;
    std::size_t side;
    std::vector<State> neighbors(const State&) const { return {}; }
    bool is_goal(const State&) const { return false; }
    std::size_t index(const State& s) const {
        return static_cast<std::size_t>(s[0]) * side + static_cast<std::size_t>(s[1]);
    }
    std::size_t size() const { return side * side; }
};

} // namespace

TEST_CASE("a large problem costs little memory before many of its states are reached", "[indexed]") {
    for (const std::size_t side : {std::size_t{1}, std::size_t{100}, std::size_t{2000}}) {
        const Plane plane{side};
        MemoryBudget budget;
        IndexedNodeTable<Plane, int> table(plane, budget);
        const auto last = static_cast<int>(side) - 1;
        const Plane::State corner{last, last};
        table.prefetch_slot(table.lookup_hint(corner)); // may come before the first state
        CHECK_FALSE(table.find(table.lookup_hint(corner), corner));
        CHECK(budget.used() == 0);
        CHECK(table.insert(Plane::State(corner)).second);
        CHECK_FALSE(table.insert(Plane::State(corner)).second);
        CHECK(budget.used() < 4 * plane.size() / 100 + 50'000);
        for (int i = 0; side == 2000 && i < 4096; ++i) table.insert(Plane::State{i / 2000, i % 2000});
        CHECK(budget.used() < 500'000);
    }
    const Plane too_large{(std::size_t{1} << 16) + 1};
    MemoryBudget budget;
    IndexedNodeTable<Plane, int> table(too_large, budget);
    CHECK_THROWS_AS(table.insert(Plane::State{0, 0}), std::bad_alloc);
    CHECK(table.size() == 0);
}

TEST_CASE("what an earlier search left in the array is not believed", "[indexed]") {
    for (const std::size_t side : {std::size_t{50}, std::size_t{500}}) {
        const Plane plane{side};
        MemoryBudget budget;
        IndexedNodeTable<Plane, int> table(plane, budget);
        test::Random random(7);
        int wrong = 0;
        for (const int inserted : {10, 700, 3, 1500, 30, 10'000, 5, 4000, 1, 90}) {
            table.clear();
            std::map<Plane::State, std::uint32_t> keys;
            for (int i = 0; i < inserted; ++i) {
                const Plane::State state{random.between(0, 49),
                                         random.between(0, static_cast<int>(side) - 1)};
                const auto known = keys.find(state);
                const auto found = table.find(table.lookup_hint(state), state);
                wrong += found.has_value() == (known != keys.end()) ? 0 : 1;
                wrong += !found || found->key() == known->second ? 0 : 1;
                const auto [node, is_new] = table.insert(Plane::State(state));
                wrong += is_new == (known == keys.end()) && node.state() == state ? 0 : 1;
                keys.emplace(state, node.key());
            }
            for (const auto& [state, key] : keys) {
                wrong += table.find(table.lookup_hint(state), state)->key() == key ? 0 : 1;
            }
            wrong += table.size() == keys.size() ? 0 : 1;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("entries of the array that have run out of numbers begin again with zeros", "[indexed]") {
    const Plane plane{3};
    MemoryBudget budget;
    npuzzle::detail::PagedIndex<Plane> index(plane, budget);
    const auto is_same = [](std::uint32_t) { return true; };
    constexpr std::uint32_t last = 0x7ffffffe; // the last node that a table can hold
    for (int search = 0; search < 6; ++search) {
        for (std::uint32_t tag = 0; tag < plane.size(); ++tag) {
            index.reserve(0);
            auto place = index.find(tag, is_same);
            CHECK_FALSE(place.is_taken());
            index.reserve_slot(place, tag);
            const std::uint32_t number = search % 2 == 0 && tag == 8 ? last : tag;
            index.put(place.slot, tag, number);
            CHECK(index.find(tag, is_same).number == number);
        }
        index.clear();
    }
}

// Pooled tables.

namespace {

static_assert(npuzzle::NodeTable<PooledNodeTable<archetype::Problem, archetype::Cost>>);
static_assert(
    npuzzle::NodeTable<PooledNodeTable<archetype::Problem, archetype::Cost, npuzzle::detail::NoIndex>>);
static_assert(!std::is_copy_constructible_v<PooledNodeTable<Ring, int>>);

/// Numbers of which each `share` successive ones have the same hash; counts how many of its states there are.
struct Counting {
    struct alignas(64) State {
        static inline int alive = 0;
        int value;
        std::string text;

        explicit State(int number) : value(number), text("a text that is not stored in place") { ++alive; }
        State(const State& other) : value(other.value), text(other.text) { ++alive; }
        State(State&& other) noexcept : value(other.value), text(std::move(other.text)) { ++alive; }
        State& operator=(const State&) = default;
        ~State() { --alive; }
        friend bool operator==(const State& a, const State& b) { return a.value == b.value; }
    };
    int share;
    std::vector<State> neighbors(const State&) const { return {}; }
    bool is_goal(const State&) const { return false; }
    std::size_t hash(const State& state) const {
        return static_cast<std::size_t>(state.value / share) * 0x9e3779b97f4a7c15ULL;
    }
};

} // namespace

TEST_CASE("any number of states may share a hash; states are aligned, moved from, and destroyed",
          "[pooled]") {
    for (const int share : {1, 20, 700}) {
        {
            const Counting problem{share};
            MemoryBudget budget;
            PooledNodeTable<Counting, int> table(problem, budget);
            constexpr int count = 5000;
            for (int round = 0; round < 2; ++round) {
                int wrong = 0;
                for (int i = 0; i < 2 * count; ++i) {
                    Counting::State state(i % count);
                    const char* const text = state.text.data();
                    const auto [node, is_new] = table.insert(std::move(state));
                    wrong += is_new == (i < count) && node.state().value == i % count ? 0 : 1;
                    wrong += !is_new || node.state().text.data() == text ? 0 : 1;
                    wrong += reinterpret_cast<std::uintptr_t>(&node.state()) % 64 == 0 ? 0 : 1;
                }
                const Counting::State unknown(count);
                CHECK_FALSE(table.find(table.lookup_hint(unknown), unknown));
                CHECK(wrong == 0);
                CHECK(Counting::State::alive == count + 1);
                table.clear();
                CHECK(Counting::State::alive == 1);
            }
            table.insert(Counting::State(1));
        }
        CHECK(Counting::State::alive == 0);
    }
}

TEST_CASE("states may be larger than a chunk", "[pooled]") {
    struct Problem {
        using State = std::array<int, 5000>;
        std::vector<State> neighbors(const State&) const { return {}; }
        bool is_goal(const State&) const { return false; }
    };
    const Problem problem;
    MemoryBudget budget;
    PooledNodeTable<Problem, int> table(problem, budget);
    Problem::State huge{};
    for (int i = 0; i < 200; ++i) {
        huge.back() = i % 150;
        CHECK(table.insert(Problem::State(huge)).second == (i < 150));
    }
    CHECK(table.size() == 150);
}

TEST_CASE("a tree stores a state each time", "[pooled]") {
    const Ring problem(1, 101, 0);
    MemoryBudget budget;
    PooledNodeTable<Ring, int, npuzzle::detail::NoIndex> table(problem, budget);
    auto root = table.insert(5).first;
    root.relax(0, 0, table.root(root));
    auto child = table.insert(6).first;
    child.relax(1, 0, table.link(root, {}));
    auto [again, is_new] = table.insert(5);
    again.relax(2, 0, table.link(child, {}));
    CHECK(is_new);
    CHECK(table.size() == 3);
    CHECK(again.key() != root.key());
    CHECK(table.parent(table.parent(again)).key() == root.key());
}

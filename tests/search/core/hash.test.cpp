#include <npuzzle/search/core/hash.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace {

using npuzzle::hash_of;
using npuzzle::Hashable;

namespace own {

struct Beside {
    int value;
};
std::size_t hash_value(const Beside& x) {
    return static_cast<std::size_t>(x.value) * 3;
}

enum class Color { red, green };
struct Nothing {};

struct Point {
    int x;
    double y;
};
struct Named {
    std::string name;
    std::array<Point, 2> ends;
    std::pair<int, std::vector<Point>> inner;
};
struct WithArrays {
    int first[3];
    Point second[2][2];
    std::int8_t last;
};
struct Bits {
    unsigned low : 3;
    unsigned : 2;
    unsigned high : 5;
};
struct Eight {
    int a, b, c, d, e, f, g, h;
};
struct Tree {
    int value;
    std::vector<Tree> children;
};
struct WithBeside {
    Beside beside;
    int other;
};

/// Members that differ where two are equal: the hash beside it comes first.
struct Noted {
    int value;
    std::string note;
    friend bool operator==(const Noted& a, const Noted& b) { return a.value == b.value; }
    friend std::size_t hash_value(const Noted& noted) { return static_cast<std::size_t>(noted.value); }
};
/// Nor is it looked at how its members could be named: these cannot be.
struct WithUnion {
    int kind;
    union {
        int number;
        float real;
    };
    friend std::size_t hash_value(const WithUnion& value) { return static_cast<std::size_t>(value.kind); }
};

struct Nine {
    int a, b, c, d, e, f, g, h, i;
};
struct Derived : Point {
    int z;
};
struct WithNothing {
    Nothing nothing;
    int x;
};
struct WithReference {
    const int& x;
    int y;
};
struct NoDefault {
    explicit NoDefault(int) {}
};
struct WithNoDefault {
    int x;
    NoDefault y = NoDefault(1);
};
struct Closed {
    int x = 0;

private:
    [[maybe_unused]] int y_ = 0;
};

/// Iterates over itself, as a path does.
struct Endless {
    const Endless* begin() const;
    const Endless* end() const;
};

} // namespace own

} // namespace

template <>
struct std::hash<archetype::State> {
    std::size_t operator()(const archetype::State& state) const {
        return static_cast<std::size_t>(state.number()) + 1000;
    }
};

namespace {

static_assert(Hashable<int> && Hashable<char> && Hashable<bool> && Hashable<std::uint64_t> &&
              Hashable<double>);
static_assert(Hashable<own::Color> && Hashable<int*> && Hashable<std::unique_ptr<int>>);
static_assert(Hashable<std::string> && Hashable<std::string_view> && Hashable<std::optional<int>>);
static_assert(Hashable<std::pair<int, std::string>> && Hashable<std::tuple<>> &&
              Hashable<std::tuple<int, double>>);
static_assert(Hashable<std::array<int, 3>> && Hashable<std::vector<bool>> &&
              Hashable<std::deque<std::string>>);
static_assert(Hashable<std::set<int>> && Hashable<std::map<int, std::string>> && Hashable<std::list<double>>);
static_assert(Hashable<std::vector<std::vector<std::pair<int, own::Beside>>>>);
static_assert(Hashable<own::Beside> && Hashable<archetype::State> && Hashable<std::filesystem::path>);
static_assert(Hashable<own::Point> && Hashable<own::Named> && Hashable<own::WithArrays> &&
              Hashable<own::Bits> && Hashable<own::Eight> && Hashable<own::Tree> &&
              Hashable<std::vector<own::Tree>> && Hashable<own::WithBeside> && Hashable<own::Noted> &&
              Hashable<own::WithUnion>);
static_assert(!Hashable<own::Nine>, "more members than structured bindings are written for");
static_assert(!Hashable<own::Derived>);
static_assert(!Hashable<own::WithNothing> && !Hashable<own::WithReference> && !Hashable<own::WithNoDefault> &&
              !Hashable<own::Closed>);
static_assert(!Hashable<own::Nothing> && !Hashable<std::vector<own::Nothing>> && !Hashable<own::Endless>);
static_assert(!Hashable<std::pair<int, own::Nothing>> && !Hashable<std::tuple<own::Nothing>>);
static_assert(!Hashable<std::unordered_set<int>>, "equal sets may list their elements in different orders");

/// How many different hashes a set of values has.
template <class T>
std::size_t distinct(const std::vector<T>& values) {
    std::set<std::size_t> hashes;
    for (const T& value : values) {
        hashes.insert(hash_of(value));
    }
    return hashes.size();
}

} // namespace

TEST_CASE("equal values have equal hashes", "[hash]") {
    SECTION("zeros of either sign") {
        CHECK(hash_of(0.0) == hash_of(-0.0));
        CHECK(hash_of(std::array{1.0, 0.0}) == hash_of(std::array{1.0, -0.0}));
        CHECK(hash_of(std::pair{0.0F, 1}) == hash_of(std::pair{-0.0F, 1}));
    }
    SECTION("storage that differs") {
        std::vector<int> roomy{1, 2, 3};
        roomy.reserve(100);
        CHECK(hash_of(roomy) == hash_of(std::vector{1, 2, 3}));
        std::deque<int> shifted{0, 1, 2};
        shifted.pop_front();
        CHECK(hash_of(shifted) == hash_of(std::deque<int>{1, 2}));
        CHECK(hash_of(std::set<int>{3, 1, 2}) == hash_of(std::set<int>{2, 3, 1}));
    }
}

TEST_CASE("order, length and every element count", "[hash]") {
    CHECK(hash_of(std::pair{1, 2}) != hash_of(std::pair{2, 1}));
    CHECK(hash_of(std::tuple{1, 2, 3}) != hash_of(std::tuple{1, 3, 2}));
    CHECK(hash_of(std::vector<std::string>{"a", "b"}) != hash_of(std::vector<std::string>{"b", "a"}));
    CHECK(hash_of(std::vector<std::string>{}) != hash_of(std::vector<std::string>{""}));
    CHECK(hash_of(std::map<int, int>{{1, 2}}) != hash_of(std::map<int, int>{{2, 1}}));
    CHECK(distinct(std::vector<std::vector<bool>>{{true, false}, {false, true}, {}}) == 3);
    std::vector<std::pair<int, int>> pairs;
    for (int x = -50; x < 50; ++x) {
        for (int y = -50; y < 50; ++y) {
            pairs.emplace_back(x, y);
        }
    }
    // By chance, 10,000 hashes of 64 bits collide once in 10^11 runs.
    CHECK(distinct(pairs) == pairs.size());

    // Trailing zeros, for lengths on both sides of the eight bytes that are hashed at a time.
    std::vector<std::vector<std::int8_t>> zeros;
    for (std::size_t length = 0; length < 40; ++length) {
        zeros.emplace_back(length, std::int8_t{0});
    }
    CHECK(distinct(zeros) == zeros.size());

    // Each bit of each element.
    for (std::size_t length = 1; length < 25; ++length) {
        std::vector<std::vector<std::uint8_t>> single_bits(1, std::vector<std::uint8_t>(length));
        for (std::size_t bit = 0; bit < 8 * length; ++bit) {
            std::vector<std::uint8_t> bytes(length);
            bytes[bit / 8] = static_cast<std::uint8_t>(1 << bit % 8);
            single_bits.push_back(bytes);
        }
        CHECK(distinct(single_bits) == single_bits.size());
    }
}

TEST_CASE("structs are hashed member by member", "[hash]") {
    SECTION("each member counts, and its place") {
        std::vector<own::Eight> eights(1);
        for (int own::Eight::* member : {&own::Eight::a, &own::Eight::b, &own::Eight::c, &own::Eight::d,
                                         &own::Eight::e, &own::Eight::f, &own::Eight::g, &own::Eight::h}) {
            eights.push_back({});
            eights.back().*member = 1;
        }
        CHECK(distinct(eights) == eights.size());
    }
    SECTION("arrays in full, and bit-fields") {
        std::vector<own::WithArrays> arrays(1);
        for (int i = 0; i < 4; ++i) {
            arrays.push_back({});
            (i < 3 ? arrays.back().first[i] : arrays.back().second[1][1].x) = 1;
        }
        CHECK(distinct(arrays) == arrays.size());
        CHECK(distinct(std::vector<own::Bits>{{0, 0}, {7, 0}, {0, 7}, {7, 31}}) == 4);
    }
    SECTION("what members hold") {
        const own::Named named{"a", {{{1, 2}, {3, 4}}}, {5, {{6, 7}}}};
        own::Named other = named;
        CHECK(hash_of(named) == hash_of(other));
        other.inner.second[0].y = 8;
        CHECK(hash_of(named) != hash_of(other));
        CHECK(hash_of(own::Point{0, 0.0}) == hash_of(own::Point{0, -0.0}));
        CHECK(distinct(std::vector<own::Tree>{{1, {}}, {1, {{1, {}}}}, {1, {{1, {{1, {}}}}}}, {2, {}}}) == 4);
        CHECK(hash_of(own::WithBeside{{1}, 2}) == hash_of(std::pair(own::Beside{1}, 2)));
    }
    SECTION("a hash of one's own comes first") {
        const own::Noted a{5, "a"};
        const own::Noted b{5, "b"};
        CHECK(a == b);
        CHECK(hash_of(a) == 5);
        CHECK(hash_of(b) == 5);
        CHECK(hash_of(archetype::State{5}) == 1005);
        CHECK(hash_of(std::string("abc")) == std::hash<std::string>{}("abc"));
        own::WithUnion value{};
        value.kind = 6;
        CHECK(hash_of(value) == 6);
    }
}

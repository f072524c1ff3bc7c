#include <npuzzle/search/distributed/kernel/serialization.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using npuzzle::Serializable;

struct Empty {
    friend bool operator==(const Empty&, const Empty&) = default;
};

struct Card {
    std::string name;
    int places[3];
    [[no_unique_address]] Empty empty;
    std::vector<bool> flags;

    friend bool operator==(const Card&, const Card&) = default;
};

struct Tree {
    int number;
    std::vector<Tree> branches;
};

class Closed {
    std::string text_;
};

using All =
    std::tuple<std::string, std::vector<std::pair<int, double>>, std::map<std::string, std::vector<int>>,
               std::set<char>, std::list<Empty>, std::array<std::string, 2>, Card, std::vector<Card>>;

All some_values() {
    const Card card{"a name that is too long to be inside of it", {1, -2, 3}, {}, {true, false, true}};
    return {std::string("a\0b", 3),
            {{1, 0.5}, {-1, 2.5}},
            {{"one", {1}}, {"none", {}}},
            {'x', 'y'},
            {{}, {}},
            {"left", ""},
            card,
            {card, {}}};
}

template <class T>
std::vector<char> bytes_of(const T& value) {
    std::vector<char> bytes;
    npuzzle::detail::serialize(value, bytes);
    return bytes;
}

template <class T>
T read(const std::vector<char>& bytes) {
    T value{};
    npuzzle::detail::Deserializer reader(bytes.data(), bytes.size());
    reader.read(value);
    CHECK(reader.is_at_end());
    return value;
}

} // namespace

static_assert(Serializable<int> && Serializable<std::array<char, 4>> && Serializable<Empty>);
static_assert(Serializable<std::string> && Serializable<Card> && Serializable<All>);
// Addresses mean nothing elsewhere.
static_assert(!Serializable<int*> && !Serializable<std::string_view> && !Serializable<std::span<int>>);
static_assert(!Serializable<std::vector<std::string_view>> && !Serializable<std::pair<int, const char*>>);
// Nobody knows what is in it, or how deep it is.
static_assert(!Serializable<Closed> && !Serializable<std::vector<Closed>> && !Serializable<Tree>);

TEST_CASE("values are read as they were written", "[distributed]") {
    const All values = some_values();
    CHECK(read<All>(bytes_of(values)) == values);
    CHECK(read<std::string>(bytes_of(std::string())).empty());
    // One value after another.
    std::vector<char> bytes = bytes_of(std::string("first"));
    npuzzle::detail::serialize(std::uint16_t{2}, bytes);
    npuzzle::detail::Deserializer reader(bytes.data(), bytes.size());
    std::string first;
    std::uint16_t second = 0;
    reader.read(first);
    CHECK(!reader.is_at_end());
    reader.read(second);
    CHECK(reader.is_at_end());
    CHECK(first == "first");
    CHECK(second == 2);
}

TEST_CASE("values that end too early are refused", "[distributed]") {
    const std::vector<char> bytes = bytes_of(some_values());
    for (std::size_t count = 0; count < bytes.size(); ++count) {
        All values;
        npuzzle::detail::Deserializer reader(bytes.data(), count);
        CHECK_THROWS_AS(reader.read(values), std::runtime_error);
    }
}

TEST_CASE("damaged lengths ask for no memory", "[distributed]") {
    // With more memory than there are bytes, it would be std::bad_alloc or std::length_error.
    for (const std::uint64_t count : {std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        std::vector<char> bytes = bytes_of(count);
        bytes.resize(bytes.size() + 100);
        CHECK_THROWS_AS(read<std::string>(bytes), std::runtime_error);
        CHECK_THROWS_AS(read<std::vector<double>>(bytes), std::runtime_error);
        CHECK_THROWS_AS(read<std::vector<std::string>>(bytes), std::runtime_error);
        CHECK_THROWS_AS(read<std::list<Empty>>(bytes), std::runtime_error);
    }
    test::Random random(1);
    for (int round = 0; round < 2'000; ++round) {
        std::vector<char> bytes = bytes_of(some_values());
        for (int i = 0; i < 3; ++i) {
            bytes[static_cast<std::size_t>(random.between(0, static_cast<int>(bytes.size()) - 1))] =
                static_cast<char>(random.between(-128, 127));
        }
        try {
            All values;
            npuzzle::detail::Deserializer(bytes.data(), bytes.size()).read(values);
        } catch (const std::runtime_error&) {
            continue;
        }
    }
}

#include <npuzzle/search/distributed/communicator.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <list>
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

using All = std::tuple<std::string, std::vector<std::pair<int, double>>, std::set<char>, std::list<Empty>,
                       std::array<std::string, 2>, Card, std::vector<Card>>;

All some_values() {
    const Card card{"a name that is too long to be inside of it", {1, -2, 3}, {}, {true, false, true}};
    return {
        std::string("a\0b", 3), {{1, 0.5}, {-1, 2.5}}, {'x', 'y'}, {{}, {}}, {"left", ""}, card, {card, {}}};
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
    std::string_view rest(bytes.data(), bytes.size());
    npuzzle::detail::deserialize(rest, value);
    CHECK(rest.empty());
    return value;
}

} // namespace

static_assert(Serializable<int> && Serializable<std::array<char, 4>> && Serializable<Empty>);
static_assert(Serializable<std::string> && Serializable<Card> && Serializable<All>);
// Addresses mean nothing elsewhere.
static_assert(!Serializable<int*> && !Serializable<std::string_view> && !Serializable<std::span<int>>);
static_assert(!Serializable<std::vector<std::string_view>> && !Serializable<std::pair<int, const char*>>);
static_assert(!Serializable<std::pair<const int, std::string>>);
// Nobody knows what is in it, or how deep it is.
static_assert(!Serializable<Closed> && !Serializable<std::vector<Closed>> && !Serializable<Tree>);

TEST_CASE("values are read as they were written", "[distributed]") {
    const All values = some_values();
    CHECK(read<All>(bytes_of(values)) == values);
    CHECK(read<std::string>(bytes_of(std::string())).empty());
}

TEST_CASE("values that end too early are refused", "[distributed]") {
    const std::vector<char> bytes = bytes_of(some_values());
    for (std::size_t count = 0; count < bytes.size(); ++count) {
        All values;
        std::string_view rest(bytes.data(), count);
        CHECK_THROWS_AS(npuzzle::detail::deserialize(rest, values), std::runtime_error);
    }
}

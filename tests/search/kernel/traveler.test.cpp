#include <npuzzle/search/kernel/traveler.hpp>

#include "support/catch.hpp"

#include <array>
#include <concepts>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

template <class S>
struct Unpacked {
    using State = S;
    static std::vector<S> neighbors(const S& state) { return {state}; }
    static bool is_goal(const S& /*state*/) { return true; }
};

template <class S, class Word>
struct Packed : Unpacked<S> {
    static Word pack(const S& state) { return static_cast<Word>(state.front()); }
    static S unpack(Word word) {
        S state{};
        state.front() = static_cast<typename S::value_type>(word);
        return state;
    }
};

using Large = Packed<std::array<int, 8>, std::uint32_t>;
using Small = Packed<std::array<std::uint8_t, 2>, std::uint32_t>;

} // namespace

static_assert(std::same_as<npuzzle::detail::traveling_t<Unpacked<std::string>>, std::string>);
static_assert(std::same_as<npuzzle::detail::traveling_t<Large>, std::uint32_t>);
static_assert(std::same_as<npuzzle::detail::traveling_t<Small>, std::array<std::uint8_t, 2>>);

TEST_CASE("a state travels as its word if that is smaller", "[parallel]") {
    const Large large;
    std::uint32_t word = npuzzle::detail::pack_for_travel(large, std::array<int, 8>{7});
    CHECK(word == 7);
    CHECK(npuzzle::detail::unpack_traveler(large, std::move(word)) == std::array<int, 8>{7});
    const Unpacked<std::string> texts;
    std::string text = npuzzle::detail::pack_for_travel(texts, std::string(40, 'x'));
    CHECK(npuzzle::detail::unpack_traveler(texts, std::move(text)) == std::string(40, 'x'));
}

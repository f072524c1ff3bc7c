#include <npuzzle/search/core/cost.hpp>

#include "support/archetypes.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>

namespace {

using namespace npuzzle::detail;
using npuzzle::CostType;

static_assert(CostType<int> && CostType<unsigned> && CostType<std::int8_t> && CostType<std::uint64_t>);
static_assert(CostType<float> && CostType<double> && CostType<long double>);
static_assert(CostType<std::chrono::milliseconds> && CostType<archetype::Cost>);
static_assert(!CostType<bool> && !CostType<int*> && !CostType<std::complex<double>> &&
              !CostType<archetype::State>);

template <class T>
constexpr T largest = std::numeric_limits<T>::max();
template <class T>
constexpr T smallest = std::numeric_limits<T>::lowest();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A value as an integer that holds sums and products of all values of 8 bits.
template <class T>
int clamp_to(int value) {
    return value < smallest<T> ? int{smallest<T>} : value > largest<T> ? int{largest<T>} : value;
}

} // namespace

TEMPLATE_TEST_CASE("arithmetic of 8 bits saturates: all pairs", "[cost]", std::int8_t, std::uint8_t) {
    using T = TestType;
    int wrong_sums = 0;
    int wrong_products = 0;
    for (int a = smallest<T>; a <= largest<T>; ++a) {
        for (int b = smallest<T>; b <= largest<T>; ++b) {
            const auto x = static_cast<T>(a);
            const auto y = static_cast<T>(b);
            wrong_sums += saturating_add(x, y) != clamp_to<T>(a + b) ? 1 : 0;
            const bool has_infinite_factor = a == largest<T> || b == largest<T>;
            const int infinite_product = (a < 0) != (b < 0) ? smallest<T> : largest<T>;
            const int product = has_infinite_factor ? infinite_product : clamp_to<T>(a * b);
            wrong_products += saturating_multiply(x, y) != product ? 1 : 0;
        }
    }
    CHECK(wrong_sums == 0);
    CHECK(wrong_products == 0);
}

TEMPLATE_TEST_CASE("arithmetic at the ends of a type saturates", "[cost]", std::int16_t, std::uint16_t, int,
                   unsigned, std::int64_t, std::uint64_t, char) {
    using T = TestType;
    STATIC_REQUIRE(saturating_add<T>(largest<T>, T{1}) == largest<T>);
    STATIC_REQUIRE(saturating_add<T>(largest<T>, largest<T>) == largest<T>);
    STATIC_REQUIRE(saturating_add<T>(largest<T> - 1, T{1}) == largest<T>);
    STATIC_REQUIRE(saturating_add<T>(largest<T> - 2, T{1}) == largest<T> - 1);
    STATIC_REQUIRE(saturating_multiply<T>(largest<T> / 2, T{2}) == largest<T> - 1);
    STATIC_REQUIRE(saturating_multiply<T>(largest<T> / 2 + 1, T{2}) == largest<T>);
    STATIC_REQUIRE(saturating_multiply<T>(largest<T>, T{1}) == largest<T>);
    STATIC_REQUIRE(is_infinite(largest<T>));
    STATIC_REQUIRE_FALSE(is_infinite(T(largest<T> - 1)));
    STATIC_REQUIRE_FALSE(is_infinite(smallest<T>));
}

TEST_CASE("negative sums saturate below", "[cost]") {
    STATIC_REQUIRE(saturating_add(smallest<int>, -1) == smallest<int>);
    STATIC_REQUIRE(saturating_multiply(smallest<int>, 2) == smallest<int>);
    STATIC_REQUIRE(saturating_multiply(smallest<int>, -1) == largest<int>);
}

TEST_CASE("of floating-point values, infinity and what is no number are infinite", "[cost]") {
    STATIC_REQUIRE(is_infinite(infinity));
    STATIC_REQUIRE(is_infinite(std::numeric_limits<float>::infinity()));
    CHECK(is_infinite(std::nan("")));
    STATIC_REQUIRE_FALSE(is_infinite(largest<double>));
    STATIC_REQUIRE_FALSE(is_infinite(-infinity));
    STATIC_REQUIRE_FALSE(is_infinite(0.0));
    CHECK(is_infinite(saturating_add(largest<double>, largest<double>)));
    STATIC_REQUIRE(saturating_add(0.5, 0.25) == 0.75);
}

TEST_CASE("types of one's own have no infinite value", "[cost]") {
    CHECK_FALSE(is_infinite(archetype::Cost(~0U)));
    CHECK_FALSE(is_infinite(std::chrono::seconds::max()));
    CHECK(saturating_add(archetype::Cost(2), archetype::Cost(3)) == archetype::Cost(5));
    CHECK(saturating_add(std::chrono::seconds(2), std::chrono::seconds(3)) == std::chrono::seconds(5));
}

TEST_CASE("conversion keeps what fits", "[cost]") {
    STATIC_REQUIRE(saturating_cast<std::int64_t>(-7) == -7);
    STATIC_REQUIRE(saturating_cast<std::uint8_t>(254) == 254);
    STATIC_REQUIRE(saturating_cast<double>(7) == 7.0);
    STATIC_REQUIRE(saturating_cast<int>(7.9) == 7);
    STATIC_REQUIRE(saturating_cast<int>(-7.9) == -7);
    STATIC_REQUIRE(saturating_cast<double>(0.5F) == 0.5);
    CHECK(saturating_cast<std::chrono::milliseconds>(std::chrono::seconds(2)) == std::chrono::seconds(2));
}

TEST_CASE("conversion keeps infinite what is infinite", "[cost]") {
    STATIC_REQUIRE(saturating_cast<std::int64_t>(largest<int>) == largest<std::int64_t>);
    STATIC_REQUIRE(saturating_cast<unsigned>(largest<int>) == largest<unsigned>);
    STATIC_REQUIRE(saturating_cast<std::uint8_t>(largest<std::uint64_t>) == largest<std::uint8_t>);
    STATIC_REQUIRE(saturating_cast<double>(largest<int>) == infinity);
    STATIC_REQUIRE(saturating_cast<double>(std::numeric_limits<float>::infinity()) == infinity);
    STATIC_REQUIRE(saturating_cast<int>(infinity) == largest<int>);
    CHECK(saturating_cast<int>(std::nan("")) == largest<int>);
}

TEST_CASE("conversion makes infinite what does not fit", "[cost]") {
    STATIC_REQUIRE(saturating_cast<std::uint8_t>(256) == 255);
    STATIC_REQUIRE(saturating_cast<int>(std::int64_t{1} << 40) == largest<int>);
    STATIC_REQUIRE(saturating_cast<int>(largest<unsigned> - 1) == largest<int>);
    STATIC_REQUIRE(saturating_cast<std::int64_t>(largest<std::uint64_t> - 1) == largest<std::int64_t>);
    STATIC_REQUIRE(saturating_cast<int>(1e30) == largest<int>);
    STATIC_REQUIRE(saturating_cast<int>(-1e30) == smallest<int>);
    STATIC_REQUIRE(saturating_cast<int>(2147483648.0) == largest<int>);
    STATIC_REQUIRE(saturating_cast<int>(-2147483648.0) == smallest<int>);
    STATIC_REQUIRE(saturating_cast<std::int64_t>(9223372036854775808.0F) == largest<std::int64_t>);
    STATIC_REQUIRE(saturating_cast<std::uint64_t>(18446744073709551616.0) == largest<std::uint64_t>);
}

TEST_CASE("conversion at run time makes infinite the least number that does not fit", "[cost]") {
    const double beyond = std::ldexp(1.0, 31);
    CHECK(saturating_cast<int>(beyond) == largest<int>);
    CHECK(saturating_cast<int>(beyond - 1) == largest<int>);
    CHECK(saturating_cast<int>(beyond - 2) == largest<int> - 1);
}

TEST_CASE("conversion to an unsigned type makes negative values zero", "[cost]") {
    STATIC_REQUIRE(saturating_cast<unsigned>(-1) == 0);
    STATIC_REQUIRE(saturating_cast<std::uint64_t>(smallest<int>) == 0);
    STATIC_REQUIRE(saturating_cast<unsigned>(-0.5) == 0);
    STATIC_REQUIRE(saturating_cast<unsigned>(-1e30) == 0);
}

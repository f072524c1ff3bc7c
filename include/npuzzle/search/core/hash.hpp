#pragma once

#include "npuzzle/macros.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional> // for std::hash, like several other headers, and the lightest of them
#include <type_traits>
#include <utility>

/// \file
/// Hash values of states, and the words of packed states.

namespace npuzzle {

namespace detail {

inline constexpr bool has_uint128 = NPUZZLE_HAS_INT128 == 1;

/// `std::unsigned_integral`, and the 128-bit type that strict ISO mode leaves out of it.
template <class T>
concept UnsignedWord =
    (std::unsigned_integral<T> && !std::same_as<T, bool>) || (has_uint128 && std::same_as<T, uint128>);

/// Spreads the entropy of all 64 bits over all bits: the finalizer of splitmix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

template <UnsignedWord Word>
constexpr std::uint64_t mix_word(Word word) {
    if constexpr (sizeof(Word) > sizeof(std::uint64_t)) {
        return mix(static_cast<std::uint64_t>(word) ^ mix(static_cast<std::uint64_t>(word >> 64)));
    }
    return mix(static_cast<std::uint64_t>(word));
}

template <class T>
inline constexpr bool has_hash_value = requires(const T& value) {
    { hash_value(value) } -> std::convertible_to<std::size_t>;
};

template <class T>
inline constexpr bool has_standard_hash = requires(const T& value) {
    { std::hash<T>{}(value) } -> std::convertible_to<std::size_t>;
};

/// Scalars whose equality is the equality of their bytes.
template <class T>
inline constexpr bool is_plain_scalar =
    (std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>) &&
    std::has_unique_object_representations_v<T>;

template <class T>
inline constexpr bool is_plain_array = false;
template <class T, std::size_t n>
inline constexpr bool is_plain_array<std::array<T, n>> = n > 0 && is_plain_scalar<T>;

using std::begin, std::end;

template <class Range>
using element_t = std::remove_cvref_t<decltype(*begin(std::declval<Range&>()))>;

template <class Range>
inline constexpr bool is_iterable = requires(Range& range) {
    *begin(range);
    begin(range) != end(range);
};

/// Ordered containers. Unordered ones, told by their `hasher`, may list equal elements in different orders.
template <class T>
concept Sequence = is_iterable<const T> && !requires { typename T::hasher; };

template <class T>
inline constexpr bool is_tuple_like = !Sequence<T> && requires { std::tuple_size<T>::value; };

/// `std::apply`, without the time that <tuple> takes to compile.
template <class T, class F>
constexpr auto with_elements(const T& value, F&& f) {
    using std::get;
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
        return f(get<i>(value)...);
    }(std::make_index_sequence<std::tuple_size<T>::value>{});
}

/// Converts to any type, or to the base classes of `T`: to try what can initialize an aggregate.
template <class T = void>
struct AnyValue {
    template <class U>
        requires(std::is_void_v<T> || (std::is_base_of_v<U, T> && !std::same_as<U, T>))
    operator U() const; // NOLINT(google-explicit-constructor)
};

/// Structs without base classes and references, whose public members structured bindings can name.
template <class T>
concept Aggregate = std::is_class_v<T> && std::is_aggregate_v<T> && std::is_copy_assignable_v<T> &&
                    !requires { T{AnyValue<T>{}}; };

/// Calls `f` with the one to eight members of an aggregate, if `{}` initializes each.
template <class T, class F>
constexpr decltype(auto) with_members([[maybe_unused]] T& value, [[maybe_unused]] F&& f) {
    // One `{}` is one member, an array or a struct, too. Where one more value fits, `{}` left out members.
#define NPUZZLE_LIST(...) __VA_ARGS__
#define NPUZZLE_TRY_MEMBERS(names, ...)                                                                      \
    if constexpr (requires { T{__VA_ARGS__}; } && !requires { T{__VA_ARGS__, AnyValue{}}; }) {               \
        auto& [NPUZZLE_LIST names] = value;                                                                  \
        return f names;                                                                                      \
    }
    NPUZZLE_TRY_MEMBERS((a), {});
    NPUZZLE_TRY_MEMBERS((a, b), {}, {});
    NPUZZLE_TRY_MEMBERS((a, b, c), {}, {}, {});
    NPUZZLE_TRY_MEMBERS((a, b, c, d), {}, {}, {}, {});
    NPUZZLE_TRY_MEMBERS((a, b, c, d, e), {}, {}, {}, {}, {});
    NPUZZLE_TRY_MEMBERS((a, b, c, d, e, g), {}, {}, {}, {}, {}, {});
    NPUZZLE_TRY_MEMBERS((a, b, c, d, e, g, h), {}, {}, {}, {}, {}, {}, {});
    NPUZZLE_TRY_MEMBERS((a, b, c, d, e, g, h, i), {}, {}, {}, {}, {}, {}, {}, {});
#undef NPUZZLE_TRY_MEMBERS
#undef NPUZZLE_LIST
}

/// \tparam Within types that it is in, such as a tree its branches
template <class T, class... Within>
constexpr bool is_hashable() {
    [[maybe_unused]] constexpr auto are_hashable = []<class... Ts>(const Ts&...) {
        return std::bool_constant<(is_hashable<Ts, T, Within...>() && ...)>{};
    };
    if constexpr ((std::same_as<T, Within> || ...) || has_hash_value<T> || is_plain_scalar<T> ||
                  has_standard_hash<T>) {
        return true;
    } else if constexpr (Sequence<T>) {
        // A type that iterates over itself (a path, say) has no bottom to reach.
        return !std::same_as<element_t<const T>, T> && is_hashable<element_t<const T>, T, Within...>();
    } else if constexpr (is_tuple_like<T>) {
        return decltype(detail::with_elements(std::declval<const T&>(), are_hashable))::value;
    } else if constexpr (Aggregate<T>) {
        return requires { requires decltype(with_members(std::declval<const T&>(), are_hashable))::value; };
    } else {
        return false;
    }
}

/// `a == b`; of arrays of numbers without a call.
template <class T>
bool is_equal(const T& a, const T& b) {
    if constexpr (is_plain_array<T>) {
        return std::memcmp(&a, &b, sizeof(T)) == 0;
    } else {
        return a == b;
    }
}

/// Eight bytes a step, one multiplication each. The length goes in, so that a trailing zero counts.
inline std::size_t hash_bytes(const void* data, std::size_t count) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::uint64_t hash = count * 0x9e3779b97f4a7c15ULL;
    const auto add = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * 0xd6e8feb86659fd93ULL;
        hash ^= hash >> 32;
    };
    std::uint64_t word = 0;
    for (; count >= 8; bytes += 8, count -= 8) {
        std::memcpy(&word, bytes, 8);
        add(word);
    }
    if (count > 0) { // apart: where the compiler sees the count, neither is a loop or a call
        word = 0;
        std::memcpy(&word, bytes, count);
        add(word);
    }
    return static_cast<std::size_t>(hash);
}

} // namespace detail

/// A type with a `hash_value(value)` found beside it, or a `std::hash`; enumerations; pairs, tuples and
/// ordered containers of such types; and structs of one to eight public members of such types: aggregates that
/// can be assigned, without base classes and anonymous unions, whose members can be initialized by `{}`.
template <class T>
concept Hashable = detail::is_hashable<T>();

/// By the first that applies of `hash_value(value)`, `std::hash`, element by element, member by member, in
/// linear time. If your `==` leaves a member out, write a `hash_value` that leaves it out, too.
template <Hashable T>
[[nodiscard]] std::size_t hash_of(const T& value) {
    std::size_t hash = 0;
    [[maybe_unused]] const auto add = [&hash](const auto& part) {
        hash = static_cast<std::size_t>(detail::mix(hash + 0x9e3779b97f4a7c15ULL + hash_of(part)));
    };
    [[maybe_unused]] const auto add_all = [&](const auto&... parts) {
        hash = sizeof...(parts);
        (add(parts), ...);
    };
    if constexpr (detail::has_hash_value<T>) {
        return static_cast<std::size_t>(hash_value(value));
    } else if constexpr (detail::is_plain_scalar<T> && sizeof(T) <= sizeof(std::size_t)) {
        return (std::size_t)value; // NOLINT: of integers, enumerations and pointers
    } else if constexpr (detail::has_standard_hash<T>) {
        return std::hash<T>{}(value);
    } else if constexpr (detail::is_plain_array<T> && sizeof(T) <= sizeof(std::size_t)) {
        std::memcpy(&hash, &value, sizeof(T)); // as it is, like a number: node tables mix
    } else if constexpr (detail::Sequence<T>) {
        using Element = detail::element_t<const T>;
        if constexpr (detail::is_plain_scalar<Element> && requires {
                          { std::data(value) } -> std::convertible_to<const Element*>;
                          { std::size(value) } -> std::convertible_to<std::size_t>;
                      }) {
            return detail::hash_bytes(std::data(value), std::size(value) * sizeof(Element));
        } else {
            for (const auto& part : value) add(static_cast<const Element&>(part));
        }
    } else if constexpr (detail::is_tuple_like<T>) {
        detail::with_elements(value, add_all);
    } else {
        detail::with_members(value, add_all);
    }
    return hash;
}

} // namespace npuzzle

#pragma once

#include "npuzzle/search/core/word.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional> // for std::hash, like several other headers, and the lightest of them
#include <tuple>
#include <type_traits>
#include <utility>

/// \file
/// Hash values for states, so that most state types need no hash of their own.

namespace npuzzle {

namespace detail {

template <class T>
concept HasHashValue = requires(const T& value) {
    { hash_value(value) } -> std::convertible_to<std::size_t>;
};

template <class T>
concept HasStandardHash = requires(const T& value) {
    { std::hash<T>{}(value) } -> std::convertible_to<std::size_t>;
};

/// Scalars whose equality is the equality of their bytes.
template <class T>
concept PlainScalar = (std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>) &&
                      std::has_unique_object_representations_v<T>;

template <class T>
struct is_tuple_like : std::false_type {};
template <class A, class B>
struct is_tuple_like<std::pair<A, B>> : std::true_type {};
template <class... Ts>
struct is_tuple_like<std::tuple<Ts...>> : std::true_type {};

template <class T>
concept TupleLike = is_tuple_like<T>::value;

/// Ordered containers: two of them are equal when their elements are, one by one. (Unordered ones, told by
/// their `hasher`, are not: equal sets may list their elements in different orders.)
template <class T>
concept Sequence = requires(const T& value) {
    { std::begin(value) } -> std::input_iterator;
    std::end(value);
} && !requires { typename T::hasher; };

template <class T>
using sequence_element_t = std::remove_cvref_t<decltype(*std::begin(std::declval<const T&>()))>;

/// Elements side by side in memory that can be hashed as bytes, eight at a time.
template <class T>
concept PlainArray = Sequence<T> && PlainScalar<sequence_element_t<T>> && requires(const T& value) {
    { std::data(value) } -> std::convertible_to<const sequence_element_t<T>*>;
    { std::size(value) } -> std::convertible_to<std::size_t>;
};

/// Converts to any type, or to the bases of `T` alone: to try what can initialize an aggregate.
struct AnyValue {
    template <class U>
    operator U() const; // NOLINT(google-explicit-constructor)
};
template <class T>
struct AnyBaseOf {
    template <class U>
        requires(std::is_base_of_v<U, T> && !std::same_as<U, T>)
    operator U() const; // NOLINT(google-explicit-constructor)
};

/// Structs without base classes and references, whose public members structured bindings can name.
template <class T>
concept Aggregate = std::is_class_v<T> && std::is_aggregate_v<T> && std::is_copy_assignable_v<T> &&
                    !requires { std::tuple_size<T>::value; } && !requires { T{AnyBaseOf<T>{}}; };

/// Calls `f` with the members of an aggregate; without arguments if it has more than eight, or one that
/// cannot be initialized by `{}`.
template <class T, class F>
    requires Aggregate<std::remove_const_t<T>>
constexpr decltype(auto) with_members([[maybe_unused]] T& value, F&& f) {
    // One `{}` is one member, an array or a struct, too, whose braces could else be left out. Where one more
    // value still fits, `{}` did not reach all members.
#define NPUZZLE_HAS_MEMBERS(...) (requires { T{__VA_ARGS__}; } && !requires { T{__VA_ARGS__, AnyValue{}}; })
    if constexpr (NPUZZLE_HAS_MEMBERS({})) {
        auto& [a] = value;
        return f(a);
    } else if constexpr (NPUZZLE_HAS_MEMBERS({}, {})) {
        auto& [a, b] = value;
        return f(a, b);
    } else if constexpr (NPUZZLE_HAS_MEMBERS({}, {}, {})) {
        auto& [a, b, c] = value;
        return f(a, b, c);
    } else if constexpr (NPUZZLE_HAS_MEMBERS({}, {}, {}, {})) {
        auto& [a, b, c, d] = value;
        return f(a, b, c, d);
    } else if constexpr (NPUZZLE_HAS_MEMBERS({}, {}, {}, {}, {})) {
        auto& [a, b, c, d, e] = value;
        return f(a, b, c, d, e);
    } else if constexpr (NPUZZLE_HAS_MEMBERS({}, {}, {}, {}, {}, {})) {
        auto& [a, b, c, d, e, g] = value;
        return f(a, b, c, d, e, g);
    } else if constexpr (NPUZZLE_HAS_MEMBERS({}, {}, {}, {}, {}, {}, {})) {
        auto& [a, b, c, d, e, g, h] = value;
        return f(a, b, c, d, e, g, h);
    } else if constexpr (NPUZZLE_HAS_MEMBERS({}, {}, {}, {}, {}, {}, {}, {})) {
        auto& [a, b, c, d, e, g, h, i] = value;
        return f(a, b, c, d, e, g, h, i);
    } else {
        return f();
    }
#undef NPUZZLE_HAS_MEMBERS
}

template <class T, class... Within>
constexpr bool is_hashable();

/// Tells of values whether there are any, and all can be hashed.
/// \tparam Within aggregates that they are in, such as a tree its branches
template <class... Within>
struct AreHashable {
    template <class... Ts>
    constexpr auto operator()(const Ts&...) const {
        return std::bool_constant<(sizeof...(Ts) > 0) && (is_hashable<Ts, Within...>() && ...)>{};
    }
};

template <class T, class... Within>
constexpr bool is_hashable() {
    if constexpr ((std::same_as<T, Within> || ...) || HasHashValue<T> || PlainScalar<T> ||
                  HasStandardHash<T>) {
        return true;
    } else if constexpr (TupleLike<T>) {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (is_hashable<std::remove_cvref_t<std::tuple_element_t<I, T>>, Within...>() && ...);
        }(std::make_index_sequence<std::tuple_size_v<T>>{});
    } else if constexpr (Sequence<T>) {
        // A type that iterates over itself (a path, say) has no bottom to reach.
        if constexpr (std::same_as<sequence_element_t<T>, T>) {
            return false;
        } else {
            return is_hashable<sequence_element_t<T>, Within...>();
        }
    } else if constexpr (Aggregate<T>) {
        return decltype(with_members(std::declval<const T&>(), AreHashable<T, Within...>{}))::value;
    } else {
        return false;
    }
}

template <class T>
struct is_plain_std_array : std::false_type {};
template <class T, std::size_t n>
struct is_plain_std_array<std::array<T, n>> : std::bool_constant<(n > 0) && PlainScalar<T>> {};

/// `a == b`; for arrays of numbers with a length that the compiler sees, so that it needs no call.
template <class T>
bool is_equal(const T& a, const T& b) {
    if constexpr (is_plain_std_array<T>::value) {
        return std::memcmp(&a, &b, sizeof(T)) == 0;
    } else {
        return a == b;
    }
}

inline std::size_t combine(std::size_t seed, std::size_t value) {
    return static_cast<std::size_t>(mix(seed + 0x9e3779b97f4a7c15ULL + value));
}

/// Eight bytes a step, one multiplication each. The length goes in, so that a trailing zero counts.
inline std::size_t hash_bytes(const unsigned char* bytes, std::size_t count) {
    std::uint64_t hash = count * 0x9e3779b97f4a7c15ULL;
    for (; count >= 8; bytes += 8, count -= 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes, 8);
        hash = (hash ^ word) * 0xd6e8feb86659fd93ULL;
        hash ^= hash >> 32;
    }
    if (count > 0) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, count);
        hash = (hash ^ word) * 0xd6e8feb86659fd93ULL;
        hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
}

struct HashParts {
    template <class... Ts>
    std::size_t operator()(const Ts&... parts) const;
};
/// Hashes values one after another.
inline constexpr HashParts hash_parts{};

} // namespace detail

/// A type that `hash_of` can hash: a type with a `hash_value(value)` found beside it or a `std::hash`;
/// integers, enumerations, strings, pairs, tuples, arrays, vectors and other ordered containers of such
/// types, and structs of one to eight public members of such types: aggregates that can be assigned, without
/// base classes, whose members can be initialized by `{}`. One with an anonymous union needs a `hash_value`.
template <class T>
concept Hashable = detail::is_hashable<T>();

/// The hash of a value; equal values have equal hashes. The first that applies: `hash_value(value)` by
/// argument-dependent look-up, `std::hash`, element by element, member by member. Linear in the size of the
/// value.
///
/// Member by member is right where `==` compares all members, as `bool operator==(const T&) const = default`
/// does. If yours leaves one out, write a `hash_value` that leaves it out, too: whether `==` is defaulted
/// cannot be asked.
template <Hashable T>
[[nodiscard]] std::size_t hash_of(const T& value) {
    if constexpr (detail::HasHashValue<T>) {
        return static_cast<std::size_t>(hash_value(value));
    } else if constexpr (detail::PlainScalar<T> && sizeof(T) <= sizeof(std::size_t)) {
        if constexpr (std::is_pointer_v<T>) {
            return reinterpret_cast<std::size_t>(value);
        } else {
            return static_cast<std::size_t>(value);
        }
    } else if constexpr (detail::HasStandardHash<T>) {
        return std::hash<T>{}(value);
    } else if constexpr (detail::TupleLike<T>) {
        return std::apply(detail::hash_parts, value);
    } else if constexpr (detail::is_plain_std_array<T>::value && sizeof(T) <= sizeof(std::size_t)) {
        std::size_t word = 0; // as it is, like a number: node tables mix
        std::memcpy(&word, &value, sizeof(T));
        return word;
    } else if constexpr (detail::PlainArray<T>) {
        return detail::hash_bytes(reinterpret_cast<const unsigned char*>(std::data(value)),
                                  std::size(value) * sizeof(detail::sequence_element_t<T>));
    } else if constexpr (detail::Sequence<T>) {
        std::size_t seed = 0;
        for (const auto& part : value) {
            seed =
                detail::combine(seed, hash_of(static_cast<const std::remove_cvref_t<decltype(part)>&>(part)));
        }
        return seed;
    } else {
        return detail::with_members(value, detail::hash_parts);
    }
}

template <class... Ts>
std::size_t detail::HashParts::operator()(const Ts&... parts) const {
    std::size_t seed = sizeof...(Ts);
    ((seed = combine(seed, hash_of(parts))), ...);
    return seed;
}

} // namespace npuzzle

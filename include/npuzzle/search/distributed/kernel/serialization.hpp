#pragma once

#include "npuzzle/search/parallel/kernel/traveler.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

/// \file
/// Values as bytes that other processes can read.

namespace npuzzle {

namespace detail {

/// Values that travel between machines as their bytes.
template <class T>
concept Plain = std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                !std::is_pointer_v<T> && !std::ranges::enable_borrowed_range<T>;

/// Pairs, tuples and arrays.
template <class T>
inline constexpr bool is_tuple = requires { std::tuple_size<T>::value; };

/// Containers to which elements can be added one after another.
template <class T>
concept GrowingSequence = Sequence<T> && requires(T& sequence, typename T::value_type element) {
    sequence.insert(sequence.end(), std::move(element));
    sequence.size();
};

/// Calls `f` with the parts of a tuple, or with the members of an aggregate.
template <class T, class F>
constexpr decltype(auto) with_parts(T& value, F&& f) {
    if constexpr (is_tuple<std::remove_const_t<T>>) {
        return std::apply(f, value);
    } else {
        return with_members(value, f);
    }
}

/// \tparam Within what it is in; a type that holds others of its type is not serializable
template <class T, class... Within>
constexpr bool is_serializable() {
    [[maybe_unused]] constexpr auto are_serializable = []<class... Ts>(Ts&...) {
        return std::bool_constant<(sizeof...(Ts) > 0) && (is_serializable<Ts, T, Within...>() && ...)>{};
    };
    if constexpr (std::is_const_v<T> || (std::same_as<T, Within> || ...)) {
        return false;
    } else if constexpr (Plain<T>) {
        return true;
    } else if constexpr (!std::default_initializable<T> || std::is_pointer_v<T> ||
                         std::ranges::enable_borrowed_range<T>) {
        return false;
    } else if constexpr (GrowingSequence<T>) {
        return is_serializable<typename T::value_type, T, Within...>();
    } else if constexpr (is_tuple<T> || Aggregate<T>) {
        return decltype(with_parts(std::declval<T&>(), are_serializable))::value;
    } else {
        return false;
    }
}

} // namespace detail

/// Values that can be sent to other processes: trivially copyable ones that are no pointers and no views;
/// strings, vectors and other sequences, arrays, pairs and tuples of such values; and structs of one to eight
/// public members of such types, as for `Hashable`. All can be default-constructed.
///
/// What is trivially copyable travels with its bytes: no member of it may be an address.
template <class T>
concept Serializable = detail::is_serializable<T>();

namespace detail {

/// Appends the bytes of a value to a container of `char`. Linear in the size of the value.
template <class Bytes, Serializable T>
void serialize(const T& value, Bytes& bytes) {
    if constexpr (std::is_empty_v<T> && Plain<T>) {
        bytes.insert(bytes.end(), '\0'); // What lies at its address may be part of another member.
    } else if constexpr (Plain<T>) {
        const std::size_t size = bytes.size();
        bytes.resize(size + sizeof(T));
        std::memcpy(bytes.data() + size, &value, sizeof(T));
    } else if constexpr (GrowingSequence<T>) {
        serialize(static_cast<std::uint64_t>(value.size()), bytes);
        for (const typename T::value_type& part : value) {
            serialize(part, bytes);
        }
    } else {
        with_parts(value, [&bytes](const auto&... parts) { (serialize(parts, bytes), ...); });
    }
}

/// Reads values from bytes.
class Deserializer {
public:
    Deserializer(const char* bytes, std::size_t count) : next_(bytes), left_(count) {}

    [[nodiscard]] bool is_at_end() const noexcept { return left_ == 0; }

    /// \param value a new one
    /// \throws std::runtime_error if the bytes end before it does
    template <Serializable T>
    void read(T& value) {
        if constexpr (Plain<T> && std::is_copy_assignable_v<T>) {
            T plain;
            take(&plain, sizeof(T));
            value = plain; // Not with the padding at its end, where another member may begin.
        } else if constexpr (Plain<T>) {
            take(&value, sizeof(T));
        } else if constexpr (GrowingSequence<T>) {
            std::uint64_t count = 0;
            read(count);
            require(count <= left_); // Each takes a byte at least.
            for (; count > 0; --count) {
                typename T::value_type part{};
                read(part);
                value.insert(value.end(), std::move(part));
            }
        } else {
            with_parts(value, [this](auto&... parts) { (this->read(parts), ...); });
        }
    }

private:
    void take(void* into, std::size_t count) {
        require(count <= left_);
        std::memcpy(into, next_, count); // of one byte at least
        next_ += count;
        left_ -= count;
    }

    static void require(bool is_whole) {
        if (!is_whole) {
            throw std::runtime_error("what another process has sent is damaged: it ends too early");
        }
    }

    const char* next_;
    std::size_t left_;
};

/// Says what to write if the states of a problem cannot be sent to other processes.
template <class P>
constexpr void check_travel() {
    static_assert(
        SerializingProblem<P> || !HasSerialize<P>,
        "SerializingProblem: the problem has serialize(state), and no deserialize(value) for what that "
        "returns; write: State deserialize(const Serialized&) const;");
    static_assert(
        Serializable<traveling_t<P, true>>,
        "Serializable: the states of the problem cannot be sent to other processes, and have no form that "
        "can; "
        "write: std::string serialize(const State&) const; State deserialize(const std::string&) const;");
}

} // namespace detail

} // namespace npuzzle

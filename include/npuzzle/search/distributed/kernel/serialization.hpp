#pragma once

#include "npuzzle/search/engine/traveler.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
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

/// Arrays, whose number of elements belongs to the type.
template <class T>
concept FixedSequence =
    Sequence<T> && (std::is_bounded_array_v<T> || requires { std::tuple_size<T>::value; });

/// The elements of a container, which may hand out something else in their place, such as bits.
template <class T>
struct stored_element {
    using type = sequence_element_t<T>;
};
template <class T>
    requires requires { typename T::value_type; }
struct stored_element<T> {
    using type = typename T::value_type;
};
template <class T>
using stored_element_t = typename stored_element<T>::type;

/// The elements as they are before they are in it: in a map they are constant in part.
template <class T>
struct loose_element : stored_element<T> {};
template <class T>
    requires requires { typename T::mapped_type; }
struct loose_element<T> {
    using type = std::pair<typename T::key_type, typename T::mapped_type>;
};
template <class T>
using loose_element_t = typename loose_element<T>::type;

/// Containers to which elements can be added one after another.
template <class T>
concept GrowingSequence = Sequence<T> && requires(T& sequence, loose_element_t<T>&& element) {
    sequence.insert(sequence.end(), std::move(element));
};

/// Containers of plain elements side by side.
template <class T>
concept GrowingArray = GrowingSequence<T> && Plain<loose_element_t<T>> && requires(T& array) {
    { std::data(array) } -> std::same_as<loose_element_t<T>*>;
    array.resize(std::size(array));
};

template <class T, class... Within>
constexpr bool is_serializable();

template <class... Within>
struct AreSerializable {
    template <class... Ts>
    constexpr auto operator()(const Ts&...) const {
        return std::bool_constant<(sizeof...(Ts) > 0) && (is_serializable<Ts, Within...>() && ...)>{};
    }
};

/// \tparam Within aggregates that it is in; one that holds others of its type is not serializable
template <class T, class... Within>
constexpr bool is_serializable() {
    if constexpr (Plain<T>) {
        return true;
    } else if constexpr ((std::same_as<T, Within> || ...) || !std::default_initializable<T> ||
                         std::is_pointer_v<T> || std::ranges::enable_borrowed_range<T>) {
        return false;
    } else if constexpr (is_tuple_like<T>) {
        return []<std::size_t... I>(std::index_sequence<I...>) {
            return (is_serializable<std::remove_const_t<std::tuple_element_t<I, T>>, Within...>() && ...);
        }(std::make_index_sequence<std::tuple_size_v<T>>{});
    } else if constexpr (FixedSequence<T> || GrowingSequence<T>) {
        if constexpr (std::same_as<loose_element_t<T>, T>) {
            return false; // A path, say.
        } else {
            return is_serializable<loose_element_t<T>, Within...>();
        }
    } else if constexpr (Aggregate<T>) {
        return decltype(with_members(std::declval<T&>(), AreSerializable<T, Within...>{}))::value;
    } else {
        return false;
    }
}

} // namespace detail

/// Values that can be sent to other processes: trivially copyable ones that are no pointers and no views;
/// strings, vectors and other ordered containers, arrays, pairs and tuples of such values; and structs of one
/// to eight public members of such types, as for `Hashable`. All can be default-constructed.
///
/// What is trivially copyable travels with its bytes: no member of it may be an address.
template <class T>
concept Serializable = detail::is_serializable<T>();

namespace detail {

/// Appends the bytes of a value to a container of `char`. Linear in the size of the value.
template <class Bytes, Serializable T>
void serialize(const T& value, Bytes& bytes) {
    const auto append = [&bytes](const void* first, std::size_t count) {
        const char* const begin = static_cast<const char*>(first);
        bytes.insert(bytes.end(), begin, begin + count);
    };
    const auto each = [&bytes](const auto&... parts) { (serialize(parts, bytes), ...); };
    if constexpr (std::is_empty_v<T> && Plain<T>) {
        bytes.insert(bytes.end(), '\0'); // What lies at its address may be part of another member.
    } else if constexpr (Plain<T>) {
        append(&value, sizeof(T));
    } else if constexpr (is_tuple_like<T>) {
        std::apply(each, value);
    } else if constexpr (Sequence<T>) {
        if constexpr (GrowingSequence<T> && !FixedSequence<T>) {
            serialize(static_cast<std::uint64_t>(std::size(value)), bytes);
        }
        if constexpr (GrowingArray<T>) {
            append(std::data(value), std::size(value) * sizeof(stored_element_t<T>));
        } else {
            for (const stored_element_t<T>& part : value) {
                serialize(part, bytes);
            }
        }
    } else {
        with_members(value, each);
    }
}

/// Reads values from bytes. Whatever the bytes are, a value takes no more memory than about as much as
/// elements of one byte each make of them.
class Deserializer {
public:
    Deserializer(const char* bytes, std::size_t count) : next_(bytes), left_(count) {}

    [[nodiscard]] bool is_at_end() const noexcept { return left_ == 0; }

    /// \param value a new one
    /// \throws std::runtime_error if the bytes end before it does
    template <Serializable T>
    void read(T& value) {
        const auto each = [this](auto&... parts) { (this->read(parts), ...); };
        if constexpr (Plain<T> && std::is_copy_assignable_v<T>) {
            T plain;
            take(&plain, sizeof(T));
            value = plain; // Not with the padding at its end, where another member may begin.
        } else if constexpr (Plain<T>) {
            take(&value, sizeof(T));
        } else if constexpr (is_tuple_like<T>) {
            std::apply(each, value);
        } else if constexpr (FixedSequence<T>) {
            for (auto& part : value) {
                read(part);
            }
        } else if constexpr (GrowingArray<T>) {
            const std::size_t count = read_count(sizeof(loose_element_t<T>));
            value.resize(count);
            take(std::data(value), count * sizeof(loose_element_t<T>));
        } else if constexpr (GrowingSequence<T>) {
            for (std::size_t count = read_count(1); count > 0; --count) {
                loose_element_t<T> part{};
                read(part);
                value.insert(value.end(), std::move(part));
            }
        } else {
            with_members(value, each);
        }
    }

private:
    void take(void* into, std::size_t count) {
        if (count > left_) {
            fail();
        }
        if (count > 0) {
            std::memcpy(into, next_, count);
        }
        next_ += count;
        left_ -= count;
    }

    /// How many elements follow, of at least so many bytes each.
    std::size_t read_count(std::size_t least_bytes) {
        std::uint64_t count = 0;
        take(&count, sizeof(count));
        if (count > left_ / least_bytes) {
            fail();
        }
        return static_cast<std::size_t>(count);
    }

    [[noreturn]] static void fail() {
        throw std::runtime_error("what another process has sent is damaged: it ends too early");
    }

    const char* next_;
    std::size_t left_;
};

/// Whether the states of a problem can be sent to other processes.
template <class P>
concept HasSerializableStates = Serializable<traveling_t<P, true>>;

/// Says what to write if they cannot.
template <class P>
constexpr void check_travel() {
    static_assert(
        SerializingProblem<P> || !HasSerialize<P>,
        "SerializingProblem: the problem has serialize(state), and no deserialize(value) for what that "
        "returns; write: State deserialize(const Serialized&) const;");
    static_assert(
        HasSerializableStates<P>,
        "Serializable: the states of the problem cannot be sent to other processes, and have no form that "
        "can; "
        "write: std::string serialize(const State&) const; State deserialize(const std::string&) const;");
}

} // namespace detail

} // namespace npuzzle

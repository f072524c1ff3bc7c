#pragma once

#include "npuzzle/search/core/hash.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mpi.h>
#include <new>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

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
    if constexpr (!std::default_initializable<T> || std::is_const_v<T> || std::is_pointer_v<T> ||
                  std::ranges::enable_borrowed_range<T> || (std::same_as<T, Within> || ...)) {
        return false;
    } else if constexpr (Plain<T>) {
        return true;
    } else if constexpr (GrowingSequence<T>) {
        return is_serializable<typename T::value_type, T, Within...>();
    } else if constexpr (is_tuple<T> || Aggregate<T>) {
        return decltype(with_parts(std::declval<T&>(), are_serializable))::value;
    } else {
        return false;
    }
}

} // namespace detail

/// Values that can be sent to other processes: trivially copyable ones that are no pointers and no views, by
/// their bytes, none of which may be of an address; strings, vectors and other sequences, arrays, pairs and
/// tuples of such values; and structs of one to eight public members of such types, as for `Hashable`. All can
/// be default-constructed.
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
        for (const typename T::value_type& part : value) serialize(part, bytes);
    } else {
        with_parts(value, [&bytes](const auto&... parts) { (serialize(parts, bytes), ...); });
    }
}

/// Reads a value, a new one, from the front of some bytes, which it removes.
/// \throws std::runtime_error if the bytes end before the value does
template <Serializable T>
void deserialize(std::string_view& bytes, T& value) {
    const auto require = [&](std::uint64_t count) {
        if (count > bytes.size()) {
            throw std::runtime_error("what another process has sent is damaged: it ends too early");
        }
    };
    if constexpr (Plain<T>) {
        require(sizeof(T));
        if constexpr (std::is_copy_assignable_v<T>) {
            T plain;
            std::memcpy(&plain, bytes.data(), sizeof(T));
            value = plain; // Not with the padding at its end, where another member may begin.
        } else {
            std::memcpy(&value, bytes.data(), sizeof(T));
        }
        bytes.remove_prefix(sizeof(T));
    } else if constexpr (GrowingSequence<T>) {
        std::uint64_t count = 0;
        deserialize(bytes, count);
        require(count); // Each takes a byte at least.
        for (; count > 0; --count) {
            typename T::value_type part{};
            deserialize(bytes, part);
            value.insert(value.end(), std::move(part));
        }
    } else {
        with_parts(value, [&bytes](auto&... parts) { (deserialize(bytes, parts), ...); });
    }
}

} // namespace detail

/// Thrown on the other ranks when a search has failed on one.
class RankFailure : public std::runtime_error {
public:
    RankFailure(int rank, const std::string& reason)
        : std::runtime_error("the search failed on rank " + std::to_string(rank) + ": " + reason),
          rank_(rank) {}

    /// The rank on which it failed.
    int rank() const noexcept { return rank_; }

private:
    int rank_;
};

/// The ranks of a communicator, with messages of their own that meet no others.
///
/// To make one, `attempt`, `broadcast` and `least` are collective: all ranks call them, in the same order.
class Communicator {
public:
    explicit Communicator(MPI_Comm ranks) {
        MPI_Comm_dup(ranks, &ranks_);
        MPI_Comm_rank(ranks_, &rank_);
        MPI_Comm_size(ranks_, &size_);
    }
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    ~Communicator() { MPI_Comm_free(&ranks_); }

    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }
    MPI_Comm get() const noexcept { return ranks_; }

    /// \throws std::logic_error if MPI was not started for programs with threads
    static void check_threads() {
        int level = MPI_THREAD_SINGLE;
        MPI_Query_thread(&level);
        if (level < MPI_THREAD_FUNNELED) {
            throw std::logic_error("threads need MPI started by MPI_Init_thread with MPI_THREAD_FUNNELED");
        }
    }

    /// Calls `work()`, which is not collective. If it throws on one rank, this throws on all.
    /// \throws what `work` has thrown; `RankFailure` if it has thrown on another rank, `std::bad_alloc` if that
    ///         was for lack of memory
    template <class F>
    void attempt(F&& work) const {
        std::exception_ptr error;
        const char* what = "an exception that is no std::exception";
        int failed = size_ + 1; // the first rank that has failed; `size_` for lack of memory
        try {
            work();
        } catch (const std::bad_alloc&) {
            failed = size_;
        } catch (const std::exception& known) {
            error = std::current_exception();
            what = known.what();
        } catch (...) {
            error = std::current_exception();
        }
        failed = least(error ? rank_ : failed);
        if (failed > size_) return;
        if (failed == size_) throw std::bad_alloc();
        std::array<char, 256> reason{};
        std::strncpy(reason.data(), what, reason.size() - 1);
        MPI_Bcast(reason.data(), static_cast<int>(reason.size()), MPI_CHAR, failed, ranks_);
        if (error) std::rethrow_exception(error);
        throw RankFailure(failed, reason.data());
    }

    /// The value that the rank `root` has.
    /// \throws std::bad_alloc on all ranks if there is no memory for it on one
    template <Serializable T>
    T broadcast(const T& value, int root) const {
        if constexpr (detail::Plain<T>) {
            T result = value;
            MPI_Bcast(&result, static_cast<int>(sizeof(T)), MPI_BYTE, root, ranks_);
            return result;
        } else {
            T result{};
            std::vector<char> bytes;
            attempt([&] {
                if (rank_ == root) detail::serialize(value, bytes);
            });
            const std::size_t size = broadcast(bytes.size(), root);
            attempt([&] { bytes.resize(size); });
            constexpr std::size_t most = std::size_t{1} << 24; // MPI counts bytes in an `int`.
            for (std::size_t first = 0; first < size; first += most) {
                const auto count = static_cast<int>((std::min)(most, size - first));
                MPI_Bcast(bytes.data() + first, count, MPI_BYTE, root, ranks_);
            }
            attempt([&] {
                std::string_view rest(bytes.data(), size);
                detail::deserialize(rest, result);
            });
            return result;
        }
    }

    /// The least value of all ranks.
    int least(int value) const {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, ranks_);
        return value;
    }

private:
    MPI_Comm ranks_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
};

} // namespace npuzzle

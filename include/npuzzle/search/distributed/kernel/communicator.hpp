#pragma once

#include "npuzzle/search/distributed/kernel/serialization.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <mpi.h>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// What searches on many machines use of MPI, with owners for what has to be given back.

namespace npuzzle {

/// Thrown on the other ranks when a search has failed on one: there the exception is the one that ended it.
class RankFailure : public std::runtime_error {
public:
    RankFailure(int rank, const std::string& reason)
        : std::runtime_error("the search failed on rank " + std::to_string(rank) + ": " + reason),
          rank_(rank) {}

    /// The rank on which it failed.
    [[nodiscard]] int rank() const noexcept { return rank_; }

private:
    int rank_;
};

namespace detail {

/// What an exception says of itself.
inline std::string message_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        return known.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

} // namespace detail

class Communicator;
inline void share_failure(const Communicator& ranks, const std::exception_ptr& error);

namespace detail {

/// What goes wrong on a rank between two calls that are collective, until all ranks know of it.
class Trouble {
public:
    /// Calls `work()`. Returns whether it did its work, and else keeps what it has thrown.
    template <class F>
    bool guard(F&& work) {
        try {
            work();
            return true;
        } catch (const std::bad_alloc&) {
            has_memory_ = false;
        } catch (...) {
            error_ = std::current_exception();
        }
        return false;
    }

    void run_out_of_memory() noexcept { has_memory_ = false; }

    /// Collective. False if there was no memory on one of the ranks.
    /// \throws what was thrown here; RankFailure if something was thrown on another rank
    [[nodiscard]] bool is_nowhere(const Communicator& ranks) const;

private:
    std::exception_ptr error_;
    bool has_memory_ = true;
};

} // namespace detail

/// The ranks of a communicator, with messages of their own that meet no others.
///
/// To make one, and each member but `rank`, `size` and `get`, is collective: all ranks call it, in the same
/// order.
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

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }
    [[nodiscard]] MPI_Comm get() const noexcept { return ranks_; }

    /// The value that the rank `root` has.
    template <detail::Plain T>
    [[nodiscard]] T broadcast(T value, int root) const {
        MPI_Bcast(&value, static_cast<int>(sizeof(T)), MPI_BYTE, root, ranks_);
        return value;
    }

    /// The same of values that are no plain bytes.
    /// \throws std::bad_alloc on all ranks if there is no memory for it on one
    template <Serializable T>
        requires(!detail::Plain<T>)
    [[nodiscard]] T broadcast(T value, int root) const {
        std::vector<char> bytes;
        agree([&] {
            if (rank_ == root) {
                detail::serialize(value, bytes);
            }
        });
        const std::size_t size = broadcast(bytes.size(), root);
        agree([&] { bytes.resize(size); });
        constexpr std::size_t most = std::size_t{1} << 24; // MPI counts bytes in an `int`.
        for (std::size_t first = 0; first < size; first += most) {
            const auto count = static_cast<int>((std::min)(most, size - first));
            MPI_Bcast(bytes.data() + first, count, MPI_BYTE, root, ranks_);
        }
        agree([&] {
            if (rank_ != root) {
                detail::Deserializer(bytes.data(), bytes.size()).read(value = T{});
            }
        });
        return value;
    }

    /// Calls `work()`, which is not collective. False if there was no memory for it on one of the ranks.
    /// \throws what it has thrown; RankFailure if it has thrown something else on another rank
    template <class F>
    [[nodiscard]] bool attempt(F&& work) const {
        detail::Trouble trouble;
        trouble.guard(work);
        return trouble.is_nowhere(*this);
    }

    /// The least value of all ranks.
    [[nodiscard]] int least(int value) const {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, ranks_);
        return value;
    }

private:
    /// Calls `work()`. Throws `std::bad_alloc` on all ranks if it does so on one.
    template <class F>
    void agree(F&& work) const {
        if (!attempt(work)) {
            throw std::bad_alloc();
        }
    }

    MPI_Comm ranks_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
};

/// Collective: returns if there is an error on no rank. Else it throws: the error, where there is one, and
/// `RankFailure` on the other ranks.
inline void share_failure(const Communicator& ranks, const std::exception_ptr& error) {
    const int first = ranks.least(error ? ranks.rank() : ranks.size());
    if (first == ranks.size()) {
        return;
    }
    const std::string reason = ranks.broadcast(error ? detail::message_of(error) : std::string(), first);
    if (error) {
        std::rethrow_exception(error);
    }
    throw RankFailure(first, reason);
}

namespace detail {

inline bool Trouble::is_nowhere(const Communicator& ranks) const {
    enum : int { failed, without_memory, well };
    const int worst = ranks.least(error_ ? failed : has_memory_ ? well : without_memory);
    if (worst == failed) {
        share_failure(ranks, error_);
    }
    return worst == well;
}

/// Throws `std::logic_error` if MPI was not started for programs with threads, of which one calls it.
inline void check_thread_level(int threads) {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (threads > 1 && level < MPI_THREAD_FUNNELED) {
        throw std::logic_error("a search on several threads needs MPI started by MPI_Init_thread with "
                               "MPI_THREAD_FUNNELED or more");
    }
}

/// How the values of all ranks become one: `value.merge(other)`, associative and commutative.
template <Plain T>
    requires requires(T value, const T& other) { value.merge(other); }
class Reduction {
public:
    Reduction() {
        MPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &type_);
        MPI_Type_commit(&type_);
        MPI_Op_create(&merge, 1, &operation_);
    }
    Reduction(const Reduction&) = delete;
    Reduction& operator=(const Reduction&) = delete;
    ~Reduction() {
        MPI_Op_free(&operation_);
        MPI_Type_free(&type_);
    }

    /// Collective.
    [[nodiscard]] T operator()(T value, const Communicator& ranks) const {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, type_, operation_, ranks.get());
        return value;
    }

    /// Collective: begins what `request` tells the end of. Then `value` includes all ranks.
    void begin(T& value, const Communicator& ranks, MPI_Request& request) const {
        MPI_Iallreduce(MPI_IN_PLACE, &value, 1, type_, operation_, ranks.get(), &request);
    }

private:
    static void merge(void* from, void* into, int* count, MPI_Datatype* /*type*/) {
        for (int i = 0; i < *count; ++i) {
            T a;
            T b;
            const auto offset = static_cast<std::size_t>(i) * sizeof(T);
            std::memcpy(&a, static_cast<char*>(into) + offset, sizeof(T));
            std::memcpy(&b, static_cast<char*>(from) + offset, sizeof(T));
            a.merge(b);
            std::memcpy(static_cast<char*>(into) + offset, &a, sizeof(T));
        }
    }

    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op operation_ = MPI_OP_NULL;
};

} // namespace detail

} // namespace npuzzle

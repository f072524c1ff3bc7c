#pragma once

#include "npuzzle/search/distributed/kernel/serialization.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <mpi.h>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// \file
/// What searches on many machines use of MPI.

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
        if (failed == size_) {
            throw std::bad_alloc();
        }
        if (failed < size_) {
            std::array<char, 256> reason{};
            std::strncpy(reason.data(), what, reason.size() - 1);
            MPI_Bcast(reason.data(), static_cast<int>(reason.size()), MPI_CHAR, failed, ranks_);
            if (error) {
                std::rethrow_exception(error);
            }
            throw RankFailure(failed, reason.data());
        }
    }

    /// The value that the rank `root` has.
    /// \throws std::bad_alloc on all ranks if there is no memory for it on one
    template <Serializable T>
    [[nodiscard]] T broadcast(T value, int root) const {
        if constexpr (detail::Plain<T>) {
            MPI_Bcast(&value, static_cast<int>(sizeof(T)), MPI_BYTE, root, ranks_);
        } else {
            std::vector<char> bytes;
            attempt([&] {
                if (rank_ == root) {
                    detail::serialize(value, bytes);
                }
            });
            const std::size_t size = broadcast(bytes.size(), root);
            attempt([&] { bytes.resize(size); });
            constexpr std::size_t most = std::size_t{1} << 24; // MPI counts bytes in an `int`.
            for (std::size_t first = 0; first < size; first += most) {
                const auto count = static_cast<int>((std::min)(most, size - first));
                MPI_Bcast(bytes.data() + first, count, MPI_BYTE, root, ranks_);
            }
            attempt([&] {
                if (rank_ != root) {
                    detail::Deserializer(bytes.data(), bytes.size()).read(value = T{});
                }
            });
        }
        return value;
    }

    /// The least value of all ranks.
    [[nodiscard]] int least(int value) const {
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, ranks_);
        return value;
    }

private:
    MPI_Comm ranks_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
};

} // namespace npuzzle

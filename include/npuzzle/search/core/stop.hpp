#pragma once

#include "npuzzle/macros.hpp"

#include <atomic>
#include <concepts>
#include <cstddef>
#include <utility>

/// \file
/// How a search is stopped from outside.

namespace npuzzle {

namespace detail {

/// What the copies of a token ask. The last of them destroys it.
struct StopState {
    virtual ~StopState() = default;
    virtual bool stop_requested() = 0;

    std::atomic<std::size_t> owners{1};
};

template <class Ask>
struct StopStateOf final : StopState {
    explicit StopStateOf(Ask asked) : ask(std::move(asked)) {}
    bool stop_requested() override { return static_cast<bool>(ask()); }

    Ask ask;
};

template <class T>
inline constexpr bool has_stop_requested = requires(const T& source) { bool(source.stop_requested()); };

/// What tells by its value, which other threads may set: `std::atomic<bool>`, say.
template <class T>
inline constexpr bool is_stop_flag =
    !has_stop_requested<T> && !std::predicate<T&> && requires(const T& flag) { bool(flag.load()); };

} // namespace detail

/// Tells a search whether to stop. It is made, implicitly, from
/// - a `StopSource`'s `get_token()`, or a `std::stop_token` where the standard library has one;
/// - a `const std::atomic<bool>&`, which must live as long as the search;
/// - anything that can be called without arguments and returns a `bool`: true to stop.
///
/// A search asks its token every few milliseconds, between two expansions, on the thread that runs the
/// search. What a function throws passes through the search to the caller.
///
/// Copies share one source: a copy is one atomic increment. A token that is not a copy allocates a few bytes.
/// The members have the names of `std::stop_token`.
class StopToken {
public:
    /// Never stops.
    StopToken() noexcept = default;

    /// Asks `source.stop_requested()` of a copy of the source, or calls `source()`.
    template <class Source>
        requires((detail::has_stop_requested<Source> || std::predicate<Source&>) &&
                 !std::derived_from<Source, StopToken>)
    StopToken(Source source) { // NOLINT(google-explicit-constructor)
        if constexpr (!detail::has_stop_requested<Source>) {
            hold(std::move(source));
        } else {
            if constexpr (requires { bool(source.stop_possible()); }) {
                if (!source.stop_possible()) {
                    return;
                }
            }
            hold([asked = std::move(source)] { return asked.stop_requested(); });
        }
    }

    /// Asks `flag.load()`. The flag must live as long as the token and its copies.
    template <class Flag>
        requires detail::is_stop_flag<Flag>
    StopToken(const Flag& flag) { // NOLINT(google-explicit-constructor)
        hold([asked = &flag] { return asked->load(); });
    }

    template <class Flag>
        requires detail::is_stop_flag<Flag>
    StopToken(const Flag&&) = delete;

    StopToken(const StopToken& other) noexcept : state_(other.state_) {
        if (state_ != nullptr) {
            state_->owners.fetch_add(1, std::memory_order_relaxed);
        }
    }
    StopToken(StopToken&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    StopToken& operator=(StopToken other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    ~StopToken() {
        if (state_ != nullptr && state_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            delete state_;
        }
    }

    /// Whether to stop. Throws what the source throws.
    [[nodiscard]] bool stop_requested() const { return state_ != nullptr && state_->stop_requested(); }

    /// False if it never stops: of a token without a source.
    [[nodiscard]] bool stop_possible() const noexcept { return state_ != nullptr; }

private:
    friend class StopSource;

    template <class Ask>
    void hold(Ask ask) {
        state_ = new detail::StopStateOf<Ask>(std::move(ask));
    }

    detail::StopState* state_ = nullptr;
};

/// Requests stops, as `std::stop_source` does, on every standard library. `request_stop` may be called from
/// any thread and from a signal handler. Copies share one state.
class StopSource {
public:
    StopSource() : requested_(new Requested) { token_.state_ = requested_; }
    StopSource(const StopSource&) = default; // and no moves: each source has a state
    StopSource& operator=(const StopSource&) = default;

    /// A token for the limits of any number of searches; it may outlive this.
    [[nodiscard]] StopToken get_token() const noexcept { return token_; }

    /// Stops all searches that have a token of this source. False if that has been requested before.
    bool request_stop() const noexcept {
        return !requested_->is_requested.exchange(true, std::memory_order_acq_rel);
    }

    /// Whether a stop has been requested.
    [[nodiscard]] bool stop_requested() const noexcept { return requested_->stop_requested(); }

private:
    struct Requested final : detail::StopState {
        bool stop_requested() override { return is_requested.load(std::memory_order_acquire); }

        std::atomic<bool> is_requested{false};
    };

    Requested* requested_;
    StopToken token_; // keeps the state alive
};

} // namespace npuzzle

#pragma once

#include "npuzzle/search/core/result.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#if defined(__GLIBCXX__)
#include <shared_mutex> // has what is used of <chrono>, which takes a tenth of a second to compile
#else
#include <chrono>
#endif

/// \file
/// What may end a search early.

namespace npuzzle {

namespace detail {

/// What the copies of a token ask, and share. `std::shared_ptr` takes a tenth of a second to compile.
struct StopRequest {
    virtual ~StopRequest() = default;
    virtual bool is_made() = 0;

    int tokens = 0;
};

} // namespace detail

/// Tells a search whether to stop. It is made, implicitly, from
/// - a `StopSource`'s `get_token()`, or a `std::stop_token` where the standard library has one;
/// - a reference to a `std::atomic<bool>`, or to what has `load()`: it must outlive the token and its copies;
/// - a function without arguments, which is copied, and returns true to stop.
///
/// A search asks every few milliseconds, between two expansions, on its own thread. What a function throws
/// passes through. Copies share one source.
class StopToken {
public:
    StopToken() noexcept = default; ///< never stops

    template <class Ask>
        requires std::predicate<Ask&>
    StopToken(Ask ask) // NOLINT(google-explicit-constructor)
        : StopToken(new Asking<Ask>(std::move(ask))) {}
    template <class Source>
        requires(requires(const Source& source) { bool(source.stop_requested()); } &&
                 !std::predicate<Source&> && !std::derived_from<Source, StopToken>)
    StopToken(Source source) // NOLINT(google-explicit-constructor)
        : StopToken([asked = std::move(source)] { return bool(asked.stop_requested()); }) {}
    template <class Flag>
        requires std::is_lvalue_reference_v<Flag> && (!std::predicate<Flag>) &&
                 (!requires(Flag flag) { flag.stop_requested(); }) &&
                 requires(Flag flag) { bool(flag.load()); }
    StopToken(Flag&& flag) // NOLINT(google-explicit-constructor)
        : StopToken([asked = &flag] { return bool(asked->load()); }) {}

    StopToken(const StopToken& other) noexcept : StopToken(other.request_) {}
    StopToken(StopToken&& other) noexcept : request_(std::exchange(other.request_, nullptr)) {}
    StopToken& operator=(StopToken other) noexcept {
        std::swap(request_, other.request_);
        return *this;
    }
    ~StopToken() {
        if (request_ != nullptr && NPUZZLE_FETCH_ADD(request_->tokens, -1) == 1) delete request_;
    }

    /// Whether to stop. Throws what the source throws.
    [[nodiscard]] bool stop_requested() const { return request_ != nullptr && request_->is_made(); }

    /// False if it never stops: of a token without a source.
    [[nodiscard]] bool stop_possible() const noexcept { return request_ != nullptr; }

private:
    friend class StopSource;

    template <class Ask>
    struct Asking final : detail::StopRequest {
        explicit Asking(Ask&& its_ask) : ask(std::move(its_ask)) {}
        bool is_made() override { return static_cast<bool>(ask()); }

        Ask ask;
    };

    explicit StopToken(detail::StopRequest* request) noexcept : request_(request) {
        if (request_ != nullptr) NPUZZLE_FETCH_ADD(request_->tokens, 1);
    }

    detail::StopRequest* request_ = nullptr;
};

/// A `std::stop_source` on every standard library. `request_stop` may be called from any thread and from a
/// signal handler. Copies share one state.
class StopSource {
public:
    StopSource() : flag_(new Flag), token_(flag_) {}
    StopSource(const StopSource&) = default; // and no moves: each source has a state
    StopSource& operator=(const StopSource&) = default;

    /// It may outlive this.
    [[nodiscard]] StopToken get_token() const { return token_; }

    /// Stops all searches that have a token of this source. False if that has been requested before.
    bool request_stop() const noexcept {
        return !stop_requested() && NPUZZLE_FETCH_ADD(flag_->requests, 1) == 0;
    }

    [[nodiscard]] bool stop_requested() const noexcept { return flag_->is_made(); }

private:
    struct Flag final : detail::StopRequest {
        bool is_made() noexcept override { return NPUZZLE_FETCH_ADD(requests, 0) != 0; }

        unsigned requests = 0;
    };

    Flag* flag_;
    StopToken token_;
};

/// Made of any `std::chrono` duration; one that is too long becomes the longest. `{}` is zero.
struct TimeLimit : std::chrono::nanoseconds {
    constexpr TimeLimit(std::chrono::nanoseconds time = zero()) // NOLINT(google-explicit-constructor)
        : std::chrono::nanoseconds(time) {}
    template <class Rep, class Period>
    constexpr TimeLimit(const std::chrono::duration<Rep, Period>& time) // NOLINT(google-explicit-constructor)
        : std::chrono::nanoseconds(
              detail::saturating_cast<rep>(std::chrono::duration<double, period>(time).count())) {}
};

/// Bounds on a search; by default there are none. `{.expansions = 1'000'000, .time =
/// std::chrono::seconds{5}}`.
/// \tparam Cost the cost type of the problem, for `max_cost`; `Limits` are without it, and convert
template <class Cost = void>
struct BasicLimits {
    static constexpr std::uint64_t unlimited = (std::numeric_limits<std::uint64_t>::max)();

    /// The most states to expand. A goal that is next is still accepted.
    std::uint64_t expansions = unlimited;
    /// The most bytes that open list and node table may hold together, also while they grow. What states own
    /// themselves, such as the elements of a `std::vector`, does not count.
    std::uint64_t bytes = unlimited;
    /// The most wall-clock time, looked at every few milliseconds.
    TimeLimit time = (std::chrono::nanoseconds::max)();
    /// Ends the search within milliseconds when a stop is requested.
    StopToken stop = {};
    /// The most that a solution may cost. If this bound alone prevents a solution, the search ends with
    /// `Status::cost_limit`: a proof, under an admissible heuristic, that no solution costs as little.
    /// Since floating-point sums are rounded, it may cost more by a share of 2^-32 for `double`, 2^-11 for
    /// `float`: none is missed on paths of a million or of some thousand steps.
    NPUZZLE_NO_UNIQUE_ADDRESS std::conditional_t<std::is_void_v<Cost>, detail::Nothing, std::optional<Cost>>
        max_cost = {};

    /// The same limits for a problem with other costs; without the bound on them.
    template <class Other>
        requires(!std::same_as<Cost, Other>)
    operator BasicLimits<Other>() const { // NOLINT(google-explicit-constructor)
        return {expansions, bytes, time, stop, {}};
    }
};

using Limits = BasicLimits<>;

template <class P>
using limits_t = BasicLimits<typename detail::types_of<P>::Cost>;

namespace detail {

/// The share of a sum that 2^`digits` additions may lose by rounding; none of integers.
template <class T>
constexpr double rounding_room(int digits = 20) {
    if constexpr (requires { typename T::rep; }) { // a std::chrono duration
        return rounding_room<typename T::rep>(digits);
    } else if constexpr (std::floating_point<T>) {
        const int most = (std::min)(digits, std::numeric_limits<T>::digits / 2);
        return static_cast<double>(std::numeric_limits<T>::epsilon()) * (1 << most);
    }
    return 0;
}

/// The greatest g + h, of type `Total`, that a bound of 0 or more allows, with the room for rounding.
template <class Total, class Cost>
constexpr Total greatest_total(const Cost& max_cost) {
    // A whole cost is exact; its sum with an estimate is rounded once, and so may be the estimate.
    constexpr double room =
        (std::max)(rounding_room<Cost>(), rounding_room<Total>(std::integral<Cost> ? 4 : 20));
    Total most = saturating_cast<Total>(max_cost);
    if constexpr (room != 0) most = static_cast<Total>(most + most * room);
    return most;
}

/// Whether a path of this g + h costs too much.
template <class Total, class Cost>
constexpr bool is_over(const std::optional<Cost>& max_cost, const Total& total) {
    return max_cost && (is_negative(*max_cost) || greatest_total<Total>(*max_cost) < total);
}

/// Whether a bound on the cost proves something: an engine can hold it.
template <class Cost, class CanHold>
bool is_bound(const std::optional<Cost>& max_cost, CanHold&& can_hold) {
    return max_cost && (is_negative(*max_cost) || can_hold(greatest_total<Cost>(*max_cost)));
}

} // namespace detail
} // namespace npuzzle

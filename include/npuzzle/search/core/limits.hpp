#pragma once

#include "npuzzle/search/core/result.hpp"
#include "npuzzle/search/core/stop.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#if defined(__GLIBCXX__)
#include <mutex> // has what is used of <chrono>, which takes a tenth of a second to compile
#else
#include <chrono>
#endif

/// \file
/// What may end a search before its time.

namespace npuzzle {

/// What `BasicLimits<>` has in place of a bound on the cost.
struct NoCostLimit {};

/// Bounds on a search; by default there are none. `{.expansions = 1'000'000, .time =
/// std::chrono::seconds{5}}`.
///
/// \tparam Cost the cost type of the problem, for a bound on the cost; `Limits` is without one, and converts
template <class Cost = void>
struct BasicLimits {
    static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

    /// The most states to expand; exact. A goal that is next is still accepted.
    std::uint64_t expansions = unlimited;
    /// The most bytes that open list and node table may hold together; exact, also while they grow. Without
    /// what states own themselves, such as the elements of a `std::vector`.
    std::uint64_t bytes = unlimited;
    /// The most wall-clock time, looked at every few milliseconds.
    std::chrono::nanoseconds time = std::chrono::nanoseconds::max();
    /// Ends the search within milliseconds when a stop is requested: a `StopSource`, a `std::stop_source`, a
    /// `std::atomic<bool>` or a function; see `StopToken`.
    StopToken stop = {};
    /// The most that a solution may cost. If this bound alone prevents a solution, the search ends with
    /// `Status::cost_limit`: a proof, under an admissible heuristic, that no solution costs as little.
    NPUZZLE_NO_UNIQUE_ADDRESS std::conditional_t<std::is_void_v<Cost>, NoCostLimit, std::optional<Cost>>
        max_cost = {};

    /// The same limits for a problem with other costs; without the bound on them.
    template <class Other>
        requires(!std::same_as<Cost, Other>)
    operator BasicLimits<Other>() const { // NOLINT(google-explicit-constructor)
        return {expansions, bytes, time, stop, {}};
    }
};

/// Limits without a bound on the cost.
using Limits = BasicLimits<>;

namespace detail {

template <class P>
struct limits_of {
    using type = Limits;
};

template <Problem P>
struct limits_of<P> {
    using type = BasicLimits<cost_t<P>>;
};

} // namespace detail

/// The limits of a search of a problem: `BasicLimits` of its costs.
template <class P>
using limits_t = typename detail::limits_of<P>::type;

/// What is left of limits for a second search, after one that used some expansions and some time. Bytes and
/// the bound on the cost stay the same.
template <class Cost>
[[nodiscard]] BasicLimits<Cost> remaining(BasicLimits<Cost> limits, const Statistics& used) {
    if (limits.expansions != Limits::unlimited) {
        limits.expansions -= used.expanded < limits.expansions ? used.expanded : limits.expansions;
    }
    if (limits.time != std::chrono::nanoseconds::max()) {
        limits.time -=
            std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(used.seconds));
    }
    return limits;
}

/// The share of one of `count` searches that run at the same time: expansions and bytes are divided, time is
/// not. The first ones get one more if the division leaves a remainder.
/// \param number which search, from 0
template <class Cost>
[[nodiscard]] BasicLimits<Cost> share(BasicLimits<Cost> limits, unsigned number, unsigned count) {
    const auto divide = [&](std::uint64_t& limit) {
        if (limit != Limits::unlimited) {
            limit = limit / count + (number < limit % count ? 1 : 0);
        }
    };
    divide(limits.expansions);
    divide(limits.bytes);
    return limits;
}

} // namespace npuzzle

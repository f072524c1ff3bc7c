#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace benchmarks {

/// Wall-clock seconds since it was made.
class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
};

/// The middle one of some measurements, or the mean of the middle two. Requires that there is one.
inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// What two contestants needed for the same work.
struct Seconds {
    double peer = 0;
    double npuzzle = 0;
};

/// Has two contestants work in turn, A B A B ..., so that a machine that gets slower or faster does so for both. Each is
/// called with nothing and gives its seconds. The medians over the rounds.
template <class Peer, class Npuzzle>
Seconds interleave(int rounds, Peer&& peer, Npuzzle&& npuzzle) {
    std::vector<double> peer_seconds;
    std::vector<double> npuzzle_seconds;
    for (int round = 0; round < rounds; ++round) {
        peer_seconds.push_back(peer());
        npuzzle_seconds.push_back(npuzzle());
    }
    return {median(std::move(peer_seconds)), median(std::move(npuzzle_seconds))};
}

} // namespace benchmarks

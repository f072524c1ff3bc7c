#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace benchmarks {

/// Wall-clock seconds since its construction.
class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
};

/// The median of measurements: the middle one, or the mean of the middle two. Requires at least one.
inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// The times of two contestants for the same work.
struct Seconds {
    double peer = 0;
    double npuzzle = 0;
};

/// Runs two contestants alternately, A B A B ..., so that a change of the machine's speed affects both. Each
/// is callable without arguments and returns its seconds. Returns the medians over the rounds.
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

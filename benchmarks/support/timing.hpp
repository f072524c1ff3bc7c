#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sys/resource.h>
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

/// Seconds of processor time of this process and of those that it has waited for.
inline double processor_seconds() {
    double seconds = 0;
    for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        getrusage(whose, &usage);
        for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
            seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        }
    }
    return seconds;
}

/// Always the same work: reads that depend on one another, all over 256 KB. Another process on the core makes
/// it slower. It does not feel what other guests of the machine do to shared caches, by which reads all over
/// 4 MB take up to twice as long from one second to the next: that shows in the spread of a row.
class FixedLoop {
public:
    FixedLoop() : last_(seconds()), least_(last_) {}

    /// Whether the loop takes as long now, and took as long the time before, as when it was fastest, within 5 %.
    bool is_undisturbed() {
        const double before = std::exchange(last_, seconds());
        least_ = std::min(least_, last_);
        return std::max(before, last_) < 1.05 * least_;
    }

private:
    double seconds() {
        double least = std::numeric_limits<double>::infinity();
        for (int time = 0; time < 3; ++time) {
            const Stopwatch stopwatch;
            std::uint64_t place = 1;
            for (int i = 0; i < 1 << 20; ++i) {
                place = place * 0x9E3779B97F4A7C15u + 1;
                place += places_[place >> (64 - bits)]++ & 1;
            }
            least = std::min(least, stopwatch.seconds());
        }
        return least;
    }

    static constexpr int bits = 15;
    std::vector<std::uint64_t> places_ = std::vector<std::uint64_t>(std::size_t{1} << bits);
    double last_;
    double least_;
};

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

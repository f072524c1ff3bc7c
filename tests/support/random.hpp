/// @file
/// Pseudo-random numbers that are the same on every platform, unlike those of the standard's distributions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace test {

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    /// In [0, bound).
    std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

    /// In [low, high].
    int between(int low, int high) {
        return low + static_cast<int>(below(static_cast<std::uint64_t>(high - low) + 1));
    }

    bool one_in(std::uint64_t count) { return below(count) == 0; }

    std::uint64_t word() { return engine_(); }

    template <class T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t i = values.size(); i > 1; --i) {
            std::swap(values[i - 1], values[below(i)]);
        }
    }

private:
    std::mt19937_64 engine_;
};

} // namespace test

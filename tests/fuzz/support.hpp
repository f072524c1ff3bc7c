/// @file
/// What the fuzz targets share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace fuzz {

/// Ends the program, so that the fuzzer keeps the input, unless `holds`.
inline void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "does not hold: %s\n", what);
        std::abort();
    }
}

/// Takes an input apart; zeros after its end.
class Bytes {
public:
    Bytes(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

    std::uint8_t next() {
        if (rest_.empty()) {
            return 0;
        }
        const std::uint8_t first = rest_.front();
        rest_ = rest_.subspan(1);
        return first;
    }

    /// A number from 0 to `count` - 1.
    int below(int count) { return next() % count; }

    bool empty() const { return rest_.empty(); }

    /// All that has not been taken.
    std::span<const std::uint8_t> rest() const { return rest_; }

    /// The same as text.
    std::string_view text() const { return {reinterpret_cast<const char*>(rest_.data()), rest_.size()}; }

private:
    std::span<const std::uint8_t> rest_;
};

} // namespace fuzz

#pragma once

#include "npuzzle/search/core/cost.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace npuzzle::detail {

/// The lines of a text, equally long. The last one may end with a line break or not.
class MapText {
public:
    explicit MapText(std::string_view text) {
        // Other alphabets, such as 0 and 1, would be taken for walls alone.
        if (text.find_first_of(".GS") == std::string_view::npos &&
            text.find_first_not_of("@OTW\r\n") != std::string_view::npos) {
            throw std::invalid_argument("no cell of the map is free: only '.', 'G' and 'S' are");
        }
        while (!text.empty()) {
            const std::size_t length = (std::min)(text.find('\n'), text.size());
            std::string_view row = text.substr(0, length);
            text.remove_prefix((std::min)(length + 1, text.size()));
            if (row.ends_with('\r')) row.remove_suffix(1);
            rows_.push_back(row);
            if (row.size() != rows_.front().size()) {
                throw std::invalid_argument("line " + std::to_string(rows_.size()) + " of the map has " +
                                            std::to_string(row.size()) + " cells, the first one has " +
                                            std::to_string(rows_.front().size()));
            }
        }
    }

    [[nodiscard]] int width() const { return rows_.empty() ? 0 : saturating_cast<int>(rows_.front().size()); }
    [[nodiscard]] int height() const { return saturating_cast<int>(rows_.size()); }
    /// A bit for each of at most 64 cells of row y, from column `first`. The signs '.', 'G' and 'S' are free.
    [[nodiscard]] std::uint64_t free_cells(int first, int y) const {
        std::array<char, 64> signs{};
        rows_[static_cast<std::size_t>(y)].copy(signs.data(), signs.size(), static_cast<std::size_t>(first));
        std::uint64_t found = 0;
        for (std::size_t i = 0; i < signs.size(); i += 8) {
            std::uint64_t bytes = 0;
            for (std::size_t k = 0; k < 8; ++k) {
                bytes |= std::uint64_t{static_cast<unsigned char>(signs[i + k])} << 8 * k;
            }
            const std::uint64_t is_free =
                bytes_equal(bytes, '.') | bytes_equal(bytes, 'G') | bytes_equal(bytes, 'S');
            // Bit k of the last byte comes from byte k, and from no other.
            found |= (is_free * 0x0102'0408'1020'4080 >> 56) << i;
        }
        return found;
    }

private:
    /// 1 for each byte that is `sign`, else 0.
    [[nodiscard]] static std::uint64_t bytes_equal(std::uint64_t bytes, char sign) {
        constexpr std::uint64_t ones = 0x0101'0101'0101'0101;
        const std::uint64_t others = bytes ^ ones * static_cast<unsigned char>(sign);
        return ((((others & 127 * ones) + 127 * ones) | others) >> 7 & ones) ^ ones;
    }

    std::vector<std::string_view> rows_;
};

} // namespace npuzzle::detail

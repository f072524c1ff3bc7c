#pragma once

#include "npuzzle/search/core/cost.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace npuzzle::detail {

/// Whether a sign of the MovingAI format stands for a cell that a path may go through: ground or swamp.
[[nodiscard]] constexpr bool is_free_sign(char sign) noexcept {
    return sign == '.' || sign == 'G' || sign == 'S';
}

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
    [[nodiscard]] bool operator()(int x, int y) const {
        return is_free_sign(rows_[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)]);
    }

private:
    std::vector<std::string_view> rows_;
};

} // namespace npuzzle::detail

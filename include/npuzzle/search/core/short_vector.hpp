#pragma once

#include "npuzzle/macros.hpp"

#include <cstddef>
#include <type_traits>

namespace npuzzle {

/// A vector of at most N elements, which are stored in it: the neighbors of a cell without allocation.
/// \tparam T a type that is copied as bytes and can be made without arguments
template <class T, std::size_t N>
class ShortVector {
public:
    using value_type = T;

    constexpr ShortVector() noexcept {} // NOLINT(modernize-use-equals-default): leaves elements as they are

    /// Appends an element. There must be fewer than N.
    constexpr void push_back(const T& element) noexcept {
        NPUZZLE_ASSERT(size_ < N);
        elements_[size_++] = element;
    }

    [[nodiscard]] constexpr T* begin() noexcept { return elements_; }
    [[nodiscard]] constexpr T* end() noexcept { return elements_ + size_; }
    [[nodiscard]] constexpr const T* begin() const noexcept { return elements_; }
    [[nodiscard]] constexpr const T* end() const noexcept { return elements_ + size_; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] constexpr T& operator[](std::size_t i) noexcept { return elements_[i]; }
    [[nodiscard]] constexpr const T& operator[](std::size_t i) const noexcept { return elements_[i]; }
    [[nodiscard]] constexpr T& back() noexcept { return elements_[size_ - 1]; }

private:
    static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>);

    T elements_[N]; // NOLINT(modernize-avoid-c-arrays): std::array would be filled
    std::size_t size_ = 0;
};

} // namespace npuzzle

#pragma once

#include "npuzzle/macros.hpp"

#include <concepts>
#include <type_traits>

namespace npuzzle::detail {

/// Calls a callback. False if it returns false: it wants no more.
template <class F, class... Arguments>
bool wants_more(F& callback, const Arguments&... arguments) {
    if constexpr (std::convertible_to<std::invoke_result_t<F&, const Arguments&...>, bool>) {
        return static_cast<bool>(callback(arguments...));
    } else {
        return callback(arguments...), true;
    }
}

} // namespace npuzzle::detail

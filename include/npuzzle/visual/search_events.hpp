#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/hash.hpp"
#include "npuzzle/search/core/result.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <locale>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

/// \file
/// The events of a search as JSON: one line each, or as a trace that Posthoc shows.

namespace npuzzle {

namespace detail {

/// A value as its output operator writes it, without a locale.
template <class T>
std::string text_of(const T& value) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << value;
    return out.str();
}

/// A text as a string of JSON (RFC 8259). Requires UTF-8.
inline std::string json_string(std::string_view text) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '\n') {
            quoted += "\\n";
        } else if (const auto byte = static_cast<unsigned char>(c); byte < 0x20) {
            quoted += {'\\', 'u', '0', '0', hexadecimal[byte / 16], hexadecimal[byte % 16]};
        } else {
            if (c == '"' || c == '\\') quoted += '\\';
            quoted += c;
        }
    }
    return quoted + '"';
}

/// A number as JSON: null if it is infinite or none, the shortest text that gives the number back otherwise.
/// Any other value is a string, by its output operator.
template <class T>
std::string json_value(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
        if (is_infinite(value) || (std::is_floating_point_v<T> && is_infinite(T(-value)))) return "null";
        char digits[64];
        return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
    } else {
        return json_string(text_of(value));
    }
}

} // namespace detail

/// The default label: a board is a grid with a dot for the blank, any other state is written by its output
/// operator.
struct StateLabel {
    template <class State>
    [[nodiscard]] std::string operator()(const State& state) const {
        if constexpr (requires { state.tile(state.cells()) + state.size(); }) {
            const std::size_t width = std::to_string(state.cells() - 1).size();
            std::string text;
            for (decltype(state.cells()) cell = 0; cell < state.cells(); ++cell) {
                const std::string digits = std::to_string(state.tile(cell));
                if (cell != 0) text += cell % state.size() == 0 ? '\n' : ' ';
                text.append(width - digits.size(), ' ').append(digits == "0" ? "·" : digits);
            }
            return text;
        } else {
            return detail::text_of(state);
        }
    }
};

/// How `SearchEvents` writes.
enum class SearchEventFormat : std::uint8_t {
    json_lines, ///< an object a line (https://jsonlines.org)
    posthoc,    ///< one object, a search trace of version 1.4.0 (https://posthoc.pathfinding.ai)
};

/// Options of `SearchEvents`.
struct SearchEventOptions {
    SearchEventFormat format = SearchEventFormat::json_lines;
    /// For Posthoc: members of the trace that say how to draw it, each with a comma behind it.
    std::string_view views = {};
};

/// Views for Posthoc: a square for each event, in the color of its type, at the properties x and y, and the
/// path to it.
inline constexpr std::string_view posthoc_squares =
    R"("views":{"main":[{"$":"rect","x":"${{ $.x }}","y":"${{ $.y }}","width":1,"height":1,)"
    R"("fill":"${{ color[$.type] }}"}]},"pivot":{"x":"${{ $.x + 0.5 }}","y":"${{ $.y + 0.5 }}","scale":1},)";

/// Says nothing of a state but its label.
struct NoProperties {
    [[nodiscard]] std::array<std::pair<std::string_view, int>, 0> operator()(const auto& /*state*/) const {
        return {};
    }
};

/// An observer that writes a search down, event by event, while it runs:
/// \code
/// SearchEvents<std::string> events(file, {.format = SearchEventFormat::posthoc});
/// astar(roads, "home", heuristic, {}, events);
/// events.finish();
/// \endcode
/// docs/visual.md has the types and properties of events. In a bidirectional search each side numbers its own
/// states. Posthoc, which would take a duplicate for a change of the parent, is not told of those.
///
/// An event takes constant time beside its label, the memory is linear in the number of states. Errors of the
/// stream are left in its state; labels must be UTF-8.
///
/// \tparam State `state_t<P>` of the problem
/// \tparam Label called with a state: a text, such as "3 4"
/// \tparam Properties called with a state: a range of names and numbers, which become properties of the event
template <Hashable State, class Label = StateLabel, class Properties = NoProperties>
    requires std::equality_comparable<State> &&
             std::is_invocable_r_v<std::string, const Label&, const State&> &&
             std::is_invocable_v<const Properties&, const State&>
class SearchEvents : public SilentObserver {
public:
    /// \param out stays in use until the end of this object
    explicit SearchEvents(std::ostream& out, SearchEventOptions options = {}, Label label = {},
                          Properties properties = {})
        : out_(&out), label_(std::move(label)), properties_(std::move(properties)),
          is_posthoc_(options.format == SearchEventFormat::posthoc) {
        if (is_posthoc_) put(R"({"version":"1.4.0",)" + std::string(options.views) + R"("events":[)");
    }
    SearchEvents(const SearchEvents&) = delete;
    SearchEvents& operator=(const SearchEvents&) = delete;
    ~SearchEvents() {
        try {
            finish();
        } catch (...) { // a stream that throws
        }
    }

    /// Writes what is held back, and the end of a trace. Nothing may follow.
    void finish() {
        if (std::exchange(is_finished_, true)) return;
        settle();
        if (is_posthoc_) put("\n]}\n");
    }

    void start(const auto& node) { write("source", known(node), text_after_parent(node)); }

    void expand(const auto& node) {
        settle();
        expanded_ = &known(node);
        closing_ = text_after_parent(node);
        write("expanding", *expanded_, closing_);
    }

    void generate(const auto& node, const auto& parent) {
        write_pending("generating");
        pending_ = &known(node);
        pending_parent_ = known(parent).id;
        pending_text_ = text_after_parent(node);
    }

    void duplicate(const auto& /*node*/) {
        if (!is_posthoc_ && pending_ != nullptr) {
            write("duplicate", {pending_->id, pending_parent_}, pending_text_);
        }
        pending_ = nullptr;
    }

    void improve(const auto& /*node*/) { write_pending("updating"); }
    void reopen(const auto& /*node*/) { write_pending("updating"); }

    void goal(const auto& node) {
        settle();
        write("end", known(node), text_after_parent(node));
    }

private:
    struct Known {
        std::uint64_t id; // from 1: Posthoc takes 0 for no parent
        std::uint64_t parent = 0;
    };

    struct Hash {
        std::size_t operator()(const State& state) const { return hash_of(state); }
    };

    template <class Node>
    Known& known(const Node& node) {
        std::size_t side = 0;
        if constexpr (requires { node.direction; }) side = static_cast<std::size_t>(node.direction);
        return states_[side]
            .try_emplace(node.state, Known{states_[0].size() + states_[1].size() + 1})
            .first->second;
    }

    std::string text_after_parent(const auto& node) const {
        std::string text = ",\"f\":" + detail::json_value(node.priority) +
                           ",\"g\":" + detail::json_value(node.cost) +
                           ",\"h\":" + detail::json_value(node.estimate) +
                           ",\"label\":" + detail::json_string(label_(node.state));
        for (const auto& [name, value] : properties_(node.state)) {
            text += ',' + detail::json_string(name) + ':' + detail::json_value(value);
        }
        return text + '}';
    }

    // What `generate` tells of is written when the next event says what became of it.
    void write_pending(std::string_view type) {
        if (pending_ == nullptr) return;
        pending_->parent = pending_parent_;
        write(type, *pending_, pending_text_);
        pending_ = nullptr;
    }

    void settle() {
        write_pending("generating");
        if (expanded_ != nullptr) write("closing", *expanded_, closing_);
        expanded_ = nullptr;
    }

    void put(std::string_view text) { out_->write(text.data(), static_cast<std::streamsize>(text.size())); }

    void write(std::string_view type, const Known& state, const std::string& text) {
        std::string line(is_posthoc_ ? has_events_ ? ",\n" : "\n" : "");
        line.append("{\"type\":\"").append(type).append("\",\"id\":").append(std::to_string(state.id));
        line.append(",\"pId\":").append(state.parent == 0 ? "null" : std::to_string(state.parent));
        line += text;
        if (!is_posthoc_) line += '\n';
        put(line);
        has_events_ = true;
    }

    std::ostream* out_;
    Label label_;
    Properties properties_;
    bool is_posthoc_;
    bool has_events_ = false;
    bool is_finished_ = false;
    std::array<std::unordered_map<State, Known, Hash>, 2> states_;
    Known* pending_ = nullptr; // elements of the map stay where they are
    std::uint64_t pending_parent_ = 0;
    std::string pending_text_;
    const Known* expanded_ = nullptr;
    std::string closing_;
};

} // namespace npuzzle

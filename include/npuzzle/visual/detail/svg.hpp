#pragma once

#include "npuzzle/macros.hpp"

#include <charconv>
#include <concepts>
#include <ostream>
#include <string>
#include <string_view>

/// \file
/// Shared by all pictures: text escaped for XML and HTML, numbers without a locale, SVG elements.

namespace npuzzle::detail {

/// `text` escaped for use between tags and in quotes. Control characters, which XML cannot hold, become
/// U+FFFD.
[[nodiscard]] inline std::string escaped_for_xml(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') {
                escaped += "\xEF\xBF\xBD";
            } else {
                escaped += c;
            }
        }
    }
    return escaped;
}

/// A number with at most two decimals, the same in every locale.
[[nodiscard]] inline std::string svg_number(double value) {
    char digits[400];
    std::string text(digits,
                     std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 2).ptr);
    if (text.find('.') != std::string::npos) {
        while (text.back() == '0') text.pop_back();
        if (text.back() == '.') text.pop_back();
    }
    return text == "-0" ? "0" : text;
}

[[nodiscard]] std::string svg_number(std::integral auto value) {
    return std::to_string(value);
}

/// Writes text without the stream's locale, width or fill. Errors are left in the state of `out`.
inline void write_text(std::ostream& out, std::string_view text) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

/// The font families of all pictures.
inline constexpr std::string_view svg_font =
    "system-ui, -apple-system, \"Segoe UI\", \"DejaVu Sans\", sans-serif";

/// The beginning of an SVG element: the attributes that every picture has, its title, its style rules and its
/// background.
/// \param kind the class that limits the style rules to this kind of picture
[[nodiscard]] inline std::string svg_head(const std::string& kind, const std::string& width,
                                          const std::string& height, std::string_view title,
                                          std::string_view rules, const std::string& radius) {
    const std::string escaped = escaped_for_xml(title);
    std::string text =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"" + kind + "\" role=\"img\" width=\"";
    text += width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + ' ' + height +
            "\" aria-label=\"" + escaped + "\">\n<title>" + escaped + "</title>\n<style>\n";
    text.append(rules) += "</style>\n<rect class=\"page\" x=\"0\" y=\"0\" width=\"" + width + "\" height=\"" +
                          height + "\" rx=\"" + radius + "\"/>\n";
    return text;
}

/// `<text class="kind" x="x" y="y">what</text>`; `what` is escaped here.
template <class X, class Y>
[[nodiscard]] std::string svg_text(std::string_view kind, X x, Y y, std::string_view what) {
    std::string text = "<text";
    if (!kind.empty()) text.append(" class=\"").append(kind) += '"';
    return text + " x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\">" + escaped_for_xml(what) +
           "</text>";
}

/// A rectangle with rounded corners.
template <class N>
[[nodiscard]] std::string svg_rectangle(std::string_view kind, N x, N y, N width, N height, N radius) {
    std::string text = "<rect ";
    if (!kind.empty()) text.append("class=\"").append(kind) += "\" ";
    return text + "x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" width=\"" + svg_number(width) +
           "\" height=\"" + svg_number(height) + "\" rx=\"" + svg_number(radius) + "\"/>";
}

} // namespace npuzzle::detail

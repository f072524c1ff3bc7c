#include "support/figures.hpp"

#include <cstddef>
#include <cstdio>
#include <ctime>
#include <ostream>

namespace benchmarks {

std::string to_text(double value) {
    char digits[64];
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    std::snprintf(digits, sizeof digits, "%.*f", decimals, value);
    std::string text = digits;
    for (std::size_t place = text.find_first_of('.') == std::string::npos ? text.size() : 0; place > 3;) {
        place -= 3;
        text.insert(place, 1, ',');
    }
    return text;
}

std::string to_text(double value, const std::string& unit) {
    return unit.empty() ? to_text(value) : to_text(value) + " " + unit;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d", std::localtime(&now));
    return text;
}

void write_figures(std::ostream& out, const std::vector<Figure>& figures) {
    for (const Figure& figure : figures) {
        out << figure.row << '\t' << figure.what << '\t' << figure.value << '\t' << figure.unit << '\t'
            << figure.reach << '\t' << figure.aim << '\t' << (figure.is_less_better ? "less" : "more") << '\t'
            << (figure.is_detail ? "detail" : "table") << '\t' << figure.date << '\t' << figure.npuzzle
            << '\t' << figure.peer << '\t' << figure.note << '\n';
    }
}

} // namespace benchmarks

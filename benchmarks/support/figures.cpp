#include "support/figures.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <ostream>

namespace benchmarks {

namespace {

constexpr double widest_range = 1.25; ///< the greatest over the least

} // namespace

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

std::string to_text(const Figure& figure) {
    const std::string range = to_text(figure.least) + " to " + to_text(figure.greatest, figure.unit);
    if (figure.greatest > widest_range * figure.least) {
        return range;
    }
    return to_text(figure.value, figure.unit) +
           (figure.rounds > 1 ? " (" + range + ")" : std::string(" (once)"));
}

Figure median_of(std::vector<Figure> rounds) {
    std::sort(rounds.begin(), rounds.end(),
              [](const Figure& a, const Figure& b) { return a.value < b.value; });
    Figure median = rounds[rounds.size() / 2];
    median.rounds = static_cast<int>(rounds.size());
    median.least = rounds.front().value;
    median.greatest = rounds.back().value;
    return median;
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
            << (figure.is_detail ? "detail" : "table") << '\t' << figure.date << '\t' << figure.rounds << '\t'
            << figure.least << '\t' << figure.greatest << '\t' << figure.processor << '\t' << figure.npuzzle
            << '\t' << figure.peer << '\t' << figure.note << '\n';
    }
}

} // namespace benchmarks

#include "npuzzle/maps/grid_map.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/search/dijkstra.hpp"
#include "npuzzle/visual/search_events.hpp"

#include "support/catch.hpp"
#include "support/visual.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using npuzzle::SearchEventFormat;
using npuzzle::SearchEvents;

namespace test {

/// Roads between towns. C is first reached by an expensive road, then by a cheap one. X is a dead end.
struct Roads {
    using State = std::string;

    std::vector<npuzzle::Edge<std::string, double>> neighbors(const std::string& town) const {
        if (town == "A") return {{"B", 1}, {"C", 1.5}, {"D", 7.25}};
        if (town == "B") return {{"D", 5}, {"C", 0.25}, {"X", 1}};
        if (town == "C") return {{"D", 2.5}, {"A", 1}, {"E", 1}};
        if (town == "D") return {{"G", 1}};
        if (town == "E") return {{"D", 1}};
        return {};
    }
    bool is_goal(const std::string& town) const { return town == "G"; }
};

inline double estimate(const std::string& town) {
    return town == "X" ? std::numeric_limits<double>::infinity() : town == "C" ? 1.25 : 0;
}

} // namespace test

namespace {

struct View {
    const std::string& state;
    int cost, estimate;
    double priority;
};

struct SidedView {
    const std::string& state;
    int cost, estimate, priority;
    int direction;
};

/// What a sequence of events writes.
std::string written(const std::function<void(SearchEvents<std::string>&)>& events) {
    std::ostringstream out;
    SearchEvents<std::string> writer(out);
    events(writer);
    writer.finish();
    return out.str();
}

std::string searched(SearchEventFormat format) {
    std::ostringstream out;
    out.imbue(grouping_locale());
    SearchEvents<std::string> events(out, {.format = format});
    CHECK(npuzzle::astar(test::Roads{}, "A", test::estimate, {}, events).cost == 4.25);
    events.finish();
    return out.str();
}

void write_for_posthoc(std::ostream& file) {
    npuzzle::SearchEvents<std::string> events(file, {.format = npuzzle::SearchEventFormat::posthoc});
    npuzzle::astar(test::Roads{}, "A", test::estimate, {}, events);
    events.finish();
}

} // namespace

TEST_CASE("each event of a search is a line of JSON", "[search_events]") {
    // By hand.
    CHECK(searched(SearchEventFormat::json_lines) ==
          R"({"type":"source","id":1,"pId":null,"f":0,"g":0,"h":0,"label":"A"}
{"type":"expanding","id":1,"pId":null,"f":0,"g":0,"h":0,"label":"A"}
{"type":"generating","id":2,"pId":1,"f":1,"g":1,"h":0,"label":"B"}
{"type":"generating","id":3,"pId":1,"f":2.75,"g":1.5,"h":1.25,"label":"C"}
{"type":"generating","id":4,"pId":1,"f":7.25,"g":7.25,"h":0,"label":"D"}
{"type":"closing","id":1,"pId":null,"f":0,"g":0,"h":0,"label":"A"}
{"type":"expanding","id":2,"pId":1,"f":1,"g":1,"h":0,"label":"B"}
{"type":"updating","id":4,"pId":2,"f":6,"g":6,"h":0,"label":"D"}
{"type":"updating","id":3,"pId":2,"f":2.5,"g":1.25,"h":1.25,"label":"C"}
{"type":"generating","id":5,"pId":2,"f":null,"g":2,"h":null,"label":"X"}
{"type":"closing","id":2,"pId":1,"f":1,"g":1,"h":0,"label":"B"}
{"type":"expanding","id":3,"pId":2,"f":2.5,"g":1.25,"h":1.25,"label":"C"}
{"type":"updating","id":4,"pId":3,"f":3.75,"g":3.75,"h":0,"label":"D"}
{"type":"duplicate","id":1,"pId":3,"f":2.25,"g":2.25,"h":0,"label":"A"}
{"type":"generating","id":6,"pId":3,"f":2.25,"g":2.25,"h":0,"label":"E"}
{"type":"closing","id":3,"pId":2,"f":2.5,"g":1.25,"h":1.25,"label":"C"}
{"type":"expanding","id":6,"pId":3,"f":2.25,"g":2.25,"h":0,"label":"E"}
{"type":"updating","id":4,"pId":6,"f":3.25,"g":3.25,"h":0,"label":"D"}
{"type":"closing","id":6,"pId":3,"f":2.25,"g":2.25,"h":0,"label":"E"}
{"type":"expanding","id":4,"pId":6,"f":3.25,"g":3.25,"h":0,"label":"D"}
{"type":"generating","id":7,"pId":4,"f":4.25,"g":4.25,"h":0,"label":"G"}
{"type":"closing","id":4,"pId":6,"f":3.25,"g":3.25,"h":0,"label":"D"}
{"type":"end","id":7,"pId":4,"f":4.25,"g":4.25,"h":0,"label":"G"}
)");
}

TEST_CASE("for Posthoc the same events are one trace, without those that would change a parent",
          "[search_events]") {
    std::string events = searched(SearchEventFormat::json_lines);
    const std::size_t duplicate = events.find("{\"type\":\"duplicate\"");
    events.erase(duplicate, events.find('\n', duplicate) + 1 - duplicate);
    events.pop_back();
    for (std::size_t at = events.find('\n'); at != std::string::npos; at = events.find('\n', at + 2)) {
        events.insert(at, 1, ',');
    }
    CHECK(searched(SearchEventFormat::posthoc) ==
          "{\"version\":\"1.4.0\",\"events\":[\n" + events + "\n]}\n");
    std::ostringstream file;
    write_for_posthoc(file);
    CHECK(file.str() == searched(SearchEventFormat::posthoc));
}

TEST_CASE("a trace ends when its writer does, and has the views that it is given", "[search_events]") {
    std::ostringstream out;
    {
        const SearchEvents<int> events(
            out, {.format = SearchEventFormat::posthoc, .views = npuzzle::posthoc_squares});
    }
    CHECK(out.str() ==
          R"({"version":"1.4.0","views":{"main":[{"$":"rect","x":"${{ $.x }}","y":"${{ $.y }}","width":1,)"
          R"("height":1,"fill":"${{ color[$.type] }}"}]},)"
          R"("pivot":{"x":"${{ $.x + 0.5 }}","y":"${{ $.y + 0.5 }}","scale":1},"events":[)"
          "\n]}\n");
}

TEST_CASE("a label may be any text, and numbers go with it", "[search_events]") {
    std::ostringstream out;
    const auto label = [](const std::string& state) { return "a\n\"" + state + "\"\\\x01é"; };
    const auto size = [](const std::string& state) {
        return std::array{std::pair{"half", 0.5}, std::pair{"size", static_cast<double>(state.size())}};
    };
    SearchEvents<std::string, decltype(label), decltype(size)> events(out, {}, label, size);
    const std::string state = "s";
    events.start(View{state, 1, std::numeric_limits<int>::max(), -0.1});
    CHECK(out.str() == R"({"type":"source","id":1,"pId":null,"f":-0.1,"g":1,"h":null,)"
                       R"("label":"a\n\"s\"\\\u0001é","half":0.5,"size":1})"
                       "\n");
}

TEST_CASE("on a map, each event has its place", "[search_events]") {
    std::ostringstream file;
    const npuzzle::GridMap<int> map("..\n@.\n");
    const auto place = [&](std::uint32_t cell) {
        return std::array{std::pair{"x", map.x(cell)}, std::pair{"y", map.y(cell)}};
    };
    const npuzzle::SearchEventOptions options{.format = npuzzle::SearchEventFormat::posthoc,
                                              .views = npuzzle::posthoc_squares};
    using Events = npuzzle::SearchEvents<std::uint32_t, npuzzle::StateLabel, decltype(place)>;
    Events events(file, options, {}, place);
    npuzzle::dijkstra(map.with_goal(map.cell(1, 1)), map.cell(0, 0), {}, events);
    events.finish();
    CHECK(count_of(R"({"type":"end","id":3,"pId":2,"f":10,"g":10,"h":0,"label":"3","x":1,"y":1})",
                   file.str()) == 1);
}

TEST_CASE("a state that is reopened has a new parent from then on", "[search_events]") {
    const std::string from = "from";
    const std::string better = "better";
    const std::string state = "state";
    const std::string events = written([&](SearchEvents<std::string>& writer) {
        writer.start(View{from, 0, 0, 0});
        writer.generate(View{state, 9, 0, 9}, View{from, 0, 0, 0});
        writer.generate(View{better, 1, 0, 1}, View{from, 0, 0, 0});
        writer.generate(View{state, 2, 0, 2}, View{better, 1, 0, 1});
        writer.reopen(View{state, 2, 0, 2});
        writer.expand(View{state, 2, 0, 2});
    });
    CHECK(count_of(R"({"type":"generating","id":2,"pId":1,"f":9)", events) == 1);
    CHECK(count_of(R"({"type":"updating","id":2,"pId":3,"f":2)", events) == 1);
    CHECK(count_of(R"({"type":"expanding","id":2,"pId":3,"f":2)", events) == 1);
    CHECK(count_of(R"({"type":"closing","id":2,"pId":3,"f":2)", events) == 1);
}

TEST_CASE("both sides of a bidirectional search have states of their own", "[search_events]") {
    const std::string state = "s";
    const std::string events = written([&](SearchEvents<std::string>& writer) {
        writer.start(SidedView{state, 0, 0, 0, 0});
        writer.start(SidedView{state, 0, 0, 0, 1});
        writer.goal(SidedView{state, 0, 0, 0, 1});
    });
    CHECK(count_of(R"({"type":"source","id":1,)", events) == 1);
    CHECK(count_of(R"({"type":"source","id":2,)", events) == 1);
    CHECK(count_of(R"({"type":"end","id":2,)", events) == 1);
}

TEST_CASE("a stream that takes no more is left in a bad state", "[search_events]") {
    const std::string state = "s";
    const auto write = [&](std::ostream& out) {
        SearchEvents<std::string> events(out, {.format = SearchEventFormat::posthoc});
        events.start(View{state, 0, 0, 0});
    };
    std::ostringstream out;
    write(out);
    CHECK(is_bad_when_full(write, out.str().size()));
}

#include "npuzzle/puzzle/heuristics/manhattan.hpp"
#include "npuzzle/puzzle/sliding_puzzle.hpp"
#include "npuzzle/search/astar.hpp"
#include "npuzzle/visual/search_chart.hpp"

#include "support/catch.hpp"
#include "support/visual.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

using npuzzle::SearchProfile;

namespace {

/// A millisecond later each time it is looked at.
struct TickingClock {
    using duration = std::chrono::milliseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<TickingClock>;
    static inline rep ticks = 0;
    static time_point now() { return time_point(duration(++ticks)); }
};

using Profile = SearchProfile<TickingClock>;

struct View {
    double priority, estimate;
};

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Counts the open list for itself.
struct Both : npuzzle::SilentObserver {
    Profile profile;
    std::vector<std::uint64_t> open;
    std::map<int, std::uint64_t> layers;
    std::uint64_t now = 0;

    void start(const auto& node) {
        profile.start(node);
        ++now;
    }
    void generate(const auto& node, const auto& parent) {
        profile.generate(node, parent);
        ++now;
    }
    void duplicate(const auto& node) {
        profile.duplicate(node);
        --now;
    }
    void improve(const auto& node) {
        profile.improve(node);
        --now;
    }
    void expand(const auto& node) {
        open.push_back(now--);
        ++layers[static_cast<int>(node.priority)];
        profile.expand(node);
    }
    void goal(const auto& node) {
        open.push_back(now--);
        profile.goal(node);
    }
};

template <class Write>
std::string drawn(const Write& write) {
    std::ostringstream out;
    write(out);
    CHECK(out.good());
    CHECK(is_well_formed(out.str()));
    return out.str();
}

} // namespace

TEST_CASE("a search is profiled", "[search_chart]") {
    const npuzzle::SlidingPuzzle<3> puzzle;
    const npuzzle::PackedBoard<3> start({8, 0, 6, 5, 4, 7, 2, 3, 1});
    Both both;
    const auto result = npuzzle::astar(puzzle, start, npuzzle::Manhattan{}, {}, both);
    REQUIRE(result.cost == 27);
    const Profile& profile = both.profile;
    const std::uint64_t expanded = result.statistics.expanded;
    CHECK(profile.expanded() == expanded);
    CHECK(both.open.size() == expanded + 1);

    const auto moments = profile.moments();
    CHECK(moments.size() <= 402);
    CHECK(moments.size() >= 200);
    CHECK(moments.front().expanded == 0);
    CHECK(moments.front().open == 1);
    CHECK(moments.back().expanded == expanded);
    std::size_t faults = 0;
    for (std::size_t i = 0; i < moments.size(); ++i) {
        if (moments[i].open != both.open[moments[i].expanded]) ++faults;
        // The clock was looked at once at the start, and once for each node that was taken up.
        if (std::abs(moments[i].seconds - 1e-3 * static_cast<double>(moments[i].expanded + 1)) > 1e-9)
            ++faults;
        if (i > 1 && i + 1 < moments.size() &&
            moments[i].expanded - moments[i - 1].expanded != moments[1].expanded) {
            ++faults;
        }
    }
    CHECK(faults == 0);

    std::map<int, std::uint64_t> layers;
    for (const auto& [f, count] : profile.layers()) layers[static_cast<int>(f)] = count;
    CHECK(layers == both.layers);
    CHECK(profile.layer_width() == 0);
    const auto bars = profile.layer_bars();
    REQUIRE(bars.size() == layers.size());
    CHECK(bars.front().label == "19");
    CHECK(bars.front().value == static_cast<double>(layers[19]));

    // The picture in the documentation.
    const std::string histogram = drawn([&](std::ostream& out) {
        npuzzle::write_layers_svg(out, profile, {.title = "Nodes expanded by f, 27 moves of the 8-puzzle"});
    });
    CHECK(histogram == kept_file("docs/images/layers.svg"));
    const std::string over_time =
        drawn([&](std::ostream& out) { npuzzle::write_expansions_svg(out, profile); });
    CHECK(count_of(">seconds</text>", over_time) == 1);
    CHECK(count_of(">Expansions over time</text>", over_time) == 1);
    const std::string open = drawn([&](std::ostream& out) { npuzzle::write_open_list_svg(out, profile); });
    CHECK(count_of("<polyline", open) == 1);
    CHECK(count_of(",", open.substr(open.find("points="))) == moments.size());
    CHECK(is_bad_when_full([&](std::ostream& out) { npuzzle::write_open_list_svg(out, profile); },
                           open.size()));
    CHECK(is_bad_when_full([&](std::ostream& out) { npuzzle::write_expansions_svg(out, profile); },
                           over_time.size()));
}

TEST_CASE("time is drawn in a unit that fits", "[search_chart]") {
    const auto unit_after = [](int expansions) {
        Profile profile;
        profile.start(View{0, 0});
        for (int i = 0; i < expansions; ++i) profile.expand(View{0, 0});
        return drawn([&](std::ostream& out) { npuzzle::write_expansions_svg(out, profile); });
    };
    CHECK(count_of(">milliseconds</text>", unit_after(999)) == 1);
    CHECK(count_of(">seconds</text>", unit_after(1001)) == 1);
    CHECK(count_of(">microseconds</text>", unit_after(0)) == 1);
}

TEST_CASE("however long a search is, its profile stays small, and counts each node", "[search_chart]") {
    Profile profile;
    profile.start(View{0, 0});
    constexpr int count = 100'000;
    for (int i = 0; i < count; ++i) {
        profile.generate(View{i * 0.37, 1}, View{0, 0});
        profile.expand(View{i * 0.37, 1});
    }
    CHECK(profile.moments().size() <= 402);
    CHECK(profile.moments().back().expanded == count - 1);
    CHECK(profile.layers().size() <= 400);
    CHECK(profile.layer_width() > 0);
    std::uint64_t sum = 0;
    for (const auto& [f, nodes] : profile.layers()) sum += nodes;
    CHECK(sum == count);
    const auto bars = profile.layer_bars();
    CHECK(bars.size() <= 40);
    CHECK(bars.size() >= 10);
    double in_bars = 0;
    for (const auto& bar : bars) in_bars += bar.value;
    CHECK(in_bars == count);
    // As many in each, for they were spread evenly.
    for (std::size_t i = 1; i + 1 < bars.size(); ++i)
        CHECK(std::abs(bars[i].value / bars[1].value - 1) < 0.05);
}

TEST_CASE("dead ends are never open, and an empty profile can be drawn", "[search_chart]") {
    Profile profile;
    CHECK(profile.moments().empty());
    CHECK(profile.layer_bars().empty());
    CHECK(count_of("nothing to draw",
                   drawn([&](std::ostream& out) { npuzzle::write_open_list_svg(out, profile); })) == 1);
    CHECK(count_of("nothing to draw",
                   drawn([&](std::ostream& out) { npuzzle::write_layers_svg(out, profile); })) == 1);
    profile.start(View{1, 1});
    profile.expand(View{1, 1});
    profile.generate(View{infinity, infinity}, View{1, 1});
    profile.generate(View{2, 1}, View{1, 1});
    profile.expand(View{2, 1});
    REQUIRE(profile.moments().size() == 2);
    CHECK(profile.moments()[1].open == 1);
    CHECK(profile.expansions_over_time("name").name == "name");
}

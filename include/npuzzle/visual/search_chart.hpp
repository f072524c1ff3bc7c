#pragma once

#include "npuzzle/search/core/cost.hpp"
#include "npuzzle/search/core/observer.hpp"
#include "npuzzle/visual/chart.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Charts of a search: expansions over time, nodes by f, the size of the open list.

namespace npuzzle {

/// An observer that records the course of a search:
/// \code
/// SearchProfile profile;
/// astar(puzzle, start, Manhattan{}, {}, profile);
/// write_open_list_svg(file, profile);
/// \endcode
/// It works for any problem whose priorities are numbers. It takes a few kilobytes for a search of any
/// length, since it thins its samples out evenly.
///
/// \tparam Clock the clock; a clock of your own makes the times reproducible
template <class Clock = std::chrono::steady_clock>
class SearchProfile : public SilentObserver {
public:
    /// A sample, taken just before expansion number `expanded`, counted from 0.
    struct Moment {
        std::uint64_t expanded;
        double seconds;
        std::uint64_t open; ///< nodes on the open list, without superseded entries
    };

    /// At most 401 samples: evenly spaced ones and the last one.
    [[nodiscard]] std::vector<Moment> moments() const {
        std::vector<Moment> all = moments_;
        if (!all.empty() && all.back().expanded != last_.expanded) all.push_back(last_);
        return all;
    }

    /// The number of nodes expanded for each f. If there are more than 400 values of f, a key stands for all
    /// values up to the next multiple of `layer_width()`.
    [[nodiscard]] const std::map<double, std::uint64_t>& layers() const noexcept { return layers_; }
    /// The width of a range of f; 0 if each f has an entry of its own.
    [[nodiscard]] double layer_width() const noexcept { return layer_width_; }

    [[nodiscard]] std::uint64_t expanded() const noexcept { return expanded_; }

    /// The search as a line of a chart, to be drawn together with other searches.
    [[nodiscard]] ChartSeries expansions_over_time(std::string name = {}) const {
        ChartSeries series{std::move(name), {}};
        for (const Moment& moment : moments()) {
            series.points.push_back({moment.seconds, static_cast<double>(moment.expanded)});
        }
        return series;
    }

    /// The size of the open list by the number of expansions.
    [[nodiscard]] ChartSeries open_list_size(std::string name = {}) const {
        ChartSeries series{std::move(name), {}};
        for (const Moment& moment : moments()) {
            series.points.push_back({static_cast<double>(moment.expanded), static_cast<double>(moment.open)});
        }
        return series;
    }

    /// A bar for each f. If there are more than 40, a bar for each of up to 40 ranges of equal width, named
    /// by their lower ends.
    [[nodiscard]] std::vector<ChartBar> layer_bars() const {
        std::vector<ChartBar> bars;
        if (layers_.empty()) return bars;
        const double low = layers_.begin()->first;
        const double high = layers_.rbegin()->first;
        if (layers_.size() <= 40) {
            for (const auto& [f, count] : layers_) {
                bars.push_back({detail::svg_number(f), static_cast<double>(count)});
            }
            return bars;
        }
        bool is_whole = true;
        for (const auto& [f, count] : layers_) is_whole = is_whole && std::floor(f) == f;
        const detail::ChartAxis axis = detail::chart_axis(low, high, 37, is_whole);
        for (std::size_t tick = 0; tick < axis.ticks(); ++tick) {
            bars.push_back({axis.label(axis.tick(tick)), 0});
        }
        for (const auto& [f, count] : layers_) {
            const double place = std::floor((f - axis.low) / axis.step + 1e-9);
            bars[(std::min)(bars.size() - 1, static_cast<std::size_t>(place))].value +=
                static_cast<double>(count);
        }
        if (bars.back().value == 0) bars.pop_back();
        return bars;
    }

    void start(const auto& node) { add(node); }
    void generate(const auto& node, const auto& /*parent*/) { add(node); }
    void duplicate(const auto& node) { remove(node); }
    void improve(const auto& node) { remove(node); }

    void expand(const auto& node) {
        note();
        ++expanded_;
        remove(node);
        if (!detail::is_infinite(node.priority)) count(static_cast<double>(node.priority));
    }

    void goal(const auto& node) {
        note();
        remove(node);
    }

private:
    static constexpr std::size_t max_points = 400;

    void add(const auto& node) {
        if (expanded_ == 0 && moments_.empty() && open_ == 0) began_ = Clock::now();
        if (!detail::is_infinite(node.estimate)) ++open_;
    }

    void remove(const auto& node) {
        if (!detail::is_infinite(node.estimate) && open_ != 0) --open_;
    }

    void note() {
        last_ = {expanded_, std::chrono::duration<double>(Clock::now() - began_).count(), open_};
        if (expanded_ % stride_ != 0) return;
        if (moments_.size() >= max_points) {
            std::vector<Moment> half;
            for (std::size_t i = 0; i < moments_.size(); i += 2) half.push_back(moments_[i]);
            moments_ = std::move(half);
            stride_ *= 2;
            if (expanded_ % stride_ != 0) return;
        }
        moments_.push_back(last_);
    }

    void count(double f) {
        ++layers_[rounded(f)];
        if (layers_.size() <= max_points) return;
        // A power of ten, so that the ranges of bars are unions of these ranges.
        if (layer_width_ == 0) {
            const double span = layers_.rbegin()->first - layers_.begin()->first;
            layer_width_ = std::pow(10.0, std::ceil(std::log10(2 * span / max_points)));
        } else {
            layer_width_ *= 10;
        }
        std::map<double, std::uint64_t> wider;
        for (const auto& [key, nodes] : layers_) wider[rounded(key)] += nodes;
        layers_ = std::move(wider);
    }

    double rounded(double f) const {
        return layer_width_ == 0 ? f : std::floor(f / layer_width_) * layer_width_;
    }

    typename Clock::time_point began_{};
    std::vector<Moment> moments_;
    Moment last_{0, 0, 0};
    std::uint64_t stride_ = 1;
    std::uint64_t expanded_ = 0;
    std::uint64_t open_ = 0;
    std::map<double, std::uint64_t> layers_;
    double layer_width_ = 0;
};

namespace detail {

[[nodiscard]] inline ChartOptions with_defaults(ChartOptions options, const char* title,
                                                const std::string& x_label, const char* y_label) {
    if (options.title.empty()) options.title = title;
    if (options.x_label.empty()) options.x_label = x_label;
    if (options.y_label.empty()) options.y_label = y_label;
    return options;
}

} // namespace detail

/// Draws the number of expansions over time, in seconds, milliseconds or microseconds.
/// \throws std::invalid_argument as write_line_chart_svg()
template <class Clock>
void write_expansions_svg(std::ostream& out, const SearchProfile<Clock>& profile,
                          const ChartOptions& options = {}) {
    ChartSeries series = profile.expansions_over_time();
    const double longest = series.points.empty() ? 0 : series.points.back().x;
    const bool is_in_micro = longest < 1e-3;
    const bool is_in_milli = !is_in_micro && longest < 1;
    for (ChartPoint& point : series.points) point.x *= is_in_micro ? 1e6 : is_in_milli ? 1e3 : 1;
    write_line_chart_svg(out, {std::move(series)},
                         detail::with_defaults(options, "Expansions over time",
                                               is_in_micro   ? "microseconds"
                                               : is_in_milli ? "milliseconds"
                                                             : "seconds",
                                               "nodes expanded"));
}

/// Draws the number of expansions for each f.
/// \throws std::invalid_argument as write_bar_chart_svg()
template <class Clock>
void write_layers_svg(std::ostream& out, const SearchProfile<Clock>& profile,
                      const ChartOptions& options = {}) {
    write_bar_chart_svg(out, profile.layer_bars(),
                        detail::with_defaults(options, "Nodes expanded by f", "f", "nodes expanded"));
}

/// Draws the size of the open list over the course of the search.
/// \throws std::invalid_argument as write_line_chart_svg()
template <class Clock>
void write_open_list_svg(std::ostream& out, const SearchProfile<Clock>& profile,
                         const ChartOptions& options = {}) {
    write_line_chart_svg(
        out, {profile.open_list_size()},
        detail::with_defaults(options, "Size of the open list", "nodes expanded", "nodes open"));
}

} // namespace npuzzle

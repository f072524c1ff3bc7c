#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace benchmarks {

/// Thrown if an answer is wrong. A benchmark of wrong answers measures nothing.
class WrongAnswer : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws `WrongAnswer` unless `holds`.
inline void require(bool holds, const std::string& what) {
    if (!holds) {
        throw WrongAnswer(what);
    }
}

/// Throws `WrongAnswer` unless `path` leads from `start` to a goal by steps of the problem, each of cost 1.
template <class P>
void require_path(const P& problem, const typename P::State& start,
                  const std::vector<typename P::State>& path, int cost, const std::string& who) {
    require(!path.empty() && path.front() == start && problem.is_goal(path.back()) &&
                path.size() == static_cast<std::size_t>(cost) + 1,
            who + ": the path does not lead from the start to the goal at the cost that was found");
    for (std::size_t i = 1; i < path.size(); ++i) {
        bool is_step = false;
        for (const auto& neighbor : problem.neighbors(path[i - 1])) {
            is_step = is_step || neighbor == path[i];
        }
        require(is_step, who + ": a step of the path is none of the problem's");
    }
}

} // namespace benchmarks

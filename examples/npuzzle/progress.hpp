#pragma once

#include <npuzzle/puzzle/pattern_database/build.hpp>
#include <npuzzle/puzzle/solver_options.hpp>
#include <npuzzle/search/core/result.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace program {

// A progress line on standard error, if that is a terminal. Of several at the same time, only the first one
// shows.
class ProgressLine {
public:
    ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine(); // removes the line

    // May be called often. The line appears after half a second, and is updated from time to time.
    void tell(std::string_view algorithm, double bound, const npuzzle::Statistics& statistics);
    void tell(const npuzzle::BuildProgress& progress);

    // For a line of one's own: whether it is time to show the next one, and to do so.
    bool is_due();
    void show(const std::string& text);

    // Since it was made.
    double seconds() const;

private:
    using Clock = std::chrono::steady_clock;

    std::unique_lock<std::mutex> terminal_;
    Clock::time_point begun_ = Clock::now();
    Clock::time_point next_ = begun_ + std::chrono::milliseconds{500};
    bool is_shown_ = false;
};

// What a solver that makes its best effort tells: the best solution, what is proved, and the search or the
// building of tables. After a second, a line that stays says what to expect.
class SolverLine {
public:
    SolverLine(ProgressLine& line, int size, std::chrono::nanoseconds time_limit)
        : line_(&line), has_prospect_(size > 4), time_limit_(time_limit) {}

    void tell(const npuzzle::SolverProgress& progress);
    void tell(const npuzzle::BuildProgress& progress);

private:
    bool is_due();
    std::string bounds() const;

    ProgressLine* line_;
    bool has_prospect_; // to be told
    std::chrono::nanoseconds time_limit_;
    npuzzle::SolverProgress last_;  // that was told
    npuzzle::SolverProgress shown_; // in the line
    double per_second_ = 0;
};

// Lets a search report its progress.
class SearchWatch : public npuzzle::SilentObserver {
public:
    static constexpr bool sees_nodes = false;

    SearchWatch(ProgressLine& line, std::string_view algorithm) : line_(&line), algorithm_(algorithm) {}

    void progress(const npuzzle::Statistics& statistics) const { line_->tell(algorithm_, -1, statistics); }

    template <class Bound>
    void progress(const npuzzle::Statistics& statistics, const Bound& bound) const {
        line_->tell(algorithm_, static_cast<double>(bound), statistics);
    }

private:
    ProgressLine* line_;
    std::string_view algorithm_;
};

} // namespace program

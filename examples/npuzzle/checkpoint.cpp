#include <npuzzle/search/astar.hpp>
#include <npuzzle/search/checkpoint.hpp>

#include "families.hpp"
#include "replacement_file.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <exception>
#include <fmt/core.h>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <unistd.h>

namespace program {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds least_between{10};

// A stream into an open file.
class DescriptorBuffer : public std::streambuf {
public:
    explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {}

    // Of the call that failed.
    int error() const { return error_; }

protected:
    std::streamsize xsputn(const char* bytes, std::streamsize count) override {
        std::streamsize done = 0;
        while (done < count) {
            const ssize_t written = write(descriptor_, bytes + done, static_cast<std::size_t>(count - done));
            if (written < 0 && errno != EINTR) {
                error_ = errno;
                break;
            }
            done += written < 0 ? 0 : written;
        }
        return done;
    }

private:
    int descriptor_;
    int error_ = 0;
};

template <class Search>
void save(Search& search, const std::string& file, const std::string& key) {
    ReplacementFile replacement(file);
    DescriptorBuffer buffer(replacement.descriptor());
    std::ostream out(&buffer);
    try {
        npuzzle::save_checkpoint(search, out, key);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(file + ": " +
                                 (buffer.error() != 0 ? std::strerror(buffer.error()) : error.what()));
    }
    replacement.commit();
}

template <class Search>
void load(Search& search, const std::string& file, const std::string& key) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw std::runtime_error(file + ": " + std::strerror(errno));
    try {
        npuzzle::load_checkpoint(search, in, key);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(file + ": " + error.what());
    }
    if (search.status() == npuzzle::Status::running && in.peek() != std::ifstream::traits_type::eof()) {
        throw std::runtime_error(file + ": something follows the checkpoint");
    }
}

bool can_go_on(npuzzle::Status status) {
    using npuzzle::Status;
    return status == Status::time_limit || status == Status::expansion_limit ||
           status == Status::memory_limit || status == Status::cancelled;
}

} // namespace

std::string key_of(const Task& task) {
    std::string key = fmt::format("{0} x {0} board, goal", task.goal.size());
    for (const auto tile : task.goal.tiles()) key += fmt::format(" {}", tile);
    return key + ", heuristic " + task.heuristic.name().text;
}

Outcome resumable_astar(const Task& task) {
    const std::string& file = task.options.checkpoint;
    const bool is_saved = !file.empty();
    if (is_saved) {
        if (!is_replaceable(file)) throw std::invalid_argument(file + ": a checkpoint is an ordinary file");
        const ReplacementFile may_be_written(file);
    }
    const std::string key = key_of(task);
    return with_packed_puzzle(task, [&](const auto& puzzle, const auto& start) {
        const auto begun = Clock::now();
        // The search is to come forward in between.
        const auto every = std::max<std::chrono::nanoseconds>(task.options.checkpoint_every, least_between);
        auto saved = begun;
        npuzzle::limits_t<std::remove_cvref_t<decltype(puzzle)>> limits = task.limits;
        limits.stop = [&saved, is_saved, every, interrupt = task.limits.stop] {
            return interrupt.stop_requested() || (is_saved && Clock::now() - saved >= every);
        };
        npuzzle::AStar search(puzzle, start, task.heuristic, limits, SearchWatch(task.line, "astar"));
        npuzzle::Statistics before;
        if (!task.options.resume.empty()) {
            load(search, task.options.resume, key);
            before = search.statistics();
        }
        while (search.run() == npuzzle::Status::cancelled && !task.limits.stop.stop_requested()) {
            try {
                save(search, file, key);
            } catch (const std::exception& error) {
                print_error(fmt::format("npuzzle: {}; the search goes on\n", error.what()));
            }
            saved = Clock::now();
            if (limits.time != std::chrono::nanoseconds::max()) {
                limits.time = std::max<std::chrono::nanoseconds>(task.limits.time - (Clock::now() - begun),
                                                                 std::chrono::nanoseconds{0});
            }
            search.resume(limits);
        }
        Outcome outcome = outcome_of(search.result());
        outcome.before = before;
        if (is_saved && can_go_on(search.status())) {
            try {
                save(search, file, key);
                outcome.checkpoint = file;
            } catch (const std::invalid_argument&) {
                print_error(
                    fmt::format("npuzzle: {}: the memory ended in the midst of an expansion, so the search "
                                "cannot be saved now\n",
                                file));
            }
        }
        return outcome;
    });
}

} // namespace program

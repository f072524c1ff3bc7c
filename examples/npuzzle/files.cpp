#include <npuzzle/io/parse.hpp>
#include <npuzzle/puzzle/goal.hpp>

#include "files.hpp"
#include "interrupt.hpp"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <fcntl.h>
#include <istream>
#include <map>
#include <mutex>
#include <new>
#include <poll.h>
#include <stdexcept>
#include <streambuf>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace program {

namespace {

// A file, or standard input. Reading ends with `Interrupted` when a stop is requested, also before anybody
// writes to a pipe.
class InputBuffer : public std::streambuf {
public:
    explicit InputBuffer(const std::string& file) : name_(name_of(file)) {
        // Without O_NONBLOCK, a pipe is opened when it has a writer.
        if (file != "-") descriptor_ = open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (descriptor_ < 0) fail();
    }
    InputBuffer(const InputBuffer&) = delete;
    InputBuffer& operator=(const InputBuffer&) = delete;
    ~InputBuffer() override {
        if (descriptor_ != STDIN_FILENO) close(descriptor_);
    }

    // How messages call a file.
    static std::string name_of(const std::string& file) { return file == "-" ? "standard input" : file; }

protected:
    // The readers of the library take all of their input by this, and go on after less than they asked for. The
    // numbers of UTF-16 come whole.
    std::streamsize xsgetn(char* to, std::streamsize most) override {
        std::streamsize count = 0;
        while (!is_over_ && count < most && (count == 0 || count % 2 != 0)) {
            const bool is_ready = wait_for(descriptor_, POLLIN);
            if (!is_ready || interrupted().stop_requested()) throw Interrupted();
            const ssize_t more = read(descriptor_, to + count, static_cast<std::size_t>(most - count));
            if (more < 0 && errno != EINTR && errno != EAGAIN) fail();
            is_over_ = more == 0;
            count += std::max<ssize_t>(more, 0);
        }
        return count;
    }

private:
    [[noreturn]] void fail() const { throw std::system_error(errno, std::generic_category(), name_); }

    std::string name_;
    int descriptor_ = STDIN_FILENO;
    bool is_over_ = false; // a terminal would go on after its end
};

std::vector<npuzzle::Board> all_boards(const std::string& file) {
    InputBuffer buffer(file);
    std::istream input(&buffer);
    return npuzzle::read_boards(input, InputBuffer::name_of(file));
}

void append_boards(std::vector<Source>& sources, const std::string& file) try {
    std::vector<npuzzle::Board> boards = all_boards(file);
    for (std::size_t i = 0; i < boards.size(); ++i) {
        const std::string name = boards.size() == 1 ? file : file + '#' + std::to_string(i + 1);
        sources.push_back({file, name, std::move(boards[i])});
    }
} catch (const Interrupted&) {
    throw;
} catch (const std::bad_alloc&) {
    sources.push_back({file, file, std::nullopt, file + ": out of memory", exit_limit});
} catch (const std::exception& error) {
    sources.push_back({file, file, std::nullopt, error.what()});
}

npuzzle::Board read_goal(const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, npuzzle::Board> goals;
    const std::lock_guard lock(mutex);
    const auto known = goals.find(name);
    return known != goals.end() ? known->second : goals.emplace(name, read_board(name)).first->second;
}

} // namespace

npuzzle::Board read_board(const std::string& file) {
    InputBuffer buffer(file);
    std::istream input(&buffer);
    return npuzzle::read_board(input, InputBuffer::name_of(file));
}

std::vector<Source> read_boards(const std::vector<std::string>& files) {
    std::vector<Source> sources;
    for (const std::string& file : files) append_boards(sources, file);
    return sources;
}

npuzzle::Board goal_named(const std::string& name, int n) {
    if (name == "blank-last") return npuzzle::goal_blank_last(n);
    if (name == "blank-first") return npuzzle::goal_blank_first(n);
    if (name == "spiral") return npuzzle::goal_spiral(n);
    npuzzle::Board goal = read_goal(name);
    if (goal.size() != n) {
        throw std::invalid_argument(name + ": the goal has size " + std::to_string(goal.size()) +
                                    ", the board has size " + std::to_string(n));
    }
    return goal;
}

} // namespace program

#include "interrupt.hpp"
#include "output.hpp"
#include "replacement_file.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace program {

namespace {

[[noreturn]] void fail(const std::string& name) {
    throw std::system_error(errno, std::generic_category(), name);
}

// Opens a pipe or a device. A pipe can be opened as soon as it has a reader.
int open_to_write(const std::string& name) {
    for (;;) {
        const int descriptor = open(name.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (descriptor >= 0) return descriptor;
        struct stat status{};
        const int error = errno;
        if (error != ENXIO || stat(name.c_str(), &status) != 0 || !S_ISFIFO(status.st_mode)) {
            errno = error;
            fail(name);
        }
        constexpr timespec while_waiting{0, 20'000'000};
        nanosleep(&while_waiting, nullptr);
        if (interrupted().stop_requested()) throw Interrupted();
    }
}

} // namespace

std::string format_by_name(const std::string& file, const std::vector<std::string_view>& formats) {
    std::string format = std::filesystem::path(file).extension().string();
    if (format.empty()) return std::string(formats.front());
    std::transform(format.begin(), format.end(), format.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    format.erase(0, 1);
    if (std::find(formats.begin(), formats.end(), format) != formats.end()) return format;
    std::string names;
    for (const std::string_view name : formats) names += (names.empty() ? "." : "|.") + std::string(name);
    throw std::invalid_argument("the name " + file + " ends in none of " + names);
}

std::string format_of(const std::string& format, const std::string& file,
                      const std::vector<std::string_view>& formats) {
    if (!format.empty()) return format;
    const std::string by_name = format_by_name(file, formats);
    return by_name == "txt" ? "text" : by_name;
}

Output::Output(const std::string& file) : name_("standard output"), descriptor_(STDOUT_FILENO) {
    if (!file.empty() && file != "-") {
        name_ = file;
        if (is_replaceable(file)) {
            file_ = std::make_unique<ReplacementFile>(file);
            descriptor_ = file_->descriptor();
        } else {
            descriptor_ = open_to_write(file);
            is_own_ = true;
        }
    }
    is_silent_ = !is_file() && is_quiet();
    struct stat status{};
    is_regular_ = fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

Output::~Output() {
    if (is_own_) close(descriptor_);
}

void Output::write(std::string_view text) {
    if (is_silent_) return;
    held_back_ += text;
    if (held_back_.size() >= std::size_t{1} << 16) flush();
}

void Output::flush() {
    if (descriptor_ == STDOUT_FILENO) take_line_away();
    // A pipe takes that much without waiting if it takes anything.
    const std::size_t most = is_regular_ ? held_back_.size() : PIPE_BUF;
    for (std::string_view left = held_back_; !left.empty();) {
        if (!is_regular_ && !wait_for(descriptor_, POLLOUT) && !is_patient_) throw Interrupted();
        const ssize_t written = ::write(descriptor_, left.data(), std::min(most, left.size()));
        if (written >= 0) {
            left.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR && errno != EAGAIN) {
            fail(name_);
        } else if (is_patient_) {
            pollfd file{descriptor_, POLLOUT, 0};
            poll(&file, 1, -1);
        }
    }
    held_back_.clear();
}

void Output::finish() {
    flush();
    if (file_) file_->commit();
}

} // namespace program

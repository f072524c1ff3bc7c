#include "interrupt.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <poll.h>
#include <random>
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

std::string format_of(const std::string& format, const std::string& file,
                      const std::vector<std::string_view>& formats) {
    if (!format.empty()) return format;
    std::string extension = std::filesystem::path(file).extension().string();
    if (extension.empty()) extension = '.' + std::string(formats.front());
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string names;
    for (const std::string_view name : formats) {
        if (extension.substr(1) == name) return name == "txt" ? "text" : std::string(name);
        names += (names.empty() ? "." : "|.") + std::string(name);
    }
    throw std::invalid_argument("the name " + file + " ends in none of " + names);
}

Output::Output(const std::string& file) : name_("standard output"), descriptor_(STDOUT_FILENO) {
    struct stat status{};
    if (!file.empty() && file != "-") {
        name_ = file;
        is_own_ = true;
        const bool is_there = stat(file.c_str(), &status) == 0;
        if (!is_there && errno != ENOENT) fail(name_);
        // A name in /dev or /proc may be that of an open file; not in /dev/shm.
        const bool may_be_open = file.starts_with("/dev/") || file.starts_with("/proc/");
        if (is_there && (!S_ISREG(status.st_mode) || (may_be_open && !file.starts_with("/dev/shm/")))) {
            descriptor_ = open_to_write(file);
        } else {
            open_replacement();
        }
    }
    is_silent_ = !is_own_ && is_quiet();
    is_regular_ = fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

void Output::open_replacement() {
    std::filesystem::path target = name_;
    // `stat` has found no ring of links.
    while (std::filesystem::is_symlink(target))
        target = target.parent_path() / std::filesystem::read_symlink(target);
    target_ = target.string();
    struct stat status{};
    const bool is_there = stat(target_.c_str(), &status) == 0;
    if (is_there && access(target_.c_str(), W_OK) != 0) fail(name_);
    if (target_.ends_with('/')) {
        errno = EISDIR;
        fail(name_);
    }
    temporary_ = fmt::format("{}.new-{:08x}", target_, std::random_device{}());
    descriptor_ = open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
        temporary_.clear();
        fail(name_);
    }
    if (is_there) fchmod(descriptor_, status.st_mode & 07777);
}

Output::~Output() {
    if (is_own_) close(descriptor_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
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
    if (temporary_.empty()) return;
    // Some file systems cannot do this; on them, a file is as safe as it can be.
    if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(name_);
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(name_);
    temporary_.clear();
}

} // namespace program

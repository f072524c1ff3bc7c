#include "replacement_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace program {

namespace {

[[noreturn]] void fail(const std::string& name) {
    throw std::system_error(errno, std::generic_category(), name);
}

// The names that a chain of symbolic links goes through, and at its end the file.
template <class Visit>
std::string follow_links(const std::string& name, const Visit& visit) {
    constexpr int most = 40; // as the system follows
    std::filesystem::path file = name;
    for (int i = 0; i < most; ++i) {
        visit(file);
        std::error_code is_no_link;
        const std::filesystem::path next = std::filesystem::read_symlink(file, is_no_link);
        if (is_no_link) return file.string();
        file = file.parent_path() / next; // which is `next` if that is absolute
    }
    errno = ELOOP;
    fail(name);
}

// A name beside the others of the folder.
std::string new_name(const std::string& folder) {
    std::random_device random;
    return fmt::format("{}/.npuzzle-{:08x}{:08x}", folder, random(), random());
}

// A new file without a name: nothing is left of it even if the program is killed.
int open_nameless(const std::string& folder) {
#ifdef O_TMPFILE
    const int nameless = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (nameless >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return nameless;
#endif
    const std::string name = new_name(folder);
    const int named = open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    if (named >= 0) unlink(name.c_str());
    return named;
}

// Whoever may not give files away keeps at least the group.
void set_permissions(int descriptor, const struct stat& as) {
    if (fchown(descriptor, as.st_uid, as.st_gid) != 0) {
        [[maybe_unused]] const int ignored = fchown(descriptor, static_cast<uid_t>(-1), as.st_gid);
    }
    fchmod(descriptor, as.st_mode & 07777);
}

// Some file systems cannot do this; on them, a file is as safe as it can be.
bool sync(int descriptor) {
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool copy_all(int from, int to) {
    struct stat status{};
    if (fstat(from, &status) != 0 || lseek(from, 0, SEEK_SET) != 0) return false;
    set_permissions(to, status);
    std::array<char, 1 << 16> piece{};
    for (;;) {
        const ssize_t count = read(from, piece.data(), piece.size());
        if (count == 0) return true;
        for (ssize_t done = 0; done < count;) {
            const ssize_t written = write(to, piece.data() + done, static_cast<std::size_t>(count - done));
            if (written < 0 && errno != EINTR) return false;
            done += written < 0 ? 0 : written;
        }
        if (count < 0 && errno != EINTR) return false;
    }
}

} // namespace

bool is_replaceable(const std::string& name) {
    struct stat status{};
    if (stat(name.c_str(), &status) != 0) {
        if (errno != ENOENT) fail(name);
    } else if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        fail(name);
    } else if (!S_ISREG(status.st_mode)) {
        return false;
    }
    bool is_open_file = false;
    follow_links(name, [&](const std::filesystem::path& file) {
        std::error_code ignored;
        const auto folder =
            std::filesystem::canonical(file.has_parent_path() ? file.parent_path() : ".", ignored);
        is_open_file = is_open_file || folder.string().starts_with("/proc/");
    });
    return !is_open_file;
}

ReplacementFile::ReplacementFile(const std::string& name)
    : name_(name), target_(follow_links(name, [](const auto&) {})) {
    struct stat status{};
    const bool is_there = stat(target_.c_str(), &status) == 0;
    if (is_there && access(target_.c_str(), W_OK) != 0) fail(name_);
    if (!is_there && (target_.empty() || target_.back() == '/')) {
        errno = EISDIR;
        fail(name_);
    }
    descriptor_ = open_nameless(folder());
    if (descriptor_ < 0) fail(is_there ? name_ + ": a file beside it cannot be made" : name_);
    if (is_there) set_permissions(descriptor_, status);
}

ReplacementFile::~ReplacementFile() {
    if (!temporary_.empty()) unlink(temporary_.c_str());
    close(descriptor_);
}

std::string ReplacementFile::folder() const {
    const std::string folder = std::filesystem::path(target_).parent_path().string();
    return folder.empty() ? "." : folder;
}

void ReplacementFile::give_name() {
    temporary_ = new_name(folder());
    without_name_.emplace([name = temporary_] { unlink(name.c_str()); });
    const std::string nameless = fmt::format("/proc/self/fd/{}", descriptor_);
    if (linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) == 0) return;
    const int copy = open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (copy < 0) fail(name_);
    const bool is_whole = copy_all(descriptor_, copy) && sync(copy);
    const int error = errno;
    close(copy);
    errno = error;
    if (!is_whole) fail(name_);
}

void ReplacementFile::commit() {
    if (!sync(descriptor_)) fail(name_);
    give_name();
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(name_);
    temporary_.clear();
    without_name_.reset();
    // The new name is on the disk after this, where the file system can do it.
    const int parent = open(folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent >= 0) {
        fsync(parent);
        close(parent);
    }
}

} // namespace program

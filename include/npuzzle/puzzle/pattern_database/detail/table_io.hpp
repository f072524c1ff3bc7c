#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/detail/build_parts.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#if __has_include(<sys/mman.h>)
#include <array>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <mutex>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#include <chrono>
#include <fstream>
#include <random>
#include <thread>
#endif

/// \file
/// File access through the operating system. Whole files are written so that a crash leaves either the old
/// file or the new one. Files are read or mapped.

namespace npuzzle::detail {

/// Bytes, and the owner that keeps them alive.
struct FileBytes {
    std::span<const std::uint8_t> bytes;
    std::shared_ptr<const void> owner;
};

/// What is written to a file, piece by piece.
using FilePieces = std::span<const std::span<const std::uint8_t>>;

/// The mark that the name of a temporary file has after the name of its final file.
inline constexpr std::string_view temporary_mark = ".new-";

/// How the names of tables' files end.
inline constexpr std::string_view table_ending = ".npdb";

[[noreturn]] NPUZZLE_COLD inline void throw_system_error(int code, const char* what) {
    throw std::system_error(code, std::generic_category(), what);
}

/// The folder of a file.
[[nodiscard]] NPUZZLE_COLD inline std::string folder_of(const std::string& file) {
    const std::size_t slash = file.rfind('/');
    return slash == std::string::npos ? "." : file.substr(0, slash == 0 ? 1 : slash);
}

#ifdef MAP_SHARED

class FileDescriptor {
public:
    explicit FileDescriptor(int number) : number_(number) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    ~FileDescriptor() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }

    int number() const { return number_; }

private:
    int number_;
};

/// A file name beside `file`, which is probably not in use.
[[nodiscard]] NPUZZLE_COLD inline std::string temporary_name(const std::string& file) {
    static std::atomic<unsigned> count{0};
    return text_of({file, temporary_mark, number_text(::getpid()), "-",
                    number_text(count.fetch_add(1, std::memory_order_relaxed))});
}

/// Removes the temporary files of tables, and of `file`, that killed writers left in its folder. A writer
/// holds a lock on its file, which ends with it.
NPUZZLE_COLD inline void remove_abandoned(const std::string& file) noexcept {
    try {
        const std::string own = text_of({file.substr(file.rfind('/') + 1), temporary_mark});
        const std::string of_table = text_of({table_ending, temporary_mark});
        const std::string of_checkpoint = text_of({table_ending, ".checkpoint", temporary_mark});
        const std::shared_ptr<DIR> folder(::opendir(folder_of(file).c_str()),
                                          [](DIR* opened) { opened != nullptr ? ::closedir(opened) : 0; });
        while (const dirent* const entry = folder != nullptr ? ::readdir(folder.get()) : nullptr) {
            const std::string_view name = entry->d_name;
            if (name.substr(0, own.size()) != own && name.find(of_table) == std::string_view::npos &&
                name.find(of_checkpoint) == std::string_view::npos) {
                continue;
            }
            const int flags = O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC;
            const FileDescriptor found(::openat(::dirfd(folder.get()), entry->d_name, flags));
            if (found.number() >= 0 && ::flock(found.number(), LOCK_EX | LOCK_NB) == 0) {
                ::unlinkat(::dirfd(folder.get()), entry->d_name, 0);
            }
        }
    } catch (...) { // Such files only take space.
    }
}

NPUZZLE_COLD inline void write_all(int file, std::span<const std::uint8_t> bytes) {
    // Linux writes at most 2 GB in one call.
    constexpr std::size_t most = std::size_t{1} << 30;
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size() < most ? bytes.size() : most);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            throw_system_error(written < 0 ? errno : EIO, "writing");
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

/// A new file, which gets its name only when it is whole. If the process ends before, nothing is left of it.
/// Where the system has no files without a name, it has another name before, and a lock on it tells that it
/// is in use.
class NewFile {
public:
    explicit NewFile(const std::string& file) : file_(file) {}
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    NPUZZLE_COLD ~NewFile() {
        if (has_name_) {
            ::unlink(name_.c_str());
        }
        if (number_ >= 0) {
            ::close(number_);
        }
    }

    /// Makes the file. Returns false if that needs a name, and it may have none.
    NPUZZLE_COLD bool make(bool may_have_name) {
        constexpr mode_t mode = 0644; // Only its owner is to write to it, whatever the umask.
#ifdef O_TMPFILE
        if (!may_have_name) {
            number_ = ::open(folder_of(file_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
            if (number_ >= 0) {
                ::flock(number_, LOCK_EX);
            }
            return number_ >= 0;
        }
#endif
        for (int attempt = 0; may_have_name && attempt < 100; ++attempt) {
            name_ = temporary_name(file_);
            number_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
            if (number_ < 0 && errno != EEXIST) {
                throw_system_error(errno, "creating a file beside it");
            }
            if (number_ < 0) {
                continue;
            }
            has_name_ = true;
            struct stat status = {};
            ::flock(number_, LOCK_EX);
            if (::fstat(number_, &status) != 0 || status.st_nlink > 0) {
                return true;
            }
            // Another process has removed it before it was locked.
            has_name_ = false;
            ::close(std::exchange(number_, -1));
        }
        return false;
    }

    NPUZZLE_COLD void write(std::span<const std::uint8_t> bytes) const { write_all(number_, bytes); }

    /// Gives the file its name. Returns false if a file without a name cannot be given one.
    NPUZZLE_COLD bool publish() {
        if (::fsync(number_) != 0) {
            throw_system_error(errno, "writing to the disk");
        }
        if (!has_name_) {
            const std::string unnamed = text_of({"/proc/self/fd/", number_text(number_)});
            const auto link_as = [&](const std::string& name) {
                return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
            };
            if (link_as(file_)) {
                return true;
            }
            // A file cannot be linked in place of another one.
            for (int attempt = 0; attempt < 100 && errno == EEXIST && !has_name_; ++attempt) {
                name_ = temporary_name(file_);
                has_name_ = link_as(name_);
            }
            if (!has_name_) {
                return false;
            }
        }
        if (std::rename(name_.c_str(), file_.c_str()) != 0) {
            throw_system_error(errno, "renaming");
        }
        has_name_ = false;
        return true;
    }

private:
    const std::string& file_;
    std::string name_;
    int number_ = -1;
    bool has_name_ = false;
};

/// A new name is on the disk only after its folder has been synced. Some file systems cannot sync a folder.
/// Then the file is whole, but may be missing after a crash.
NPUZZLE_COLD inline void sync_folder_of(const std::string& file) {
    const FileDescriptor folder(::open(folder_of(file).c_str(), O_RDONLY | O_CLOEXEC));
    if (folder.number() >= 0) {
        ::fsync(folder.number());
    }
}

/// Writes the pieces to `path`, in place of its old content. Throws std::system_error. Whatever happens, the
/// old file or the new one is there afterwards, and whole.
NPUZZLE_COLD inline void replace_file(const std::filesystem::path& path, FilePieces pieces) {
    const std::string& file = path.native();
    remove_abandoned(file);
    for (const bool may_have_name : {false, true}) {
        NewFile out(file);
        if (out.make(may_have_name)) {
            for (const std::span<const std::uint8_t> piece : pieces) {
                out.write(piece);
            }
            if (out.publish()) {
                break;
            }
        }
        if (may_have_name) {
            throw_system_error(EEXIST, "creating a file beside it");
        }
    }
    sync_folder_of(file);
}

/// Makes a folder, and those that it is in. Only their owner can write to them. Throws std::system_error.
NPUZZLE_COLD inline void make_folders(const std::string& folder) {
    constexpr mode_t mode = 0755;
    int error = ::mkdir(folder.c_str(), mode) == 0 ? 0 : errno;
    if (error == ENOENT && folder.find('/', 1) != std::string::npos) {
        make_folders(folder_of(folder));
        error = ::mkdir(folder.c_str(), mode) == 0 ? 0 : errno;
    }
    struct stat status = {};
    if (error == EEXIST) {
        error = ::stat(folder.c_str(), &status) != 0 ? errno : S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    }
    if (error != 0) {
        throw_system_error(error, "making its folder");
    }
}

/// Makes the folder of a file if there is none, and looks whether files can be made in it. Throws
/// std::system_error.
NPUZZLE_COLD inline void require_folder_of(const std::filesystem::path& file) {
    const std::string folder = folder_of(file.native());
    make_folders(folder);
    if (::access(folder.c_str(), W_OK | X_OK) != 0) {
        throw_system_error(errno, "making files in its folder");
    }
}

/// Why a file or a folder may be somebody else's work; empty if only its owner, who is the user or the
/// system's administrator, can write to it. A group with the number of the owner has only the owner in it, by
/// the custom of the systems that make such groups.
[[nodiscard]] NPUZZLE_COLD inline std::string distrust_of(const struct stat& status) {
    if (status.st_uid != ::geteuid() && status.st_uid != 0) {
        return text_of({"belongs to user ", number_text(status.st_uid)});
    }
    // What is in such a folder can be replaced by its owner only.
    if (S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0) {
        return {};
    }
    if ((status.st_mode & S_IWOTH) != 0) {
        return "can be written to by everyone";
    }
    if ((status.st_mode & S_IWGRP) != 0 && status.st_gid != status.st_uid) {
        return text_of({"can be written to by group ", number_text(status.st_gid)});
    }
    return {};
}

/// The same for the folder of a file; empty also if there is no such folder.
[[nodiscard]] NPUZZLE_COLD inline std::string distrust_of_folder(const std::filesystem::path& file) {
    struct stat status = {};
    const std::string folder = folder_of(file.native());
    if (::stat(folder.c_str(), &status) != 0) {
        return {};
    }
    const std::string distrust = distrust_of(status);
    return distrust.empty() ? distrust : text_of({"is in the folder ", folder, ", which ", distrust});
}

struct Mapping {
    Mapping(void* mapped, std::size_t length) : data(mapped), size(length) {}
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() { ::munmap(data, size); }

    void* data;
    std::size_t size;
};

/// A file that is read. Throws std::system_error.
class InputFile {
public:
    NPUZZLE_COLD explicit InputFile(const std::filesystem::path& file)
        // Opening a named pipe must not wait for a writer.
        : in_(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
        if (in_.number() < 0) {
            throw_system_error(errno, "opening");
        }
        if (::fstat(in_.number(), &status_) != 0) {
            throw_system_error(errno, "asking for its length");
        }
    }

    bool is_regular() const { return S_ISREG(status_.st_mode); }

    std::string distrust() const { return distrust_of(status_); }

    /// The content. Unless it is copied into memory, on huge pages if it is large, the memory is shared with
    /// all processes that map the file, and read from the disk when it is used.
    NPUZZLE_COLD FileBytes bytes(bool is_copied) const {
        const auto size = static_cast<std::size_t>(status_.st_size);
        if (size == 0) {
            return {};
        }
        if (is_copied) {
            auto memory = std::make_shared<TableMemory>(size);
            read_all(memory->bytes.data(), size);
            return {{memory->bytes.data(), size}, std::move(memory)};
        }
        void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, in_.number(), 0);
        if (data == MAP_FAILED) {
            throw_system_error(errno, "mapping");
        }
        auto mapping = std::make_shared<const Mapping>(data, size);
        return {{static_cast<const std::uint8_t*>(data), size}, std::move(mapping)};
    }

    /// Whether this process has found the file in order before, and it has not been changed since.
    bool was_found_in_order() const { return find_in_order(false); }

    /// Remembers that it is in order.
    void found_in_order() const { find_in_order(true); }

private:
    /// What changes whenever a file is replaced or written to.
    struct Identity {
        dev_t device;
        ino_t number;
        off_t size;
        std::int64_t changed; ///< in nanoseconds
    };

    Identity identity() const {
#ifdef __APPLE__
        const timespec& changed = status_.st_ctimespec;
#else
        const timespec& changed = status_.st_ctim;
#endif
        return {status_.st_dev, status_.st_ino, status_.st_size,
                std::int64_t{changed.tv_sec} * 1'000'000'000 + changed.tv_nsec};
    }

    NPUZZLE_COLD bool find_in_order(bool adds) const {
        static std::mutex mutex;
        static std::array<Identity, 32> known{};
        static std::size_t next = 0;
        const Identity own = identity();
        const std::lock_guard lock(mutex);
        for (const Identity& each : known) {
            if (each.device == own.device && each.number == own.number && each.size == own.size &&
                each.changed == own.changed && own.changed != 0) {
                return true;
            }
        }
        // A file system's clock ticks slowly: what has just been written may be written to again in the same
        // tick.
        constexpr std::time_t seconds_to_settle = 2;
        if (adds && std::time(nullptr) - own.changed / 1'000'000'000 > seconds_to_settle) {
            known[next++ % known.size()] = own;
        }
        return false;
    }

    NPUZZLE_COLD void read_all(std::uint8_t* to, std::size_t size) const {
        constexpr std::size_t most = std::size_t{1} << 30; // Linux reads at most 2 GB in one call.
        while (size > 0) {
            const auto read = ::read(in_.number(), to, size < most ? size : most);
            if (read < 0 && errno == EINTR) {
                continue;
            }
            if (read <= 0) {
                throw_system_error(read < 0 ? errno : EIO, "reading");
            }
            to += read;
            size -= static_cast<std::size_t>(read);
        }
    }

    FileDescriptor in_;
    struct stat status_ = {};
};

#else

NPUZZLE_COLD inline void replace_file(const std::filesystem::path& file, FilePieces pieces) {
    std::filesystem::path temporary = file;
    temporary += text_of({temporary_mark, number_text(std::random_device{}())});
    std::ofstream out(temporary, std::ios::binary);
    for (const auto piece : pieces) {
        out.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
    }
    out.close();
    std::error_code error = out ? std::error_code() : std::make_error_code(std::errc::io_error);
    // Windows replaces no file that is open, as others are that read this one, or replace it, too.
    for (int attempts = 200; !error; --attempts) {
        std::filesystem::rename(temporary, file, error);
        if (!error) return;
        if (attempts > 1) error.clear();
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    if (error) {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        throw std::system_error(error, "writing");
    }
}

NPUZZLE_COLD inline void require_folder_of(const std::filesystem::path& file) {
    if (file.has_parent_path()) {
        std::filesystem::create_directories(file.parent_path());
    }
}

[[nodiscard]] inline std::string distrust_of_folder(const std::filesystem::path&) {
    return {};
}

class InputFile {
public:
    explicit InputFile(const std::filesystem::path& file)
        : is_regular_(std::filesystem::is_regular_file(file)) {
        if (is_regular_) {
            // Windows opens no file that is being replaced.
            for (int attempts = 200; in_.open(file, std::ios::binary | std::ios::ate), !in_; --attempts) {
                if (errno != EACCES || attempts == 1) {
                    throw_system_error(errno != 0 ? errno : EIO, "opening");
                }
                std::this_thread::sleep_for(std::chrono::milliseconds{5});
            }
        } else if (!std::filesystem::exists(file)) {
            throw_system_error(ENOENT, "opening");
        }
    }

    bool is_regular() const { return is_regular_; }
    std::string distrust() const { return {}; }

    FileBytes bytes(bool /*is_copied*/) {
        const auto end = static_cast<std::streamoff>(in_.tellg());
        auto memory = std::make_shared<TableMemory>(static_cast<std::size_t>(end));
        in_.seekg(0);
        in_.read(reinterpret_cast<char*>(memory->bytes.data()), end);
        if (in_.gcount() != end) {
            throw_system_error(EIO, "reading");
        }
        return {{memory->bytes.data(), static_cast<std::size_t>(end)}, std::move(memory)};
    }

    bool was_found_in_order() const { return false; }
    void found_in_order() const {}

private:
    std::ifstream in_;
    bool is_regular_;
};

#endif

} // namespace npuzzle::detail

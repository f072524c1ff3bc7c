#pragma once

#include "npuzzle/puzzle/pattern_database/detail/build_parts.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#if __has_include(<sys/mman.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
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

/// The mark that the name of a temporary file has after the name of its final file.
inline constexpr const char* temporary_mark = ".new-";

/// A file name beside `file` that is not in use.
[[nodiscard]] inline std::filesystem::path temporary_name(const std::filesystem::path& file) {
    static std::atomic<unsigned> count{0};
    std::random_device random;
    std::string suffix = temporary_mark;
    for (int i = 0; i < 2; ++i) {
        suffix += std::to_string(random()) + "-";
    }
    suffix += std::to_string(count.fetch_add(1));
    std::filesystem::path name = file;
    name += suffix;
    return name;
}

/// Removes temporary files of `file` that an interrupted writer left behind: those that have not been written
/// to for an hour.
inline void remove_abandoned(const std::filesystem::path& file) noexcept {
    try {
        const std::string start = file.filename().string() + temporary_mark;
        const auto oldest = std::filesystem::file_time_type::clock::now() - std::chrono::hours{1};
        const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            std::error_code error;
            if (entry.path().filename().string().compare(0, start.size(), start) == 0 &&
                entry.last_write_time(error) < oldest && !error) {
                std::filesystem::remove(entry.path(), error);
            }
        }
    } catch (...) { // Such files only take space, and another process may be removing them.
    }
}

[[noreturn]] inline void throw_system_error(int code, const char* what) {
    throw std::system_error(code, std::generic_category(), what);
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

    /// Closes the file now, so that a late write error is reported.
    void close() {
        if (::close(std::exchange(number_, -1)) != 0) {
            throw_system_error(errno, "closing");
        }
    }

private:
    int number_;
};

inline void write_all(int file, std::span<const std::uint8_t> bytes) {
    // Linux writes at most 2 GB in one call.
    constexpr std::size_t most = std::size_t{1} << 30;
    while (!bytes.empty()) {
        const auto written = ::write(file, bytes.data(), bytes.size() < most ? bytes.size() : most);
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            throw_system_error(errno, "writing");
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

/// Writes the two pieces to `file`, in place of its old content. Throws std::system_error; no
/// temporary file is left then.
inline void replace_file(const std::filesystem::path& file, std::span<const std::uint8_t> first,
                         std::span<const std::uint8_t> second) {
    const std::filesystem::path temporary = temporary_name(file);
    FileDescriptor out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (out.number() < 0) {
        throw_system_error(errno, "creating a file beside it");
    }
    try {
        write_all(out.number(), first);
        write_all(out.number(), second);
        if (::fsync(out.number()) != 0) {
            throw_system_error(errno, "writing to the disk");
        }
        out.close();
        if (std::rename(temporary.c_str(), file.c_str()) != 0) {
            throw_system_error(errno, "renaming");
        }
    } catch (...) {
        ::unlink(temporary.c_str());
        throw;
    }
    // The new name is on the disk only after the folder has been synced. Some file systems cannot sync a
    // folder. Then the file is whole, but may be missing after a crash.
    const std::filesystem::path parent = file.parent_path();
    const FileDescriptor folder(::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_CLOEXEC));
    if (folder.number() >= 0) {
        ::fsync(folder.number());
    }
}

struct Mapping {
    Mapping(void* mapped, std::size_t length) : data(mapped), size(length) {}
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping() { ::munmap(data, size); }

    void* data;
    std::size_t size;
};

/// Maps a file. The memory is shared with all processes that map it, and read from the disk when it is used.
/// Throws std::system_error.
[[nodiscard]] inline FileBytes map_file(const std::filesystem::path& file) {
    const FileDescriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (in.number() < 0) {
        throw_system_error(errno, "opening");
    }
    const auto end = ::lseek(in.number(), 0, SEEK_END);
    if (end < 0) {
        throw_system_error(errno, "finding its length");
    }
    if (end == 0) {
        return {};
    }
    const auto size = static_cast<std::size_t>(end);
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, in.number(), 0);
    if (data == MAP_FAILED) {
        throw_system_error(errno, "mapping");
    }
    auto mapping = std::make_shared<const Mapping>(data, size);
    return {{static_cast<const std::uint8_t*>(data), size}, std::move(mapping)};
}

#else

inline void replace_file(const std::filesystem::path& file, std::span<const std::uint8_t> first,
                         std::span<const std::uint8_t> second) {
    const std::filesystem::path temporary = temporary_name(file);
    std::ofstream out(temporary, std::ios::binary);
    for (const auto piece : {first, second}) {
        out.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
    }
    out.close();
    std::error_code error = out ? std::error_code() : std::make_error_code(std::errc::io_error);
    if (!error) {
        std::filesystem::rename(temporary, file, error);
    }
    if (error) {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        throw std::system_error(error, "writing");
    }
}

#endif

/// Copies a file into memory, on huge pages if it is large. Throws std::system_error.
[[nodiscard]] inline FileBytes copy_file_bytes(const std::filesystem::path& file) {
    if (std::filesystem::is_directory(file)) {
        throw_system_error(EISDIR, "opening");
    }
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    const auto end = in ? static_cast<std::streamoff>(in.tellg()) : std::streamoff{-1};
    if (end < 0) {
        throw_system_error(errno != 0 ? errno : EIO, "opening");
    }
    const auto memory = std::make_shared<TableMemory>(static_cast<std::size_t>(end));
    in.seekg(0);
    in.read(reinterpret_cast<char*>(memory->bytes.data()), end);
    if (in.gcount() != end) {
        throw_system_error(EIO, "reading");
    }
    return {{memory->bytes.data(), static_cast<std::size_t>(end)}, memory};
}

#ifndef MAP_SHARED

[[nodiscard]] inline FileBytes map_file(const std::filesystem::path& file) {
    return copy_file_bytes(file);
}

#endif

} // namespace npuzzle::detail

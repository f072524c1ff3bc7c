#pragma once

#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"
#include "npuzzle/puzzle/pattern_database/table.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#if __has_include(<sys/mman.h>)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

/// \file
/// Reads and writes whole files. All functions throw std::system_error.

namespace npuzzle::detail {

/// Bytes, and the owner that keeps them alive.
struct FileBytes {
    std::span<const std::uint8_t> bytes;
    std::shared_ptr<const void> owner;
};

[[noreturn]] NPUZZLE_COLD inline void throw_system_error(int code, const char* what) {
    throw std::system_error(code != 0 ? code : EIO, std::generic_category(), what);
}

/// Makes a folder, and those that it is in. Only their owner can write to them.
NPUZZLE_COLD inline void make_folders(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    if (folder.empty() || fs::is_directory(folder)) return;
    make_folders(folder.parent_path());
    if (fs::exists(folder) && !fs::is_directory(folder)) { // another thread may have made it by now
        throw_system_error(ENOTDIR, "making its folder");
    }
    try {
        if (fs::create_directory(folder)) {
            fs::permissions(folder, fs::perms::group_write | fs::perms::others_write,
                            fs::perm_options::remove);
        }
    } catch (const std::system_error& error) {
        throw_system_error(error.code().value(), "making its folder");
    }
}

/// Writes the pieces to `file`, in place of its old content. Whatever happens, the old file or the new file
/// is there afterwards, and whole: the new file gets its name when it is on the disk. A process that is
/// killed may leave a file `.new-...`.
NPUZZLE_COLD inline void replace_file(const std::filesystem::path& file,
                                      std::initializer_list<std::span<const std::uint8_t>> pieces) {
    namespace fs = std::filesystem;
    static std::atomic<unsigned> count{std::random_device{}()};
    const fs::path temporary = fs::path(file) += text_of({".new-", count.fetch_add(1)});
    std::error_code error;
    std::FILE* const out = std::fopen(temporary.string().c_str(), "wb");
    if (out == nullptr) throw_system_error(errno, "creating a file beside it");
    bool is_written = true;
    for (const std::span<const std::uint8_t> piece : pieces) {
        is_written = is_written && std::fwrite(piece.data(), 1, piece.size(), out) == piece.size();
    }
    is_written = is_written && std::fflush(out) == 0;
#ifdef MAP_SHARED
    is_written = is_written && ::fchmod(::fileno(out), 0644) == 0 && ::fsync(::fileno(out)) == 0;
#endif
    int code = is_written ? 0 : errno;
    if (std::fclose(out) != 0 && is_written) {
        code = errno;
        is_written = false;
    }
    if (is_written) {
        // Windows replaces no file that is open, as others are that read it.
        for (int attempts = 0; attempts < 200; ++attempts) {
            fs::rename(temporary, file, error);
            if (error != std::errc::permission_denied) break;
            std::this_thread::sleep_for(std::chrono::milliseconds{5});
        }
        code = error.value();
    }
    if (!is_written || error) {
        fs::remove(temporary, error);
        throw_system_error(code, is_written ? "renaming" : "writing");
    }
#ifdef MAP_SHARED
    // The new name is on the disk when its folder has been synced, which some file systems cannot do.
    const int folder =
        ::open(file.has_parent_path() ? file.parent_path().c_str() : ".", O_RDONLY | O_CLOEXEC);
    if (folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
#endif
}

#ifdef MAP_SHARED

/// Why a file or a folder may be somebody else's work; empty if only its owner, who is the user or the
/// administrator, can write to it. By custom, a group with the number of the owner has only the owner in it.
NPUZZLE_COLD inline std::string distrust_of(const struct stat& status) {
    if (status.st_uid != ::geteuid() && status.st_uid != 0) {
        return text_of({"belongs to user ", status.st_uid});
    }
    // What is in a sticky folder can be replaced by its owner only.
    if (S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0) return {};
    if ((status.st_mode & S_IWOTH) != 0) return "can be written to by everyone";
    const bool is_shared = (status.st_mode & S_IWGRP) != 0 && status.st_gid != status.st_uid;
    return is_shared ? text_of({"can be written to by group ", status.st_gid}) : "";
}

/// The same for the folder of a file; empty also if there is no such folder.
NPUZZLE_COLD inline std::string distrust_of_folder(const std::filesystem::path& file) {
    struct stat status = {};
    const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
    const std::string distrust = ::stat(folder.c_str(), &status) == 0 ? distrust_of(status) : "";
    return distrust.empty() ? distrust : text_of({"is in the folder ", folder, ", which ", distrust});
}

/// The content of a regular file: copied, or in memory that is shared with all processes that map the file,
/// and read from the disk when it is used.
/// \param distrust why others may have written the file; null if that is not asked
NPUZZLE_COLD inline FileBytes read_file(const std::filesystem::path& file, bool is_copied,
                                        std::string* distrust) {
    // Opening a named pipe must not wait for a writer.
    const int number = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (number < 0) throw_system_error(errno, "opening");
    const std::shared_ptr<void> closer(nullptr, [number](void*) { ::close(number); });
    struct stat status = {};
    if (::fstat(number, &status) != 0) throw_system_error(errno, "asking for its length");
    if (distrust != nullptr) {
        *distrust = distrust_of(status);
        *distrust = distrust->empty() ? distrust_of_folder(file) : *distrust;
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return {};
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, number, 0);
    if (data == MAP_FAILED) throw_system_error(errno, "mapping");
    std::shared_ptr<const void> mapping(data, [size](void* mapped) { ::munmap(mapped, size); });
    if (!is_copied) return {{static_cast<const std::uint8_t*>(data), size}, std::move(mapping)};
    auto memory = std::make_shared<TableMemory>(size);
    std::memcpy(memory->data(), data, size);
    return {{memory->data(), size}, std::move(memory)};
}

#else

inline std::string distrust_of_folder(const std::filesystem::path&) {
    return {};
}

NPUZZLE_COLD inline FileBytes read_file(const std::filesystem::path& file, bool, std::string*) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    // Windows opens no file that is being replaced.
    for (int attempts = 0; !in && errno == EACCES && attempts < 200; ++attempts) {
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
        in.open(file, std::ios::binary | std::ios::ate);
    }
    if (!in) throw_system_error(errno, "opening");
    const std::streamoff size = in.tellg();
    auto memory = std::make_shared<TableMemory>(static_cast<std::size_t>(size));
    in.seekg(0).read(reinterpret_cast<char*>(memory->data()), size);
    if (in.gcount() != size) throw_system_error(EIO, "reading");
    return {{memory->data(), static_cast<std::size_t>(size)}, std::move(memory)};
}

#endif

} // namespace npuzzle::detail

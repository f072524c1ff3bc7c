/// @file
/// A folder for a test, which is gone afterwards.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <unistd.h>

namespace test {

struct Folder {
    std::string path = "folder." + std::to_string(::getpid());

    Folder() {
        std::filesystem::remove_all(path);
        std::filesystem::create_directory(path);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }

    /// How many files it has.
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path), {}));
    }
};

} // namespace test

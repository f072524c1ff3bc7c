/// @file
/// A folder for a test, which is gone afterwards.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <system_error>

namespace test {

struct Folder {
    std::string path =
        (std::filesystem::temp_directory_path() / ("npuzzle-test-" + std::to_string(std::random_device{}())))
            .string();

    Folder() { std::filesystem::create_directories(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }

    std::filesystem::path operator/(const std::string& name) const {
        return std::filesystem::path(path) / name;
    }
    /// How many files it has.
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path), {}));
    }
};

} // namespace test

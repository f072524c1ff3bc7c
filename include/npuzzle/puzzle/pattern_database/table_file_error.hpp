#pragma once

#include "npuzzle/macros.hpp"

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>

namespace npuzzle {

/// A file is not the requested table, or cannot be read or written. The message names the file, says what is
/// wrong and where, and how to repair it.
class TableFileError : public std::runtime_error {
public:
    /// What can be done about it.
    enum class Kind : std::uint8_t {
        damaged,   ///< the table can be built again
        newer,     ///< the file seems to be written by a newer version of the library
        untrusted, ///< others than the user and the administrator can write to the file or to its folder
    };

    NPUZZLE_COLD TableFileError(std::filesystem::path file, const std::string& what,
                                Kind kind = Kind::damaged)
        : std::runtime_error(file.string() + ": " + what), file_(std::move(file)), kind_(kind) {}

    /// The path of the file.
    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }

    /// What can be done about it.
    [[nodiscard]] Kind kind() const noexcept { return kind_; }

private:
    std::filesystem::path file_;
    Kind kind_;
};

} // namespace npuzzle

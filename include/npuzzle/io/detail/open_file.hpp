#pragma once

#include "npuzzle/io/printable.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <system_error>

namespace npuzzle::detail {

/// `read(input, name)` of the contents of a file, with its name.
/// \throws std::system_error, which begins with the file's name, if it does not exist, may not be read, or is
///         a directory; and what `read` throws
template <class Read>
auto with_file(const std::filesystem::path& file, Read&& read) {
    const std::u8string name_in_utf8 = file.u8string(); // path::string() throws on Windows, for some names
    const std::string name(name_in_utf8.begin(), name_in_utf8.end());
    std::error_code no_status;
    if (std::filesystem::is_directory(file, no_status)) {
        throw std::system_error(std::make_error_code(std::errc::is_a_directory), printable(name));
    }
    std::filebuf input;
    errno = 0;
    if (input.open(file, std::ios_base::in | std::ios_base::binary) == nullptr) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(),
                                printable(name.empty() ? "a file without a name" : name));
    }
    try {
        return read(input, name);
    } catch (const std::ios_base::failure&) {
        throw std::system_error(std::make_error_code(std::errc::io_error), printable(name));
    }
}

} // namespace npuzzle::detail

#pragma once

#include "npuzzle/io/parse_error.hpp"
#include "npuzzle/macros.hpp"

#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <istream>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>

namespace npuzzle::detail {

/// A text in memory as a stream buffer.
struct TextInput : std::streambuf {
    explicit TextInput(std::string_view text) {
        char* const begin = const_cast<char*>(text.data()); // a get area is never written
        setg(begin, begin, begin + text.size());
    }
};

/// The buffer of a stream that can be read.
NPUZZLE_COLD inline std::streambuf& buffer_of(std::istream& input, const std::string& source) {
    if (!input.good()) throw ParseError(source, 1, 1, "the stream cannot be read");
    return *input.rdbuf();
}

/// The name of a file: any string, or a std::filesystem::path, whose header is too large to be included here.
class FileName {
public:
    template <class Text>
        requires std::convertible_to<const Text&, std::string_view>
    FileName(const Text& name) : text_(std::string_view(name)) {}

    template <class Path>
        requires requires(const Path& path) { path.u8string(); }
    FileName(const Path& path) {
        const auto utf8 = path.u8string(); // path::string() throws on Windows, for some names
        text_.assign(utf8.begin(), utf8.end());
#ifdef _WIN32
        wide_ = path.native();
#endif
    }

    const std::string& text() const noexcept { return text_; }

    std::FILE* open() const {
#ifdef _WIN32
        if (!wide_.empty()) return _wfopen(wide_.c_str(), L"rb");
#endif
        return std::fopen(text_.c_str(), "rb");
    }

private:
    std::string text_;
#ifdef _WIN32
    std::wstring wide_;
#endif
};

/// A file as a stream buffer. All functions throw std::system_error, which begins with the file's name, if
/// the file does not exist, may not be read, or is a directory.
class FileInput : public std::streambuf {
public:
    NPUZZLE_COLD explicit FileInput(const FileName& file) : name_(file.text()), file_(file.open()) {
        if (file_ == nullptr) fail();
    }
    FileInput(const FileInput&) = delete;
    FileInput& operator=(const FileInput&) = delete;
    ~FileInput() override { std::fclose(file_); }

protected:
    NPUZZLE_COLD int_type underflow() override {
        const std::size_t count = std::fread(buffer_, 1, sizeof buffer_, file_);
        if (std::ferror(file_) != 0) fail();
        setg(buffer_, buffer_, buffer_ + count);
        return count == 0 ? traits_type::eof() : traits_type::to_int_type(*buffer_);
    }

private:
    [[noreturn]] NPUZZLE_COLD void fail() const {
        throw std::system_error(errno, std::generic_category(),
                                printable(name_.empty() ? "a file without a name" : name_));
    }

    std::string name_;
    std::FILE* file_;
    char buffer_[1 << 14];
};

} // namespace npuzzle::detail

#pragma once

#include "npuzzle/search/core/detail/checksum.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

/// \file
/// Values in a stream, in blocks. Each block has a checksum, so that nothing is believed that is not whole.
///
/// A block is the number of its bytes (4 bytes, at most `largest_block`), these bytes, and the checksum of
/// all before it and of the number of the block (8 bytes). The last block has no bytes. Values are as the
/// machine has them.

namespace npuzzle::detail {

inline constexpr std::size_t largest_block = std::size_t{1} << 16;

/// A block: the number of its bytes, its bytes, and room for the checksum.
class RecordBlock {
public:
    static constexpr std::size_t before = sizeof(std::uint32_t);

    RecordBlock() : bytes_(before + largest_block + sizeof(std::uint64_t)) {}

    [[nodiscard]] std::uint8_t* data() { return bytes_.data(); }
    [[nodiscard]] const std::uint8_t* data() const { return bytes_.data(); }

    /// \param number of the block, from 0
    [[nodiscard]] std::uint64_t checksum_of(std::size_t size, std::uint64_t number) const {
        return checksum(data(), before + size) ^ number * 0x9e3779b97f4a7c15U;
    }

private:
    std::vector<std::uint8_t> bytes_;
};

/// Writes values. Throws std::runtime_error if the stream cannot be written.
class RecordWriter {
public:
    explicit RecordWriter(std::ostream& out) : out_(&out) {}

    /// Text before the first block.
    void text(const std::string& text) { put(text.data(), text.size()); }

    template <class T>
        requires std::is_trivially_copyable_v<T>
    void operator()(const T& value) {
        if constexpr (std::is_empty_v<T>) {
            return; // Its byte may be that of another object.
        }
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
        for (std::size_t at = 0; at < sizeof(T);) {
            const std::size_t count = std::min(sizeof(T) - at, largest_block - size_);
            std::memcpy(block_.data() + RecordBlock::before + size_, bytes + at, count);
            size_ += count;
            at += count;
            if (size_ == largest_block) {
                end_block();
            }
        }
    }

    /// To be called when all is written.
    void finish() {
        if (size_ > 0) {
            end_block();
        }
        end_block();
        out_->flush();
        require_good();
    }

private:
    void end_block() {
        const auto count = static_cast<std::uint32_t>(size_);
        std::memcpy(block_.data(), &count, sizeof(count));
        const std::uint64_t sum = block_.checksum_of(size_, number_++);
        std::memcpy(block_.data() + RecordBlock::before + size_, &sum, sizeof(sum));
        put(block_.data(), RecordBlock::before + size_ + sizeof(sum));
        size_ = 0;
    }

    void put(const void* bytes, std::size_t count) {
        out_->write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
        require_good();
        written_ += count;
    }

    void require_good() const {
        if (!*out_) {
            throw std::runtime_error("the checkpoint cannot be written beyond byte " +
                                     std::to_string(written_));
        }
    }

    std::ostream* out_;
    RecordBlock block_;
    std::size_t size_ = 0; // of what is in it
    std::uint64_t number_ = 0;
    std::uint64_t written_ = 0;
};

/// Reads them. Throws std::runtime_error, with what is wrong and the place, if they are not there, or not
/// whole.
class RecordReader {
public:
    explicit RecordReader(std::istream& in) : in_(&in) {}

    /// A line of text before the first block, without its end; no more of it than so many characters and one.
    std::string line(std::size_t most) {
        std::string line;
        for (char c = 0; line.size() <= most && in_->get(c); line += c) {
            ++read_;
            if (c == '\n') {
                break;
            }
        }
        return line;
    }

    template <class T>
        requires std::is_trivially_copyable_v<T>
    void operator()(T& value) {
        if constexpr (std::is_empty_v<T>) {
            return;
        }
        auto* bytes = reinterpret_cast<std::uint8_t*>(&value);
        for (std::size_t at = 0; at < sizeof(T);) {
            if (at_ == size_) {
                begin_block();
                require(size_ > 0, "ends too soon");
            }
            const std::size_t count = std::min(sizeof(T) - at, size_ - at_);
            std::memcpy(bytes + at, block_.data() + RecordBlock::before + at_, count);
            at_ += count;
            at += count;
        }
    }

    /// A number from 0 to `greatest`.
    std::uint64_t number(std::uint64_t greatest, const char* what) {
        std::uint64_t number = 0;
        (*this)(number);
        require(number <= greatest, what);
        return number;
    }

    /// To be called when all has been read.
    void finish() {
        require(at_ == size_, "has more than belongs there");
        begin_block();
        require(size_ == 0, "has more than belongs there");
    }

    void require(bool is_right, const char* what) const {
        if (!is_right) {
            fail(what);
        }
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(
            "the checkpoint " + what + ", at byte " +
            std::to_string(read_ - (size_ > 0 ? size_ - at_ + sizeof(std::uint64_t) : 0)));
    }

private:
    void begin_block() {
        at_ = size_ = 0;
        std::uint32_t count = 0;
        get(block_.data(), RecordBlock::before);
        std::memcpy(&count, block_.data(), sizeof(count));
        require(count <= largest_block, "is damaged: a block has an impossible size");
        get(block_.data() + RecordBlock::before, count + sizeof(std::uint64_t));
        std::uint64_t sum = 0;
        std::memcpy(&sum, block_.data() + RecordBlock::before + count, sizeof(sum));
        require(sum == block_.checksum_of(count, number_++),
                "is damaged: a checksum is wrong in the block before");
        size_ = count;
    }

    void get(std::uint8_t* bytes, std::size_t count) {
        in_->read(reinterpret_cast<char*>(bytes), static_cast<std::streamsize>(count));
        read_ += static_cast<std::uint64_t>(in_->gcount());
        require(in_->gcount() == static_cast<std::streamsize>(count), "is cut off");
    }

    std::istream* in_;
    RecordBlock block_;
    std::size_t size_ = 0; // of the block
    std::size_t at_ = 0;   // in it
    std::uint64_t number_ = 0;
    std::uint64_t read_ = 0;
};

} // namespace npuzzle::detail

#pragma once

#include "npuzzle/macros.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

namespace npuzzle::detail {

/// Splits a text into numbers and other words, separated by white space and comments. Tracks line and column.
/// Holds one piece of a stream at a time, and ends on an endless one.
class TokenReader {
public:
    /// `blank`: more white space and comments than the reader was told to take.
    enum class Kind : std::uint8_t { end, blank, number, negative_number, word };

    struct Token {
        Kind kind;
        std::int64_t value; // of a number; one that is too large becomes `huge`
        std::int64_t line;
        std::int64_t column;
    };

    static constexpr std::int64_t huge = 100'000'000'000'000'000;

    /// A number with more digits is `huge`, or with zeros before it a word. The rest of such a token, and of
    /// a word that is as long, need not have been read.
    static constexpr std::int64_t longest_number = 1000;

    /// Reads a text in memory, in place.
    explicit TokenReader(std::string_view text) : next_(text.data()), end_(text.data() + text.size()) {
        skip_byte_order_mark();
    }

    /// Reads a stream to its end, in pieces of 64 KiB. After `max_blank_bytes` of white space and comments,
    /// it gives up at the end of a piece.
    TokenReader(std::streambuf& input, std::int64_t max_blank_bytes)
        : input_(&input), max_blank_bytes_(max_blank_bytes), buffer_(std::make_unique<char[]>(buffer_size)),
          next_(buffer_.get()), end_(buffer_.get()) {
        refill();
        skip_byte_order_mark();
    }

    [[nodiscard]] Token next() {
        const bool is_blank = skip_space_and_comments();
        Token token{Kind::number, 0, line_, offset_of(next_) - line_start_ + 1};
        if (next_ == end_) {
            token.kind = is_blank ? Kind::blank : Kind::end;
            return token;
        }
        token_ = next_;
        token_offset_ = offset_of(next_);
        do {
            const char* position = next_;
            std::int64_t value = token.value;
            for (; position != end_ && is_digit(*position); ++position) {
                value = value < huge / 10 ? value * 10 + (*position - '0') : huge;
            }
            token.value = value;
            next_ = position;
        } while (next_ == end_ && !is_long() && refill());
        if (is_long()) {
            if (token.value != huge) token.kind = Kind::word;
        } else if (next_ != end_ && !ends_token(*next_)) {
            while ((next_ != end_ || (!is_long() && refill())) && !ends_token(*next_)) ++next_;
            token.kind = is_negative_number() ? Kind::negative_number : Kind::word;
        }
        token_length_ = offset_of(next_) - token_offset_;
        return token;
    }

    /// The text of the last token, in quotes, shortened and made printable. Requires that it was not the end.
    [[nodiscard]] NPUZZLE_COLD std::string quoted_token() const {
        static constexpr char hexadecimal[] = "0123456789abcdef";
        std::string text = "'";
        for (std::int64_t k = 0; k < token_length_ && k < shown_length; ++k) {
            const auto byte = static_cast<unsigned char>(token_[k]);
            if (byte > 0x20 && byte < 0x7f) {
                text += static_cast<char>(byte);
            } else {
                text += "\\x";
                text += hexadecimal[byte / 16];
                text += hexadecimal[byte % 16];
            }
        }
        return text + (token_length_ > shown_length ? "...'" : "'");
    }

    /// Whether nothing has been read, not even white space or a comment.
    [[nodiscard]] bool at_beginning() const noexcept {
        return next_ == end_ && offset_of(next_) == line_start_ && line_ == 1;
    }

private:
    static constexpr std::size_t buffer_size = std::size_t{1} << 16;
    static constexpr std::int64_t shown_length = 40;

    [[nodiscard]] static bool is_digit(char c) noexcept { return '0' <= c && c <= '9'; }
    [[nodiscard]] static bool is_space(char c) noexcept { return c == ' ' || ('\t' <= c && c <= '\r'); }
    [[nodiscard]] static bool ends_token(char c) noexcept { return is_space(c) || c == '#'; }

    [[nodiscard]] std::int64_t offset_of(const char* position) const noexcept {
        return end_offset_ - (end_ - position);
    }

    [[nodiscard]] bool is_long() const noexcept { return offset_of(next_) - token_offset_ > longest_number; }

    /// Replaces the buffer by the next piece of the stream. Keeps the beginning of a token that is being
    /// read.
    bool refill() {
        if (input_ == nullptr) return false;
        std::int64_t kept = 0;
        if (token_ != nullptr) {
            kept = end_ - token_ < shown_length ? end_ - token_ : shown_length;
            std::memmove(buffer_.get(), token_, static_cast<std::size_t>(kept));
            token_ = buffer_.get();
        }
        char* const begin = buffer_.get() + kept;
        const auto room = static_cast<std::streamsize>(buffer_size) - static_cast<std::streamsize>(kept);
        const auto count = static_cast<std::int64_t>(input_->sgetn(begin, room));
        next_ = begin;
        end_ = begin + count;
        end_offset_ += count;
        return count != 0;
    }

    void skip_byte_order_mark() noexcept {
        if (input_ == nullptr) end_offset_ = end_ - next_;
        if (end_ - next_ >= 3 && std::memcmp(next_, "\xEF\xBB\xBF", 3) == 0) {
            next_ += 3;
            line_start_ = 3;
        }
    }

    /// True if it gave up.
    bool skip_space_and_comments() {
        token_ = nullptr;
        const std::int64_t start = offset_of(next_);
        const auto is_too_much = [&] { return end_offset_ - start > max_blank_bytes_; };
        bool is_comment = false;
        while (next_ != end_ || (!is_too_much() && refill())) {
            const char c = *next_;
            is_comment = (is_comment || c == '#') && c != '\n' && c != '\r';
            if (!is_comment && !is_space(c)) return false;
            ++next_;
            if (c == '\n') {
                ++line_;
                line_start_ = offset_of(next_);
            }
        }
        return is_too_much();
    }

    [[nodiscard]] bool is_negative_number() const noexcept {
        const auto length = next_ - token_ < shown_length ? next_ - token_ : shown_length;
        if (*token_ != '-' || length < 2) return false;
        for (const char* position = token_ + 1; position != token_ + length; ++position) {
            if (!is_digit(*position)) return false;
        }
        return true;
    }

    std::streambuf* input_ = nullptr;
    std::int64_t max_blank_bytes_ = (std::numeric_limits<std::int64_t>::max)();
    std::unique_ptr<char[]> buffer_;
    const char* next_;
    const char* end_;
    std::int64_t end_offset_ = 0;
    const char* token_ = nullptr;
    std::int64_t token_offset_ = 0;
    std::int64_t token_length_ = 0;
    std::int64_t line_ = 1;
    std::int64_t line_start_ = 0;
};

} // namespace npuzzle::detail

#pragma once

#include "npuzzle/io/printable.hpp"
#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

namespace npuzzle::detail {

/// Splits a text into numbers, signs for the blank, and words. White space, punctuation, the lines of tables
/// and comments only separate them. UTF-16 is read as UTF-8. Tracks line and column. Holds one piece of a
/// stream at a time, and ends on an endless one.
class TokenReader {
public:
    /// `gap`: a sign for the blank. `too_much`: more between tokens than the reader was told to take.
    enum class Kind : std::uint8_t { end, too_much, number, gap, negative_number, word };

    struct Token {
        Kind kind = Kind::end;
        bool ends_line = false;
        bool follows_bracket = false; // an opening one, after the token before
        std::int64_t value = 0;       // of a number; one that is too large becomes `huge`
        std::int64_t line = 1;
        std::int64_t column = 1;
    };

    static constexpr std::int64_t huge = 100'000'000'000'000'000;

    /// A number with more digits is `huge`, or with zeros before it a word. The rest of such a token, and of
    /// a word that is as long, need not have been read.
    static constexpr std::int64_t longest_number = 1000;

    /// Reads a text in memory, in place unless it is UTF-16.
    explicit TokenReader(std::string_view text)
        : is_over_(true), next_(text.data()), end_(next_ + text.size()), end_offset_(end_ - next_) {
        begin();
    }

    /// Reads a stream to its end, in pieces of 64 KiB. After `max_blank_bytes` without a token, it gives up at
    /// the end of a piece.
    TokenReader(std::streambuf& input, std::int64_t max_blank_bytes)
        : input_(&input), max_blank_bytes_(max_blank_bytes), buffer_(std::make_unique<char[]>(buffer_size)),
          next_(buffer_.get()), end_(next_) {
        refill();
        begin();
    }

    void next(Token& token) {
        for (;;) {
            token_ = nullptr;
            if (!is_empty_cell_) skip(false);
            token = {Kind::gap, false, follows_bracket_, 0, line_, offset_of(next_) - line_start_ + 1};
            follows_bracket_ = false;
            token_ = next_;
            token_offset_ = offset_of(next_);
            token_length_ = 1;
            if (is_empty_cell_) {
                is_empty_cell_ = false;
            } else if (next_ == end_) {
                token.kind = is_too_much() ? Kind::too_much : Kind::end;
                return;
            } else if (!read_token(token)) {
                continue;
            }
            blank_start_ = offset_of(next_);
            token.ends_line = skip(true);
            return;
        }
    }

    /// The first 40 bytes of the last token. Requires that it was not the end.
    [[nodiscard]] std::string_view token_text() const noexcept {
        return {token_,
                static_cast<std::size_t>(token_length_ < shown_length ? token_length_ : shown_length)};
    }

    /// The text of the last token, in quotes, shortened and made printable. Requires that it was not the end.
    [[nodiscard]] NPUZZLE_COLD std::string quoted_token() const {
        return text_of({"'", printable(token_text()), token_length_ > shown_length ? "...'" : "'"});
    }

    /// Whether nothing has been read, not even white space or a comment.
    [[nodiscard]] bool at_beginning() const noexcept {
        return next_ == end_ && offset_of(next_) == line_start_ && line_ == 1;
    }

private:
    static constexpr std::size_t buffer_size = std::size_t{1} << 16;
    static constexpr std::int64_t shown_length = 40;

    /// What a character is to the reader: the beginning of a `comment`, a `slash`, two of which begin one, a
    /// `bar` of a table, two of which may enclose an empty cell, or a part of a `word`.
    enum class Class : std::uint8_t { word, space, line_end, comment, slash, bar, bracket, separator, wide };

    static constexpr std::array<Class, 256> classes = [] {
        std::array<Class, 256> of{};
        const auto set = [&](std::string_view characters, Class what) {
            for (const char c : characters) of[static_cast<unsigned char>(c)] = what;
        };
        set(" \t\v\f", Class::space);
        set("\n\r", Class::line_end);
        set("#", Class::comment);
        set("/", Class::slash);
        set("|", Class::bar);
        set("[({", Class::bracket);
        set("])},;:=", Class::separator);
        set("\xC2\xE2\xE3\xEF", Class::wide);
        return of;
    }();

    [[nodiscard]] static bool is_digit(char c) noexcept { return '0' <= c && c <= '9'; }

    /// The class of the next character, which takes `length` bytes.
    [[nodiscard]] Class class_of_next(int& length) const noexcept {
        const Class found = classes[static_cast<unsigned char>(*next_)];
        length = 1;
        return found == Class::wide ? class_of_wide(length) : found;
    }

    /// Knows the spaces of Unicode, a byte order mark among them, and what tables are drawn with.
    [[nodiscard]] NPUZZLE_COLD Class class_of_wide(int& length) const noexcept {
        const std::string_view next(next_, static_cast<std::size_t>(end_ - next_ < 3 ? end_ - next_ : 3));
        length = 2;
        if (next.starts_with("\xC2\xA0")) return Class::space;
        length = 3;
        for (const std::string_view space :
             {"\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"}) {
            if (next == space) return Class::space;
        }
        for (const std::string_view bar : {"\xE2\x94\x82", "\xE2\x94\x83", "\xE2\x95\x91"}) {
            if (next == bar) return Class::bar;
        }
        const int last = next.size() < 3 ? 0 : static_cast<unsigned char>(next[2]);
        if (next.starts_with("\xE2\x80") && 0x80 <= last && last <= 0x8B) return Class::space;
        if (next[0] == '\xE2' && last / 64 == 2 && (next[1] == '\x94' || next[1] == '\x95')) {
            return Class::separator;
        }
        length = 1;
        return Class::word;
    }

    [[nodiscard]] std::int64_t offset_of(const char* position) const noexcept {
        return end_offset_ - (end_ - position);
    }

    [[nodiscard]] bool is_long() const noexcept { return offset_of(next_) - token_offset_ > longest_number; }

    [[nodiscard]] bool is_too_much() const noexcept { return end_offset_ - blank_start_ > max_blank_bytes_; }

    /// False for a line of a table, such as +---+---+, which is none.
    [[nodiscard]] bool read_token(Token& token) {
        token.kind = Kind::number;
        do {
            const char* position = next_;
            std::int64_t value = token.value;
            for (; position != end_ && is_digit(*position); ++position) {
                value = value < huge / 10 ? value * 10 + (*position - '0') : huge;
            }
            token.value = value;
            next_ = position;
        } while (next_ == end_ && !is_long() && refill());
        token_length_ = offset_of(next_) - token_offset_;
        if (is_long()) {
            if (token.value != huge) token.kind = Kind::word;
        } else if (int length = 0; next_ != end_ && class_of_next(length) == Class::word) {
            bool is_rule = token_length_ == 0;
            while ((next_ != end_ || (!is_long() && refill())) && class_of_next(length) == Class::word) {
                is_rule = is_rule && (*next_ == '-' || *next_ == '+');
                ++next_;
            }
            token_length_ = offset_of(next_) - token_offset_;
            if (is_rule && token_length_ > 2 && !is_long()) return false;
            token.value = 0;
            token.kind = kind_of_word();
        }
        return true;
    }

    [[nodiscard]] NPUZZLE_COLD Kind kind_of_word() const noexcept {
        const std::string_view word = token_text();
        if (word == "\xC3\x97" || (word.size() <= 2 && word[0] == word.back() &&
                                   std::string_view("_-.xX*").find(word[0]) != word.npos)) {
            return Kind::gap;
        }
        return word[0] == '-' && word.find_first_not_of("0123456789", 1) == word.npos ? Kind::negative_number
                                                                                      : Kind::word;
    }

    /// Goes to the next token, or in a line to its end. True if that, or the end of the text, is reached.
    bool skip(bool in_line) {
        // What stands between most tokens, quickly.
        const char* position = next_;
        while (position != end_ && *position == ' ') ++position;
        if (position != end_ && is_digit(*position) && !is_comment_) {
            next_ = position;
            return false;
        }
        bool is_after_slash = false;
        bool is_after_bar = false; // and after nothing but spaces
        bool is_after_space = false;
        while (next_ != end_ || (!is_too_much() && refill())) {
            int length = 0;
            const Class found = class_of_next(length);
            if (found == Class::line_end) {
                if (in_line) return true;
                is_comment_ = false;
                end_line();
            } else if (is_comment_) {
                length = 1;
            } else if (found == Class::word) {
                return false;
            } else if (found == Class::comment || (found == Class::slash && is_after_slash)) {
                is_comment_ = true;
                if (in_line) return true;
            } else if (found == Class::bar && is_after_bar && is_after_space) {
                is_empty_cell_ = true;
                return false;
            } else if (found == Class::bracket) {
                follows_bracket_ = true;
            }
            is_after_slash = found == Class::slash;
            is_after_space = found == Class::space;
            is_after_bar = found == Class::bar || (is_after_space && is_after_bar);
            next_ += length;
        }
        return true;
    }

    /// Begins a line. "\r\n" ends one alone.
    void end_line() noexcept {
        const std::int64_t offset = offset_of(next_);
        if (*next_ == '\r' || offset != line_start_ || !is_after_return_) ++line_;
        is_after_return_ = *next_ == '\r';
        line_start_ = offset + 1;
    }

    /// Skips a byte order mark, and looks whether the text is UTF-16, with one or without.
    NPUZZLE_COLD void begin() {
        const std::string_view text(next_, static_cast<std::size_t>(end_ - next_));
        if (text.starts_with("\xEF\xBB\xBF")) {
            next_ += 3;
            line_start_ = 3;
        }
        if (text.size() < 2) return;
        const bool has_mark = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
        if (!has_mark && (text[0] == '\0') == (text[1] == '\0')) return;
        is_utf16_ = true;
        is_big_endian_ = text[0] == (has_mark ? '\xFE' : '\0');
        raw_ = text.substr(has_mark ? 2 : 0);
        raw_buffer_ = std::move(buffer_);
        buffer_ = std::make_unique<char[]>(buffer_size);
        next_ = end_ = buffer_.get();
        end_offset_ = 0;
        is_over_ = false;
        refill();
    }

    /// Replaces the buffer by the next piece of the text, which ends no character of two or three bytes before
    /// its end. Keeps the beginning of a token.
    NPUZZLE_COLD bool refill() {
        if (is_over_) return false;
        std::int64_t kept = 0;
        if (token_ != nullptr) {
            kept = end_ - token_ < shown_length ? end_ - token_ : shown_length;
            std::memmove(buffer_.get(), token_, static_cast<std::size_t>(kept));
            token_ = buffer_.get();
        }
        char* const begin = buffer_.get() + kept;
        char* end = nullptr;
        if (is_utf16_) {
            end = read_utf16(begin);
        } else {
            end = read(begin, 3, buffer_size - shown_length - 2);
            const auto byte = [&](int back) {
                return end - begin < back ? 0 : static_cast<unsigned char>(end[-back]);
            };
            const int missing = byte(1) >= 0xE0 ? 2 : byte(1) >= 0xC0 || byte(2) >= 0xE0 ? 1 : 0;
            if (missing > 0) end = read(end, missing, missing);
        }
        next_ = begin;
        end_ = end;
        end_offset_ += end_ - next_;
        is_over_ = next_ == end_;
        return !is_over_;
    }

    /// Reads some bytes, and at least so many unless the text ends. Returns their end.
    NPUZZLE_COLD char* read(char* to, std::int64_t least, std::int64_t most) {
        for (std::int64_t count = 1; least > 0 && count > 0; to += count, least -= count, most -= count) {
            if (raw_.empty()) {
                count = input_ == nullptr ? 0 : static_cast<std::int64_t>(input_->sgetn(to, most));
            } else {
                count = static_cast<std::int64_t>(raw_.copy(to, static_cast<std::size_t>(most)));
                raw_.remove_prefix(static_cast<std::size_t>(count));
            }
        }
        return to;
    }

    NPUZZLE_COLD char* read_utf16(char* to) {
        char raw[2048];
        const char* end = read(raw, 2, sizeof raw);
        if ((end - raw) % 2 != 0) end = read(raw + (end - raw), 1, 1);
        const auto add = [&](unsigned byte) { *to++ = static_cast<char>(byte); };
        const char* from = raw;
        for (; end - from >= 2; from += 2) {
            const unsigned one = static_cast<unsigned char>(from[0]);
            const unsigned other = static_cast<unsigned char>(from[1]);
            const unsigned unit = is_big_endian_ ? one << 8 | other : other << 8 | one;
            if (unit >= 0x800) add(0xE0 | unit >> 12);
            if (unit >= 0x80) add(unit >= 0x800 ? 0x80 | (unit >> 6 & 0x3F) : 0xC0 | unit >> 6);
            add(unit >= 0x80 ? 0x80 | (unit & 0x3F) : unit);
        }
        if (from != end) add(0xFF); // half a unit
        return to;
    }

    std::streambuf* input_ = nullptr;
    std::int64_t max_blank_bytes_ = (std::numeric_limits<std::int64_t>::max)();
    std::unique_ptr<char[]> buffer_;
    std::unique_ptr<char[]> raw_buffer_;
    std::string_view raw_; // what was read, and is to be converted
    bool is_utf16_ = false;
    bool is_big_endian_ = false;
    bool is_over_ = false; // nothing comes after the buffer
    bool is_comment_ = false;
    bool is_empty_cell_ = false;
    bool follows_bracket_ = false;
    bool is_after_return_ = false;
    const char* next_;
    const char* end_;
    std::int64_t end_offset_ = 0;
    const char* token_ = nullptr;
    std::int64_t token_offset_ = 0;
    std::int64_t token_length_ = 0;
    std::int64_t blank_start_ = 0; // the end of the last token
    std::int64_t line_ = 1;
    std::int64_t line_start_ = 0;
};

} // namespace npuzzle::detail

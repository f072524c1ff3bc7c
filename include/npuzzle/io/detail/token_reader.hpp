#pragma once

#include "npuzzle/io/parse_error.hpp"
#include "npuzzle/macros.hpp"
#include "npuzzle/puzzle/detail/text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <streambuf>
#include <string>
#include <string_view>

namespace npuzzle::detail {

/// Splits a text into numbers, signs for the blank, and words. White space, punctuation, the lines of tables
/// and comments only separate them. UTF-16 is read as UTF-8. Tracks line and column. Holds one piece of the
/// text at a time, and ends on an endless one.
class TokenReader {
public:
    /// `gap`: a sign for the blank. `too_much`: more than a MiB between tokens.
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
    /// a word that is as long, is not read.
    static constexpr std::int64_t longest_number = 1000;

    NPUZZLE_COLD explicit TokenReader(std::streambuf& input) : input_(input) {
        read(2);
        const std::string_view start(buffer_, static_cast<std::size_t>(end_ - buffer_));
        const bool has_mark = start == "\xFF\xFE" || start == "\xFE\xFF";
        if (has_mark || (start.size() == 2 && (start[0] == '\0') != (start[1] == '\0'))) {
            is_utf16_ = true;
            is_big_endian_ = start[0] == (has_mark ? '\xFE' : '\0');
            const char unit[] = {start[0], start[1]};
            end_ = buffer_;
            if (!has_mark) add_utf16(unit);
        }
        refill();
        if (end_ - next_ >= 3 && std::memcmp(next_, "\xEF\xBB\xBF", 3) == 0) next_ += 3;
    }

    void next(Token& token) {
        for (;;) {
            if (!is_empty_cell_) skip(false);
            token = {Kind::gap, false, follows_bracket_, 0, line_, column_};
            follows_bracket_ = false;
            length_ = 0;
            if (is_empty_cell_) {
                text_[length_++] = '|';
            } else if (next_ == end_) {
                token.kind = blank_ > longest_blank ? Kind::too_much : Kind::end;
                return;
            }
            const std::int64_t blank = blank_;
            blank_ = 0;
            if (is_empty_cell_ || read_token(token)) break;
            blank_ = blank + length_;
        }
        is_empty_cell_ = false;
        token.ends_line = skip(true);
    }

    /// The first 40 bytes of the last token. Requires that it was not the end.
    std::string_view token_text() const noexcept {
        return {text_, static_cast<std::size_t>(length_ < shown_length ? length_ : shown_length)};
    }

    /// The text of the last token, in quotes, shortened and made printable. Requires that it was not the end.
    NPUZZLE_COLD std::string quoted_token() const {
        return text_of({"'", printable(token_text()), length_ > shown_length ? "...'" : "'"});
    }

    /// Whether nothing has been read, not even white space or a comment.
    bool at_beginning() const noexcept { return next_ == end_ && line_ == 1 && column_ == 1; }

private:
    static constexpr std::int64_t shown_length = 40;
    static constexpr std::int64_t longest_blank = 1 << 20;

    /// What a character is to the reader: a `hash` or two of `slash` begin a comment, two of `bar` may
    /// enclose an empty cell, and `wide` is the first of several bytes.
    enum class Class : std::uint8_t { word, space, newline, hash, slash, bar, bracket, separator, wide, end };

    static constexpr std::array<Class, 256> classes = [] {
        std::array<Class, 256> of{};
        const auto set = [&](std::string_view characters, Class what) {
            for (const char c : characters) of[static_cast<unsigned char>(c)] = what;
        };
        set(" \t\v\f", Class::space);
        set("\n\r", Class::newline);
        set("#", Class::hash);
        set("/", Class::slash);
        set("|", Class::bar);
        set("[({", Class::bracket);
        set("])},;:=", Class::separator);
        set("\xC2\xE2\xE3\xEF", Class::wide);
        return of;
    }();

    /// The class of the next character, which takes `width_` bytes.
    Class peek() {
        if (end_ - next_ < 3 && !is_over_) refill();
        if (next_ == end_) return Class::end;
        width_ = 1;
        const Class found = classes[static_cast<unsigned char>(*next_)];
        return found == Class::wide ? class_of_wide() : found;
    }

    /// Knows the spaces of Unicode, a byte order mark among them, and what tables are drawn with.
    NPUZZLE_COLD Class class_of_wide() noexcept {
        const std::string_view next(next_, static_cast<std::size_t>(end_ - next_ < 3 ? end_ - next_ : 3));
        const auto is_one_of = [&](std::string_view characters) { // of three bytes
            const std::size_t at = next.size() == 3 ? characters.find(next) : characters.npos;
            return at != characters.npos && at % 3 == 0;
        };
        const int last = next.size() < 3 ? 0 : static_cast<unsigned char>(next[2]);
        width_ = next.starts_with("\xC2\xA0") ? 2 : 3;
        if (width_ == 2 || (next.starts_with("\xE2\x80") && 0x80 <= last && last <= 0x8B) ||
            is_one_of("\xE2\x80\xAF\xE2\x81\x9F\xE3\x80\x80\xEF\xBB\xBF")) {
            return Class::space;
        }
        if (is_one_of("\xE2\x94\x82\xE2\x94\x83\xE2\x95\x91")) return Class::bar;
        const bool is_box = next.starts_with("\xE2\x94") || next.starts_with("\xE2\x95");
        if (is_box && last / 64 == 2) return Class::separator;
        width_ = 1;
        return Class::word;
    }

    /// False for a line of a table, such as +---+---+, which is none.
    bool read_token(Token& token) {
        bool is_number = true;
        bool is_rule = true;
        for (; length_ <= longest_number && peek() == Class::word; ++next_, ++length_) {
            const char c = *next_;
            if ('0' <= c && c <= '9') {
                token.value = token.value < huge / 10 ? token.value * 10 + (c - '0') : huge;
                is_rule = false;
            } else {
                is_number = false;
                is_rule = is_rule && (c == '-' || c == '+');
            }
            if (length_ < shown_length) text_[length_] = c;
        }
        column_ += length_;
        if (is_number && (length_ <= longest_number || token.value == huge)) {
            token.kind = Kind::number;
            return true;
        }
        token.value = 0;
        token.kind = kind_of_word();
        return !is_rule || length_ <= 2 || length_ > longest_number;
    }

    NPUZZLE_COLD Kind kind_of_word() const noexcept {
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
        Class last = Class::word;
        bool is_after_bar = false; // and after nothing but spaces
        for (;; next_ += width_, column_ += width_, blank_ += width_) {
            const Class found = peek();
            if (found == Class::end || (found == Class::newline && in_line)) return true;
            if (found == Class::newline) {
                end_line();
            } else if (is_comment_) {
                width_ = 1;
            } else if (found == Class::word) {
                return false;
            } else if (found == Class::hash || (found == Class::slash && last == Class::slash)) {
                is_comment_ = true;
                if (in_line) return true;
            } else if (found == Class::bar && is_after_bar && last == Class::space) {
                is_empty_cell_ = true;
                return false;
            } else if (found == Class::bracket) {
                follows_bracket_ = true;
            }
            last = found;
            is_after_bar = last == Class::bar || (last == Class::space && is_after_bar);
        }
    }

    /// Begins a line. "\r\n" ends one alone.
    void end_line() noexcept {
        const bool is_return = *next_ == '\r';
        if (is_return || column_ != 1 || !is_after_return_) ++line_;
        is_after_return_ = is_return;
        is_comment_ = false;
        column_ = 0; // and 1 after this character
    }

    /// Reads another piece of the text behind what is left of the last one: no character is cut in two, except
    /// at the end of the text.
    NPUZZLE_COLD void refill() {
        if (blank_ > longest_blank) {
            is_over_ = true;
            next_ = end_;
            return;
        }
        std::memmove(buffer_, next_, static_cast<std::size_t>(end_ - next_));
        end_ -= next_ - buffer_;
        next_ = buffer_;
        while (end_ - next_ < 3 && !is_over_) {
            if (is_utf16_) {
                char unit[2];
                const auto count = input_.sgetn(unit, 2);
                is_over_ = count != 2;
                if (count == 2) add_utf16(unit);
                if (count == 1) *end_++ = '\xFF'; // half a unit
            } else {
                read(piece_size);
            }
        }
    }

    void read(std::streamsize most) {
        const auto count = input_.sgetn(end_, most);
        end_ += count;
        is_over_ = count <= 0;
    }

    void add_utf16(const char* bytes) {
        const unsigned one = static_cast<unsigned char>(bytes[0]);
        const unsigned other = static_cast<unsigned char>(bytes[1]);
        const unsigned unit = is_big_endian_ ? one << 8 | other : other << 8 | one;
        const auto add = [&](unsigned byte) { *end_++ = static_cast<char>(byte); };
        if (unit >= 0x800) add(0xE0 | unit >> 12);
        if (unit >= 0x80) add(unit >= 0x800 ? 0x80 | (unit >> 6 & 0x3F) : 0xC0 | unit >> 6);
        add(unit >= 0x80 ? 0x80 | (unit & 0x3F) : unit);
    }

    static constexpr std::streamsize piece_size = 1 << 14;

    std::streambuf& input_;
    char buffer_[piece_size + 8];
    const char* next_ = buffer_;
    char* end_ = buffer_;
    bool is_over_ = false; // nothing comes after the buffer
    bool is_utf16_ = false;
    bool is_big_endian_ = false;
    bool is_comment_ = false;
    bool is_empty_cell_ = false;
    bool follows_bracket_ = false;
    bool is_after_return_ = false;
    int width_ = 1;           // bytes of the character that peek() found
    std::int64_t length_ = 0; // of the last token
    char text_[shown_length]; // its beginning
    std::int64_t blank_ = 0;  // bytes since its end
    std::int64_t line_ = 1;
    std::int64_t column_ = 1;
};

} // namespace npuzzle::detail

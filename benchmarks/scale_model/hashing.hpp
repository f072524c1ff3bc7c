#pragma once

#include <npuzzle/search/parallel/kernel/owners.hpp>

#include "scale_model/search_graph.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

/// \file
/// Ways to say which rank owns a board.

namespace scale_model {

/// A hash of boards for ranks whose number is a power of two.
struct Hashing {
    std::string name;
    std::string description;
    /// The hash may be of several parts, each of 64 / `parts` bits. Each gives an equal share of the bits of
    /// a rank's number.
    unsigned parts;
    std::uint64_t (*hash)(const Board& board);

    /// The rank, from 0, of a hash among 2^`bits`.
    [[nodiscard]] std::uint32_t owner(std::uint64_t hashed, unsigned bits) const {
        const unsigned width = 64 / parts;
        std::uint32_t rank = 0;
        for (unsigned part = 0; part < parts; ++part) {
            const unsigned share = (bits + part) / parts;
            const std::uint64_t value = hashed >> (width * part) & (~std::uint64_t{0} >> (64 - width));
            rank = rank << share | static_cast<std::uint32_t>(share == 0 ? 0 : value >> (width - share));
        }
        return rank;
    }
};

namespace detail {

using Words = std::array<std::array<std::uint64_t, 16>, 16>;

/// Random words of each tile in each cell.
inline const Words& words() {
    static const Words all = [] {
        std::mt19937_64 generator(2009);
        Words made{};
        for (auto& tile : made) {
            for (std::uint64_t& word : tile) {
                word = generator();
            }
        }
        return made;
    }();
    return all;
}

/// The exclusive or of a word for each tile but the blank, chosen by `class_of(cell)`.
template <class F>
std::uint64_t fold(const Board& board, F&& class_of) {
    std::uint64_t hash = 0;
    for (int cell = 0; cell < 16; ++cell) {
        if (const int tile = board.tile(cell); tile != 0) {
            hash ^= words()[static_cast<std::size_t>(tile)][class_of(static_cast<unsigned>(cell))];
        }
    }
    return hash;
}

/// Which of the four blocks of 2 by 2 cells a cell is in.
inline unsigned block_of(unsigned cell) {
    return cell / 8 * 2 + cell % 4 / 2;
}

inline std::uint64_t plain(const Board& board) {
    static const Puzzle puzzle;
    return std::uint64_t{npuzzle::detail::owner_hash(puzzle, board)} << 32;
}

inline std::uint64_t zobrist(const Board& board) {
    return fold(board, [](unsigned cell) { return cell; });
}

inline std::uint64_t tiles(const Board& board) {
    constexpr int count = 4;
    std::uint64_t cells = 0;
    for (unsigned cell = 0; cell < 16; ++cell) {
        if (const int tile = board.tile(static_cast<int>(cell)); tile != 0 && tile <= count) {
            cells |= std::uint64_t{cell} << (4 * tile);
        }
    }
    return npuzzle::detail::mix(cells + 1);
}

inline std::uint64_t blocks(const Board& board) {
    return fold(board, block_of);
}

/// A hash in three parts of 21 bits, or two of 32. The tiles take turns.
template <unsigned count, class F>
std::uint64_t fold_in_parts(const Board& board, F&& class_of) {
    constexpr unsigned width = 64 / count;
    std::array<std::uint64_t, count> hashes{};
    for (unsigned cell = 0; cell < 16; ++cell) {
        if (const auto tile = static_cast<unsigned>(board.tile(static_cast<int>(cell))); tile != 0) {
            hashes[tile % count] ^= words()[tile][class_of(cell)] >> (64 - width);
        }
    }
    std::uint64_t hash = 0;
    for (unsigned part = 0; part < count; ++part) {
        hash |= hashes[part] << (width * part);
    }
    return hash;
}

inline std::uint64_t parts(const Board& board) {
    return fold_in_parts<3>(board, [](unsigned cell) { return cell; });
}

inline std::uint64_t both(const Board& board) {
    return fold_in_parts<2>(board, block_of);
}

} // namespace detail

inline const std::vector<Hashing>& all_hashings() {
    static const std::vector<Hashing> all{
        {"plain", "the mixed bits of the packed board, as distributed_astar", 1, detail::plain},
        {"zobrist", "a word for each tile in each cell", 1, detail::zobrist},
        {"tiles", "abstract: the cells of tiles 1 to 4", 1, detail::tiles},
        {"blocks", "abstract Zobrist: a word for each tile in each block of 2 x 2 cells", 1, detail::blocks},
        {"parts", "Zobrist in three parts, each of a third of the tiles", 3, detail::parts},
        {"both", "abstract Zobrist by blocks, in two parts, each of half of the tiles", 2, detail::both},
    };
    return all;
}

} // namespace scale_model

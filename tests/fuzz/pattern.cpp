/// @file
/// Fuzzes the names and drawings of partitions. What is accepted is drawn again, reflected and given the
/// shapes of its tables.
#include <npuzzle/puzzle/pattern_database/file.hpp>
#include <npuzzle/puzzle/pattern_database/pattern.hpp>
#include <npuzzle/puzzle/pattern_database/table.hpp>

#include "support.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

void check(const npuzzle::Partition& partition, int n, int blank) {
    using fuzz::require;
    require(partition.size() == n && partition.blank_cell() == blank, "size and blank are those asked for");
    std::uint32_t taken = std::uint32_t{1} << blank;
    for (const npuzzle::Pattern& pattern : partition.patterns()) {
        require(pattern.size() == n && pattern.tiles() > 0, "a pattern has tiles");
        require(pattern.tiles() <= npuzzle::Pattern::max_tiles, "a pattern has not too many tiles");
        require((taken & pattern.cells()) == 0, "patterns are disjoint, and without the blank");
        require(n == 5 || pattern.cells() >> (n * n) == 0, "patterns are on the board");
        taken |= pattern.cells();
        for (const auto kind : {npuzzle::TableKind::additive, npuzzle::TableKind::zero_aware}) {
            const auto [shape, symmetry] = npuzzle::normalized_shape(pattern, blank, kind);
            require(shape.n == n && shape.kind == kind && symmetry >= 0 && symmetry < 8, "a shape is normal");
            require(npuzzle::table_file_name(shape).ends_with(".npdb"), "a table has a file name");
            require(!shape.to_string().empty(), "a shape has a drawing");
            const npuzzle::Pattern normal(n, shape.cells);
            require(npuzzle::normalized_shape(normal, shape.blank, kind).shape == shape,
                    "the shape of a normal shape is itself");
            require(shape.ranking().set_rank(shape.cells) < shape.ranking().sets(), "the goal has an entry");
        }
    }
    // A partition of more patterns than letters has no drawing.
    if (partition.patterns().size() <= 26) {
        require(npuzzle::Partition::drawn(partition.to_string(), n, blank) == partition,
                "a drawing that was made is read again");
    }
    if (partition.has_reflection()) {
        require(partition.reflected().reflected() == partition, "two reflections are none");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size);
    const int n = bytes.next() % 8 - 1;
    const int blank = static_cast<std::int8_t>(bytes.next());
    const std::string_view text = bytes.text();
    try {
        check(npuzzle::Partition::drawn(text, n, blank), n, blank);
    } catch (const std::invalid_argument&) {
    }
    try {
        check(npuzzle::Partition::named(text, n, blank), n, blank);
    } catch (const std::invalid_argument&) {
    }
    return 0;
}

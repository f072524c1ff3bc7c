#include "npuzzle/puzzle/pattern_database/build.hpp"
#include "npuzzle/puzzle/pattern_database/build_options.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

using npuzzle::build_table;
using npuzzle::BuildOptions;
using npuzzle::BuildProgress;
using npuzzle::normalized_shape;
using npuzzle::Partition;
using npuzzle::Pattern;
using npuzzle::TableKind;
using npuzzle::TableShape;

TEST_CASE("progress is reported, and rises from nothing to everything", "[build_options]") {
    for (const TableKind kind : {TableKind::additive, TableKind::classical}) {
        const TableShape shape = normalized_shape(Pattern(4, 0x0037), 15, kind).shape;
        std::vector<BuildProgress> told;
        BuildOptions options;
        options.progress = [&](const BuildProgress& progress) { told.push_back(progress); };
        std::uint64_t peak = 0;
        options.peak_bytes = &peak;
        const auto table = build_table(shape, options);
        REQUIRE(table);
        REQUIRE(told.size() >= table->entries_at_depth().size());
        CHECK(told.front().entries_done == 1);
        CHECK(told.front().depth == 0);
        for (std::size_t i = 1; i < told.size(); ++i) {
            CHECK(told[i].entries_done >= told[i - 1].entries_done);
            CHECK(told[i].depth >= told[i - 1].depth - 1);
            CHECK(told[i].seconds >= told[i - 1].seconds);
            CHECK(told[i].seconds_left >= 0);
            CHECK(told[i].shape == shape);
        }
        CHECK(told.back().entries_done == table->entries().size());
        CHECK(told.back().entries == table->entries().size());
        CHECK(told.back().percent() == 100);
        CHECK(told.back().seconds > 0);
        CHECK(told.back().seconds_left == 0);
        CHECK(told.back().depth == static_cast<int>(table->entries_at_depth().size()) - 1);
        CHECK(peak >= table->entries().size());
    }
}

TEST_CASE("a build that has not begun has done nothing, and may take all hardware threads",
          "[build_options]") {
    const BuildProgress progress;
    CHECK(progress.percent() == 0);
    CHECK(progress.entries_done == 0);
    CHECK(progress.entries == 0);
    CHECK(progress.depth == 0);
    CHECK(progress.seconds == 0);
    CHECK(progress.seconds_left == 0);
    CHECK(BuildOptions{}.threads == 0);
}

TEST_CASE("a build can be stopped", "[build_options]") {
    for (const TableKind kind : {TableKind::additive, TableKind::classical}) {
        const TableShape shape = normalized_shape(Pattern(4, 0x37), 15, kind).shape;
        npuzzle::StopSource source;
        BuildOptions options;
        options.stop = source.get_token();
        options.progress = [&](const BuildProgress& progress) {
            if (progress.depth == 5) {
                source.request_stop();
            }
        };
        CHECK_FALSE(build_table(shape, options));
        CHECK_FALSE(npuzzle::build_tables(Partition::drawn("aab/b../...", 3, 8), options));
    }
}

TEST_CASE("what the progress callback throws reaches the caller", "[build_options]") {
    for (const TableKind kind : {TableKind::additive, TableKind::classical}) {
        BuildOptions options;
        options.threads = 2;
        options.progress = [](const BuildProgress& progress) {
            if (progress.depth == 4) {
                throw std::runtime_error("enough");
            }
        };
        CHECK(message_of<std::runtime_error>([&] {
                  (void)build_table(normalized_shape(Pattern(4, 0x37), 15, kind).shape, options);
              }) == "enough");
    }
}

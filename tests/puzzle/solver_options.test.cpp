#include "npuzzle/puzzle/solver_options.hpp"

#include "support/catch.hpp"
#include "support/thrown.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

using npuzzle::SolverAlgorithm;
using npuzzle::SolverChoice;
using npuzzle::SolverHeuristic;
using npuzzle::SolverOptions;
using npuzzle::TableUse;
using npuzzle::UnsolvableProof;
using npuzzle::detail::choose_search;
using npuzzle::detail::TableAccess;
using npuzzle::detail::TableSupply;

namespace {

constexpr auto astar = SolverAlgorithm::astar;
constexpr auto ida_star = SolverAlgorithm::ida_star;
constexpr auto hamming = SolverHeuristic::hamming;
constexpr auto manhattan = SolverHeuristic::manhattan;
constexpr auto linear_conflict = SolverHeuristic::linear_conflict;
constexpr auto walking_distance = SolverHeuristic::walking_distance;
constexpr auto either = SolverHeuristic::linear_conflict_or_walking_distance;
constexpr auto tables = SolverHeuristic::pattern_databases;

constexpr std::uint64_t near_goal = npuzzle::detail::expansions_near_goal;
constexpr std::uint64_t before_tables = npuzzle::detail::expansions_before_tables;

const TableSupply missing{.are_there = false, .can_be_saved = true, .bytes = 100, .bytes_to_build = 130};
const TableSupply there{.are_there = true, .can_be_saved = true, .bytes = 100, .bytes_to_build = 130};
const TableSupply no_folder{.are_there = false, .can_be_saved = false, .bytes = 100, .bytes_to_build = 130};

struct Row {
    int n;
    SolverOptions options;
    TableSupply supply;
    SolverChoice expected;
};

/// Tables that no test looks for.
class NoTables final : public npuzzle::detail::TableSource {
public:
    std::string partition(int /*n*/) const override { return {}; }
    TableSupply supply(int /*n*/, int /*blank_cell*/, TableAccess /*access*/) const override { return {}; }
    std::unique_ptr<const npuzzle::detail::LoadedTables>
    load(int /*n*/, int /*blank_cell*/, TableAccess /*access*/,
         const npuzzle::detail::SharedLimits& /*limits*/) const override {
        return nullptr;
    }
    bool is_stopped() const override { return false; }
};

const npuzzle::SolverTables some = std::make_shared<NoTables>();

/// The same supply, with another use.
TableSupply used(TableSupply supply, TableUse use) {
    supply.use = use;
    return supply;
}

SolverOptions within_bytes(std::uint64_t bytes) {
    return {.tables = some, .limits = {.bytes = bytes}};
}

SolverOptions within(std::chrono::seconds time) {
    return {.tables = some, .limits = {.time = time}};
}

} // namespace

TEST_CASE("what is chosen", "[solver_options]") {
    const SolverOptions never{};
    const SolverOptions automatic{.tables = some};
    const SolverOptions by_astar{.algorithm = astar, .tables = some};
    const SolverOptions by_ida_star{.algorithm = ida_star, .tables = some};
    const SolverOptions by_twins{.proof = UnsolvableProof::twin_search, .tables = some};
    const auto if_there = [](const TableSupply& supply) { return used(supply, TableUse::if_there); };
    const auto build = [](const TableSupply& supply) { return used(supply, TableUse::build_if_missing); };
    const Row rows[] = {
        // Small boards need nothing.
        {2, automatic, missing, {astar, linear_conflict}},
        {3, automatic, there, {astar, linear_conflict}},
        {3, automatic, build(there), {astar, linear_conflict}},
        {3, by_ida_star, missing, {ida_star, linear_conflict}},
        // n = 4: tables if they exist or are requested, or once a search is long.
        {4, automatic, missing, {ida_star, tables, before_tables}},
        {4, within(std::chrono::seconds{10}), missing, {ida_star, tables, before_tables}},
        {4, within(std::chrono::seconds{9}), missing, {ida_star, either}},
        {4, within_bytes(130), missing, {ida_star, tables, before_tables}},
        {4, within_bytes(129), missing, {ida_star, either}},
        {4, automatic, no_folder, {ida_star, either}},
        {4, automatic, there, {ida_star, tables}},
        {4, never, there, {ida_star, either}},
        {4, automatic, if_there(missing), {ida_star, either}},
        {4, automatic, if_there(there), {ida_star, tables}},
        {4, automatic, build(missing), {ida_star, tables}},
        {4, automatic, build(no_folder), {ida_star, tables}},
        {4, by_astar, there, {astar, either}},
        {4, by_ida_star, there, {ida_star, tables}},
        {4, by_ida_star, missing, {ida_star, tables, before_tables}},
        {4, by_twins, build(there), {astar, either}},
        // n = 5: tables, after a short search near the goal.
        {5, automatic, missing, {ida_star, tables, near_goal}},
        {5, automatic, there, {ida_star, tables, near_goal}},
        {5, automatic, no_folder, {astar, linear_conflict}},
        {5, never, there, {astar, linear_conflict}},
        {5, automatic, if_there(missing), {astar, linear_conflict}},
        {5, automatic, if_there(there), {ida_star, tables, near_goal}},
        {5, automatic, build(missing), {ida_star, tables, near_goal}},
        {5, by_astar, there, {astar, linear_conflict}},
        {5, by_ida_star, there, {ida_star, tables}},
        {5, {.algorithm = ida_star}, there, {ida_star, linear_conflict}},
        {5, by_twins, build(there), {astar, linear_conflict}},
        // There must be enough memory, also for the build.
        {4, within_bytes(100), there, {ida_star, tables}},
        {4, within_bytes(99), there, {ida_star, either}},
        {4, within_bytes(130), build(missing), {ida_star, tables}},
        {4, within_bytes(129), build(missing), {ida_star, either}},
        {5, within_bytes(130), missing, {ida_star, tables, near_goal}},
        {5, within_bytes(129), missing, {astar, linear_conflict}},
        {5, within_bytes(129), there, {ida_star, tables, near_goal}},
        {5, within_bytes(99), there, {astar, linear_conflict}},
        // There must be enough time, unless the build is requested.
        {5, within(std::chrono::seconds{10}), missing, {ida_star, tables, near_goal}},
        {5, within(std::chrono::seconds{9}), missing, {astar, linear_conflict}},
        {5, within(std::chrono::seconds{9}), there, {ida_star, tables, near_goal}},
        {5, within(std::chrono::seconds{9}), build(missing), {ida_star, tables, near_goal}},
        // Larger boards: without memory.
        {6, automatic, missing, {ida_star, linear_conflict}},
        {6, automatic, build(there), {ida_star, linear_conflict}},
        {6, by_ida_star, missing, {ida_star, linear_conflict}},
        {6, by_astar, missing, {astar, linear_conflict}},
        {6, by_twins, build(missing), {astar, linear_conflict}},
        {7, {.heuristic = manhattan}, missing, {ida_star, manhattan}},
        {7, {.heuristic = hamming}, missing, {astar, hamming}},
        {500, automatic, missing, {ida_star, linear_conflict}},
        {32767, automatic, missing, {ida_star, linear_conflict}},
        // A heuristic by its name.
        {3, {.heuristic = linear_conflict}, missing, {astar, linear_conflict}},
        {3, {.heuristic = tables}, missing, {ida_star, tables}},
        {4, {.heuristic = hamming}, there, {astar, hamming}},
        {4, {.heuristic = manhattan}, there, {ida_star, manhattan}},
        {4, {.heuristic = linear_conflict}, there, {ida_star, linear_conflict}},
        {4, {.heuristic = walking_distance}, there, {ida_star, walking_distance}},
        {4, {.heuristic = either}, there, {ida_star, either}},
        {4, {.heuristic = tables}, missing, {ida_star, tables}},
        {4, {.heuristic = tables, .algorithm = astar}, there, {astar, tables}},
        {4, {.heuristic = manhattan, .algorithm = astar}, there, {astar, manhattan}},
        {4, {.heuristic = manhattan, .proof = UnsolvableProof::twin_search}, there, {astar, manhattan}},
        {4, {.heuristic = tables, .proof = UnsolvableProof::twin_search}, there, {astar, tables}},
        {5, {.heuristic = manhattan}, there, {astar, manhattan}},
        {5, {.heuristic = either}, there, {astar, either}},
        {5, {.heuristic = tables}, there, {ida_star, tables}},
        {6, {.heuristic = hamming, .algorithm = ida_star}, there, {ida_star, hamming}},
    };
    for (const Row& row : rows) {
        const SolverChoice choice = choose_search(row.n, row.options, row.supply);
        CAPTURE(&row - rows, row.n, to_string(choice.algorithm), to_string(choice.heuristic));
        CHECK(choice == row.expected);
    }
}

TEST_CASE("files are looked for only where they matter", "[solver_options]") {
    using npuzzle::detail::may_use_tables;
    CHECK_FALSE(may_use_tables(3, {.tables = some}));
    CHECK(may_use_tables(4, {.tables = some}));
    CHECK(may_use_tables(5, {.tables = some}));
    CHECK_FALSE(may_use_tables(6, {.tables = some}));
    CHECK(may_use_tables(3, {.heuristic = tables, .tables = some}));
    CHECK_FALSE(may_use_tables(4, {.heuristic = manhattan, .tables = some}));
    CHECK_FALSE(may_use_tables(4, {.algorithm = astar, .tables = some}));
    CHECK_FALSE(may_use_tables(4, {.proof = UnsolvableProof::twin_search, .tables = some}));
    CHECK_FALSE(may_use_tables(4, {}));
}

TEST_CASE("options without a meaning are refused", "[solver_options]") {
    const auto refusal = [](int n, const SolverOptions& options) {
        return message_of<std::invalid_argument>([&] { npuzzle::detail::require_meaning(n, options); });
    };
    CHECK(refusal(4, {}) == "nothing thrown");
    CHECK(refusal(3, {.algorithm = ida_star, .proof = UnsolvableProof::twin_search}) ==
          "twin search is A*; for IDA*, ask for the proof by parity");
    CHECK(refusal(4, {.heuristic = SolverHeuristic::own}) ==
          "a heuristic of one's own is given to the constructor, not named in the options");
    for (const SolverHeuristic heuristic : {walking_distance, either}) {
        CHECK(refusal(2, {.heuristic = heuristic}) == "nothing thrown");
        CHECK(refusal(5, {.heuristic = heuristic}) == "nothing thrown");
        CHECK(refusal(6, {.heuristic = heuristic}) == "walking distance does not take boards of size 6");
    }
    CHECK(refusal(3, {.heuristic = tables, .tables = some}) == "nothing thrown");
    CHECK(refusal(5, {.heuristic = tables, .tables = some}) == "nothing thrown");
    CHECK(refusal(2, {.heuristic = tables}) == "there are no pattern databases for boards of size 2");
    CHECK(refusal(6, {.heuristic = tables}) == "there are no pattern databases for boards of size 6");
    CHECK(refusal(4, {.heuristic = tables}) ==
          "pattern databases are asked for, but SolverOptions::tables has none; include "
          "<npuzzle/puzzle/solver_tables.hpp> and write .tables = npuzzle::solver_tables()");
}

TEST_CASE("names", "[solver_options]") {
    CHECK(to_string(SolverAlgorithm::automatic) == "automatic");
    CHECK(to_string(astar) == "astar");
    CHECK(to_string(ida_star) == "ida_star");
    CHECK(to_string(static_cast<SolverAlgorithm>(99)) == "unknown");
    CHECK(to_string(SolverHeuristic::automatic) == "automatic");
    CHECK(to_string(hamming) == "hamming");
    CHECK(to_string(manhattan) == "manhattan");
    CHECK(to_string(linear_conflict) == "linear_conflict");
    CHECK(to_string(walking_distance) == "walking_distance");
    CHECK(to_string(either) == "linear_conflict_or_walking_distance");
    CHECK(to_string(tables) == "pattern_databases");
    CHECK(to_string(SolverHeuristic::own) == "own");
    CHECK(to_string(static_cast<SolverHeuristic>(99)) == "unknown");
}

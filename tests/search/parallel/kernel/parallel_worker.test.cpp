#include <npuzzle/search/core/policy.hpp>
#include <npuzzle/search/parallel/kernel/parallel_worker.hpp>

#include "support/catch.hpp"
#include "support/problems.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace {

using Problem = test::Graph<int>;
using Parts = npuzzle::PartsFor<Problem, npuzzle::Zero>;
using Worker = npuzzle::detail::ParallelWorker<Problem, npuzzle::Zero, Parts>;

/// A finite part of the plane without a goal, in states of which a block holds few.
struct Sheet {
    using State = std::array<int, 200>;
    static constexpr int width = 100;

    [[nodiscard]] std::vector<State> neighbors(const State& at) const {
        std::vector<State> result;
        for (const auto& [right, down] : {std::pair{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
            State next = at;
            next[0] += right;
            next[1] += down;
            if (std::min(next[0], next[1]) >= 0 && std::max(next[0], next[1]) < width) {
                result.push_back(next);
            }
        }
        return result;
    }
    [[nodiscard]] bool is_goal(const State& /*at*/) const { return false; }
};

/// A worker of one process and of one thread, and in place of other processes what a test puts there.
template <class P>
class Process final : public npuzzle::detail::BlockNetwork<typename npuzzle::detail::ParallelWorker<
                          P, npuzzle::Zero, npuzzle::PartsFor<P, npuzzle::Zero>, true>::Block>,
                      public npuzzle::detail::ProgressListener {
public:
    using Parts = npuzzle::PartsFor<P, npuzzle::Zero>;
    using Worker = npuzzle::detail::ParallelWorker<P, npuzzle::Zero, Parts, true>;
    using Block = typename Worker::Block;
    using Message = typename Worker::Message;

    Process(const P& problem, std::size_t rank, std::uint64_t bytes = npuzzle::Limits::unlimited,
            npuzzle::StopToken stop = {})
        : owners(problem, 2), shared(1, bytes, npuzzle::Limits::unlimited, false), rank_(rank) {
        npuzzle::BasicLimits<int> limits;
        limits.bytes = 0;
        limits.stop = std::move(stop);
        workers.push_back(std::make_unique<Worker>(0, owners, shared, workers, problem, npuzzle::Zero{},
                                                   limits, typename Parts::Priority{}, this,
                                                   typename Worker::Others{rank, this}));
    }
    ~Process() { worker().discard_mail(); }
    Worker& worker() { return *workers.front(); }

    void send(Block* block) override {
        ++sent;
        under_way.push_back(block);
        max_under_way = std::max(max_under_way, under_way.size());
    }
    void give_back(Block* /*block*/) override {}
    void exchange() override {
        if (is_stalled) {
            return;
        }
        if (!under_way.empty()) { // It is slow: one at a time.
            Block* const block = under_way.front();
            under_way.erase(under_way.begin());
            for (std::uint32_t i = 0; i < block->count; ++i) {
                received.insert(block->messages()[i].state);
            }
            std::destroy_n(block->messages(), block->count);
            worker().give_back(block);
        }
        if (!under_way.empty() || !shared.is_idle()) {
            return;
        }
        if (arriving.empty()) {
            shared.end(npuzzle::Status::running);
            return;
        }
        block_.emplace();
        block_->sender = static_cast<std::uint32_t>(1 - rank_);
        block_->count = 0;
        for (Message& message : arriving.front()) {
            ::new (static_cast<void*>(block_->room + block_->count++ * sizeof(Message))) Message(message);
        }
        arriving.erase(arriving.begin());
        shared.add_work();
        worker().receive(&*block_);
    }
    void tell() override {}

    npuzzle::detail::Owners<P, typename Worker::Table> owners;
    typename Worker::Shared shared;
    typename Worker::Workers workers;
    std::vector<Block*> under_way;
    std::size_t max_under_way = 0;
    std::size_t sent = 0;
    std::set<npuzzle::state_t<P>> received; ///< by the other process
    /// What comes from there, block by block, each when there is nothing left to do.
    std::vector<std::vector<Message>> arriving;
    bool is_stalled = false;

private:
    std::size_t rank_;
    std::optional<Block> block_; // that is on its way
};

constexpr std::uint64_t nodes_alone = 8'000;

template <class P>
void begin_alone(Process<P>& process) {
    process.worker().search_alone({}, nodes_alone, std::chrono::hours{1});
    CHECK(process.worker().status() == npuzzle::Status::running);
}

} // namespace

TEST_CASE("a worker alone searches to the end, on shared memory", "[parallel]") {
    Problem chain(60);
    for (int vertex = 0; vertex + 1 < 60; ++vertex) {
        chain.connect(vertex, vertex + 1, 2);
    }
    chain.add_goal(59);
    const npuzzle::detail::Owners<Problem, Worker::Table> owners(chain, 1);
    Worker::Shared shared(1, npuzzle::Limits::unlimited, npuzzle::Limits::unlimited);
    Worker::Workers workers;
    npuzzle::BasicLimits<int> limits;
    limits.bytes = 0;
    workers.push_back(std::make_unique<Worker>(0, owners, shared, workers, chain, npuzzle::Zero{}, limits,
                                               Parts::Priority{}, nullptr));
    workers[0]->add_start(0);
    workers[0]->run([] {});
    CHECK(shared.is_over());
    CHECK(shared.status() == npuzzle::Status::running);
    REQUIRE(shared.best().has_value());
    CHECK(workers[0]->table().size() == 60);
    REQUIRE(workers[0]->goal().has_value());
    CHECK(workers[0]->table().find(*workers[0]->goal()).cost() == 118);
    CHECK(shared.peak() > 0);
    workers[0]->discard_mail();
}

TEST_CASE("nodes are given away in a few blocks at a time", "[parallel]") {
    const Sheet sheet;
    Process<Sheet> process(sheet, 0);
    begin_alone(process);
    const std::uint64_t before = process.shared.peak();
    process.worker().run([] {});
    CHECK(process.shared.status() == npuzzle::Status::running);
    using Block = Process<Sheet>::Block;
    CHECK(Block::capacity < 50);
    CHECK(process.sent > nodes_alone / 2 / Block::capacity);
    // Sixteen for each owner, and what is filled until the worker looks.
    CHECK(process.max_under_way <= 2 * 16 + 4);
    CHECK(process.shared.peak() - before < 80 * sizeof(Block)); // all would take a hundred
    std::size_t given_away = 0;
    process.worker().table().for_each_node([&](const auto& node) {
        if (process.owners(node.state()) == 1) {
            ++given_away;
            CHECK(process.received.contains(node.state()));
        }
    });
    CHECK(given_away > nodes_alone / 3);
}

TEST_CASE("a limit ends the search while nodes are given away", "[parallel]") {
    const Sheet sheet;
    using Block = Process<Sheet>::Block;
    constexpr std::size_t few = 2 * 16 + 4; // blocks: of more than a hundred
    SECTION("a stop") {
        int left = -1; // looks until then
        Process<Sheet> process(sheet, 0, npuzzle::Limits::unlimited,
                               npuzzle::StopToken([&] { return left >= 0 && left-- == 0; }));
        begin_alone(process);
        process.is_stalled = true;
        left = 3;
        process.worker().run([] {});
        CHECK(process.shared.status() == npuzzle::Status::cancelled);
        CHECK(process.sent <= few);
    }
    SECTION("memory") {
        std::uint64_t bytes = 0;
        {
            Process<Sheet> process(sheet, 0);
            begin_alone(process);
            bytes = process.shared.peak() + 20 * sizeof(Block);
        }
        Process<Sheet> process(sheet, 0, bytes);
        begin_alone(process);
        process.is_stalled = true;
        process.worker().run([] {});
        CHECK(process.shared.status() == npuzzle::Status::memory_limit);
        CHECK(process.shared.peak() <= bytes);
    }
    SECTION("the end on another process") {
        Process<Sheet> process(sheet, 0);
        begin_alone(process);
        process.shared.end(npuzzle::Status::time_limit);
        process.worker().run([] {});
        CHECK(process.shared.status() == npuzzle::Status::time_limit);
        CHECK(process.sent == 0);
    }
}

TEST_CASE("a node that was expanded elsewhere is taken over unless a path is better", "[parallel]") {
    constexpr int vertex = 3;
    const Problem problem(5);
    using Owner = Process<Problem>;
    const auto message = [](int cost, unsigned parent, bool is_closed) {
        Owner::Worker::Link link{};
        link.parent = parent;
        return Owner::Message{vertex, cost, {}, link, is_closed};
    };
    struct Case {
        int cost; // of what was found here, and of what comes
        int cost_taken_over;
        int least;
        unsigned parent;
    };
    // Of equal paths the one of the tree that is taken over: with steps that cost nothing, there could be a
    // circle else.
    for (const auto& [cost, cost_taken_over, least, parent] :
         {Case{4, 5, 4, 10}, {5, 5, 5, 20}, {6, 5, 5, 20}}) {
        for (const bool is_expanded : {false, true}) {
            INFO(cost << (is_expanded ? ", expanded before" : ""));
            Owner owner(problem, 1);
            const auto found = message(cost, 10, false);
            const auto taken_over = message(cost_taken_over, 20, true);
            if (is_expanded) {
                owner.arriving = {{found}, {taken_over}};
            } else {
                owner.arriving = {{taken_over, found}};
            }
            owner.worker().run([] {});
            const auto& table = owner.worker().table();
            REQUIRE(table.size() == 1);
            const auto node = *table.find(table.lookup_hint(vertex), vertex);
            CHECK(node.is_closed());
            CHECK(node.cost() == least);
            CHECK(node.link().parent == parent);
            const bool is_reopened = is_expanded || cost < cost_taken_over;
            CHECK(owner.worker().statistics().expanded == (is_reopened ? 1 : 0));
            CHECK(owner.worker().statistics().reopened == (is_reopened ? 1 : 0));
        }
    }
}

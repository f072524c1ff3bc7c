#pragma once

#include "npuzzle/search/kernel/best_first_engine.hpp"
#include "npuzzle/search/kernel/detail/checkpoint_checks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace npuzzle::detail {

/// Saves and loads the parts of an engine.
///
/// A checkpoint has three lines of text: what it is, with a word as the machine writes it; the caller's key;
/// the sizes of what follows. Then come values, by `RecordWriter`: the starts with h and f, the bound on the
/// cost; statistics, the node that is nearest to a goal; the nodes, in the order of the table; the open list;
/// what was interrupted.
struct Checkpoint {
    template <class P, class H, class O, class Parts>
    static void save(BestFirstEngine<P, H, O, Parts>& engine, std::ostream& out, std::string_view key) {
        using Engine = BestFirstEngine<P, H, O, Parts>;
        const auto refused = engine.find_refused();
        if (!engine.is_between_expansions() && !refused) {
            throw std::invalid_argument("a search cannot be saved whose status is " +
                                        std::string(to_string(engine.status())));
        }
        RecordWriter write(out);
        for (const std::string& line : header<P, Engine>(key)) {
            write.text(line + '\n');
        }
        save_starts(engine, write);
        write(engine.statistics());
        write(number_of(engine.pruned_by_bound_));
        save_nearest(engine, write);
        write(engine.table_.size());
        engine.table_.for_each_node([&](const auto& node) { save_node(*engine.problem_, node, write); });
        if constexpr (SavesEntries<typename Engine::Open>) {
            engine.open_.save(write);
        }
        save_interrupted(engine, refused, write);
        write.finish();
    }

    template <class P, class H, class O, class Parts>
    static void load(BestFirstEngine<P, H, O, Parts>& engine, std::istream& in, std::string_view key) {
        using Engine = BestFirstEngine<P, H, O, Parts>;
        if (engine.status_ != Status::running || engine.statistics_.expanded > 0) {
            throw std::invalid_argument("a checkpoint can be loaded only into a search that has not begun");
        }
        RecordReader read(in);
        check_header<P, Engine>(key, read);
        const std::uint64_t starts = check_starts(engine, read);
        engine.begin_again();
        engine.guarded([&] {
            read(engine.statistics_);
            engine.pruned_by_bound_ = load_bool(read);
            const auto nearest = load_nearest(engine, read);
            load_nodes(engine, starts, read);
            if (nearest) {
                note_nearest(engine, *nearest, read);
            }
            if constexpr (SavesEntries<typename Engine::Open>) {
                EntryReader entries(read, engine.table_);
                engine.open_.load(entries);
            } else {
                open_all(engine);
            }
            load_interrupted(engine, read);
        });
    }

private:
    template <class P, class Engine>
    static constexpr void require_plain() {
        static_assert(Engine::Table::finds_duplicates,
                      "a tree search cannot be saved: its nodes are not found by state");
        static_assert(!DropsEntries<typename Engine::Open>, "a search that drops nodes cannot be saved");
        static_assert(!std::is_same_v<stored_t<P>, void>,
                      "a search can be saved if its states are packed, or can be copied byte by byte");
        static_assert(std::is_trivially_copyable_v<typename Engine::Cost> &&
                          std::is_trivially_copyable_v<typename Engine::Estimate> &&
                          std::is_trivially_copyable_v<typename Engine::Priority>,
                      "a search can be saved if costs, estimates and priorities can be copied byte by byte");
    }

    template <class P>
    static constexpr auto choose_stored() {
        if constexpr (PackedProblem<P>) {
            return std::type_identity<packed_t<P>>{};
        } else if constexpr (std::is_trivially_copyable_v<state_t<P>>) {
            return std::type_identity<state_t<P>>{};
        } else {
            return std::type_identity<void>{};
        }
    }

    /// As what a state is stored.
    template <class P>
    using stored_t = typename decltype(choose_stored<P>())::type;

    static std::uint8_t number_of(bool is_so) { return is_so ? 1 : 0; }

    static bool load_bool(RecordReader& read) {
        std::uint8_t number = 0;
        read(number);
        read.require(number <= 1, "has neither yes nor no where one of them belongs");
        return number == 1;
    }

    template <class P, class Engine>
    static std::vector<std::string> header(std::string_view key) {
        require_plain<P, Engine>();
        const std::uint64_t order = 0x0102030405060708;
        std::string first = "npuzzle checkpoint, version 1, ";
        first.append(reinterpret_cast<const char*>(&order), sizeof(order));
        std::string second = "of ";
        for (const char c : key) {
            second += c == '\n' ? ' ' : c;
        }
        using Table = typename Engine::Table;
        const auto bytes = [](const char* name, std::size_t size) { return name + std::to_string(size); };
        return {first, second,
                bytes("state ", sizeof(stored_t<P>)) + bytes(", cost ", sizeof(typename Engine::Cost)) +
                    bytes(", estimate ", sizeof(typename Engine::Estimate)) +
                    (Table::stores_estimate ? " stored" : "") +
                    bytes(", priority ", sizeof(typename Engine::Priority)) +
                    bytes(", link ", sizeof(typename Table::Link)) +
                    bytes(", key ", sizeof(typename Table::Key)) +
                    bytes(", open list ", sizeof(typename Engine::Open)) + " bytes"};
    }

    template <class P, class Engine>
    static void check_header(std::string_view key, RecordReader& read) {
        const std::vector<std::string> expected = header<P, Engine>(key);
        if (read.line(expected[0].size()) != expected[0]) {
            throw std::runtime_error("this is no checkpoint of this version and this kind of machine");
        }
        for (const std::size_t i : {1U, 2U}) {
            const std::string found = read.line(std::max<std::size_t>(expected[i].size(), 300));
            if (found != expected[i]) {
                throw std::runtime_error("the checkpoint is of another search: \"" + found + "\" and not \"" +
                                         expected[i] + '"');
            }
        }
    }

    // States, in a stream.

    template <class P>
    static void save_state(const P& problem, const state_t<P>& state, RecordWriter& write) {
        if constexpr (PackedProblem<P>) {
            write(problem.pack(state));
        } else {
            write(state);
        }
    }

    template <class P>
    static state_t<P> load_state(const P& problem, RecordReader& read) {
        constexpr const char* none = "has a state that the problem has not";
        const auto checked = [&](state_t<P> state) {
            if constexpr (ChecksStates<P>) {
                read.require(problem.contains(state), none);
            }
            if constexpr (IndexedProblem<P>) {
                read.require(static_cast<std::size_t>(problem.index(state)) <
                                 static_cast<std::size_t>(problem.size()),
                             none);
            }
            return state;
        };
        // Not initialized by a constructor, which the type need not have.
        alignas(stored_t<P>) Bytes<stored_t<P>> bytes;
        read(bytes);
        auto& stored = reinterpret_cast<stored_t<P>&>(bytes);
        if constexpr (PackedProblem<P>) {
            if constexpr (HasWordBits<P>) {
                if constexpr (P::word_bits < 8 * sizeof(stored_t<P>)) {
                    read.require(stored >> P::word_bits == 0, none);
                }
            }
            return checked(problem.unpack(stored));
        } else {
            return checked(stored);
        }
    }

    template <class T>
    struct Bytes {
        unsigned char bytes[sizeof(T)];
    };

    // The start.

    template <class P, class H, class O, class Parts>
    static void save_starts(BestFirstEngine<P, H, O, Parts>& engine, RecordWriter& write) {
        std::vector<state_t<P>> starts;
        engine.table_.for_each_node([&](const auto& node) {
            if (node.is_root()) {
                starts.push_back(node.state());
            }
        });
        write(std::uint64_t{starts.size()});
        for (const state_t<P>& start : starts) {
            const auto view = engine.view_of(start, {}, engine.estimates()(start));
            save_state(*engine.problem_, start, write);
            write(view.estimate);
            write(view.priority);
        }
        write(number_of(engine.max_cost_.has_value()));
        write(engine.max_cost_.value_or(cost_t<P>{}));
    }

    /// Compares with those of the engine. Returns how many.
    template <class P, class H, class O, class Parts>
    static std::uint64_t check_starts(BestFirstEngine<P, H, O, Parts>& engine, RecordReader& read) {
        using Engine = BestFirstEngine<P, H, O, Parts>;
        const std::uint64_t count = load_count(read);
        read.require(count == engine.table_.size(), "is of a search with another start");
        for (std::uint64_t i = 0; i < count; ++i) {
            const state_t<P> start = load_state(*engine.problem_, read);
            typename Engine::Estimate estimate{};
            typename Engine::Priority priority{};
            read(estimate);
            read(priority);
            read.require(engine.table_.find(engine.table_.lookup_hint(start), start).has_value(),
                         "is of a search with another start");
            const auto view = engine.view_of(start, {}, engine.estimates()(start));
            read.require(is_same(view.estimate, estimate),
                         "is of a search with another heuristic or another goal");
            read.require(is_same(view.priority, priority), "is of a search by another priority");
        }
        const bool has_max_cost = load_bool(read);
        cost_t<P> max_cost{};
        read(max_cost);
        read.require(has_max_cost == engine.max_cost_.has_value() &&
                         (!has_max_cost || is_same(max_cost, *engine.max_cost_)),
                     "is of a search with another bound on the cost");
        return count;
    }

    template <class T>
    static bool is_same(const T& a, const T& b) {
        return !(a < b) && !(b < a);
    }

    // Nodes.

    template <class P, class Node>
    static void save_node(const P& problem, const Node& node, RecordWriter& write) {
        save_state(problem, node.state(), write);
        write(node.cost());
        if constexpr (requires { node.estimate(); }) {
            write(node.estimate());
        }
        save_link(node.link(), write);
        write(number_of(node.is_closed()));
    }

    template <class Link>
    static void save_link(const Link& link, RecordWriter& write) {
        if constexpr (requires { link.parent; }) {
            write(link.parent);
            write(link.move);
        } else {
            write(link);
        }
    }

    template <class Link, class P>
    static Link load_link(const P& problem, const state_t<P>& state, RecordReader& read) {
        Link link{};
        if constexpr (requires { link.parent; }) {
            read(link.parent);
            read(link.move);
            check_move(problem, state, link.move, read);
        } else {
            read(link);
            check_move(problem, state, link, read);
        }
        return link;
    }

    /// Whether a move may have led to a state.
    template <class P, class Move>
    static void check_move(const P& problem, const state_t<P>& state, const Move& last, RecordReader& read) {
        bool is_one = true;
        if constexpr (has_moves<P> && HasMoveCount<P>) {
            is_one = static_cast<unsigned>(last) <= P::move_count;
        }
        if constexpr (has_moves<P> && UndirectedProblem<P>) {
            is_one = is_one && last == P::no_move;
            problem.for_each_move(state, P::no_move, [&](const Move& move) {
                is_one = is_one || problem.inverse(move) == last;
            });
        }
        read.require(is_one, "has a move that leads nowhere");
    }

    template <class P, class H, class O, class Parts>
    static void load_nodes(BestFirstEngine<P, H, O, Parts>& engine, std::uint64_t starts,
                           RecordReader& read) {
        using Engine = BestFirstEngine<P, H, O, Parts>;
        using Table = typename Engine::Table;
        const P& problem = *engine.problem_;
        for (std::uint64_t left = load_count(read); left > 0; --left) {
            state_t<P> state = load_state(problem, read);
            typename Engine::Cost cost{};
            typename Engine::Estimate estimate{};
            read(cost);
            if constexpr (Table::stores_estimate) {
                read(estimate);
            }
            const auto link = load_link<typename Table::Link>(problem, state, read);
            const bool is_closed = load_bool(read);
            check_cost<Table>(cost, read);
            auto [node, is_new] = engine.table_.insert(std::move(state));
            read.require(is_new, "has a state twice");
            node.relax(cost, estimate, link);
            if (is_closed) {
                node.close();
            }
        }
        const Table& table = engine.table_;
        table.for_each_node([&](const auto& node) {
            if (node.is_root()) {
                read.require(starts-- > 0, "has a start too many");
            } else {
                const bool is_dead_end = node.is_closed() && is_same(node.cost(), cost_t<P>{});
                check_before<P>(node_before(problem, table, node.state(), node.link()),
                                is_dead_end ? std::nullopt : std::optional(node.cost()), read);
            }
        });
    }

    // The node that is nearest to a goal.

    template <class Engine>
    static void save_nearest(Engine& engine, RecordWriter& write) {
        const auto nearest = engine.nearest();
        write(number_of(nearest.has_value()));
        if (nearest) {
            save_state(*engine.problem_, nearest->state(), write);
            write(engine.nearest_cost_);
            write(engine.least_estimate_);
        }
    }

    template <class P, class H, class O, class Parts>
    static auto load_nearest(BestFirstEngine<P, H, O, Parts>& engine, RecordReader& read) {
        if (!load_bool(read)) {
            return std::optional<state_t<P>>();
        }
        std::optional<state_t<P>> state = load_state(*engine.problem_, read);
        read(engine.nearest_cost_);
        read(engine.least_estimate_);
        return state;
    }

    template <class Engine>
    static void note_nearest(Engine& engine, const typename Engine::State& state, RecordReader& read) {
        const auto node = engine.table_.find(engine.table_.lookup_hint(state), state);
        read.require(node.has_value(), "has a nearest node that is not there");
        engine.nearest_ = handle_of<typename Engine::Table>(*node);
    }

    // The open list of a type that cannot be saved.

    template <class Engine>
    static void open_all(Engine& engine) {
        engine.table_.for_each_node([&](const auto& node) {
            if (!node.is_closed()) {
                decltype(auto) state = node.state();
                const auto view = engine.view_of(state, node.cost(), engine.estimates()(state));
                if (!engine.is_beyond(view.cost, view.estimate)) {
                    engine.push(view.priority, view.cost, node);
                }
            }
        });
    }

    // What was interrupted.

    template <class Engine, class Refused>
    static void save_interrupted(Engine& engine, const std::optional<Refused>& refused, RecordWriter& write) {
        const auto arrived = [&](const auto& successors) {
            return refused && refused->successors == &successors ? refused->arrived : 0;
        };
        write(number_of(refused && refused->is_counted));
        const auto save_optional = [&](const auto& entry) {
            write(number_of(entry.has_value()));
            if (entry) {
                save_entry(*entry, write);
            }
        };
        save_optional(refused ? refused->unpushed : std::nullopt);
        save_optional(engine.interrupted_);
        save_successors(engine, engine.successors_, arrived(engine.successors_), write);
        if constexpr (Engine::can_batch) {
            const auto& taken = engine.batches_.interrupted_;
            write(number_of(taken.has_value()));
            if (taken) {
                for (const auto* batch : {&taken->now, &taken->next}) {
                    write(std::uint64_t{batch->count});
                    for (std::size_t i = 0; i < batch->count; ++i) {
                        save_entry(batch->entries[i], write);
                    }
                }
                write(std::uint64_t{taken->at});
                save_successors(engine, engine.batches_.waiting_, arrived(engine.batches_.waiting_), write);
            }
        }
    }

    template <class Engine, class Successors>
    static void save_successors(Engine& engine, const Successors& successors, std::size_t from,
                                RecordWriter& write) {
        write(std::uint64_t{successors.size() - from});
        for (std::size_t i = from; i < successors.size(); ++i) {
            save_state(*engine.problem_, engine.table_.state_of(successors[i].probe), write);
            write(successors[i].cost);
            write(successors[i].estimate);
            save_link(successors[i].link, write);
        }
    }

    template <class P, class H, class O, class Parts>
    static void load_interrupted(BestFirstEngine<P, H, O, Parts>& engine, RecordReader& read) {
        using Engine = BestFirstEngine<P, H, O, Parts>;
        using Entry = typename Engine::Entry;
        const bool is_counted = load_bool(read);
        EntryReader entries(read, engine.table_);
        const auto load_optional = [&] {
            return load_bool(read) ? std::optional(load_entry<Entry>(entries)) : std::nullopt;
        };
        const std::optional<Entry> unpushed = load_optional();
        engine.interrupted_ = load_optional();
        load_successors(engine, engine.successors_, read);
        if constexpr (Engine::can_batch) {
            if (load_bool(read)) {
                auto& taken = engine.batches_.interrupted_.emplace();
                for (auto* batch : {&taken.now, &taken.next}) {
                    batch->count =
                        static_cast<std::size_t>(read.number(batch->entries.size(), "has a batch too large"));
                    for (std::size_t i = 0; i < batch->count; ++i) {
                        batch->entries[i] = load_entry<Entry>(entries);
                    }
                }
                read.require(taken.now.count > 0, "has an empty batch");
                taken.at = static_cast<std::size_t>(read.number(taken.now.count, "has a batch that is over"));
                load_successors(engine, engine.batches_.waiting_, read);
            }
        }
        read.finish();
        engine.insert_refused({&engine.successors_, 0, is_counted, unpushed});
    }

    template <class P, class H, class O, class Parts, class Successors>
    static void load_successors(BestFirstEngine<P, H, O, Parts>& engine, Successors& successors,
                                RecordReader& read) {
        using Engine = BestFirstEngine<P, H, O, Parts>;
        using Link = typename Engine::Table::Link;
        successors.clear();
        for (std::uint64_t left = load_count(read); left > 0; --left) {
            typename Engine::State state = load_state(*engine.problem_, read);
            typename Engine::Cost cost{};
            typename Engine::ChildEvaluation estimate{};
            read(cost);
            read(estimate);
            const Link link = load_link<Link>(*engine.problem_, state, read);
            check_cost<typename Engine::Table>(cost, read);
            check_before<P>(node_before(*engine.problem_, engine.table_, state, link), cost, read);
            successors.emplace_back(engine.table_, std::move(state), cost, estimate, link);
        }
    }
};

} // namespace npuzzle::detail

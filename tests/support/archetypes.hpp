/// @file
/// Types that satisfy a concept and nothing more. Code that is written for a concept must work with them.
#pragma once

#include <npuzzle/search/core/limits.hpp>
#include <npuzzle/search/core/problem.hpp>
#include <npuzzle/search/core/result.hpp>
#include <npuzzle/search/memory/budget.hpp>
#include <npuzzle/search/open_list/open_list.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace archetype {

/// Copyable and comparable with `==`. It has no default constructor, no order and no hash.
class State {
public:
    explicit State(int number) : number_(number) {}

    int number() const { return number_; }
    friend bool operator==(const State&, const State&) = default;

private:
    int number_;
};

/// Ordered, addable with `+`, and zero by default.
class Cost {
public:
    Cost() = default;
    explicit Cost(unsigned value) : value_(value) {}

    unsigned value() const { return value_; }
    friend Cost operator+(const Cost& a, const Cost& b) { return Cost(a.value_ + b.value_); }
    friend std::strong_ordering operator<=>(const Cost&, const Cost&) = default;

private:
    unsigned value_ = 0;
};

/// Converts to `bool`, and does nothing else.
class Truth {
public:
    explicit Truth(bool value) : value_(value) {}
    operator bool() const { return value_; }

private:
    bool value_;
};

/// A minimal input range: a single pass, with a move-only iterator and a sentinel of another type. Each
/// element is made when it is read.
template <class T>
class InputRange {
public:
    struct Sentinel {};

    class Iterator {
    public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;

        explicit Iterator(InputRange& range) : range_(&range) {}
        Iterator(Iterator&&) = default;
        Iterator& operator=(Iterator&&) = default;

        T operator*() const { return range_->values_[range_->position_]; }
        Iterator& operator++() {
            ++range_->position_;
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const Iterator& iterator, Sentinel) { return iterator.is_at_end(); }

    private:
        bool is_at_end() const { return range_->position_ == range_->values_.size(); }

        InputRange* range_;
    };

    explicit InputRange(std::vector<T> values) : values_(std::move(values)) {}
    InputRange(const InputRange&) = delete;
    InputRange& operator=(const InputRange&) = delete;

    Iterator begin() { return Iterator(*this); }
    Sentinel end() { return {}; }

private:
    std::vector<T> values_;
    std::size_t position_ = 0;
};

/// The numbers from 0 to 9. Steps of one cost 3, steps of three cost 7. Cannot be copied.
class Problem {
public:
    using State = archetype::State;
    using Edge = npuzzle::Edge<State, Cost>;

    Problem() = default;
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;

    InputRange<Edge> neighbors(const State& state) const {
        std::vector<Edge> edges;
        for (const int step : {1, 3}) {
            if (state.number() + step <= 9) {
                edges.push_back({State(state.number() + step), Cost(step == 1 ? 3 : 7)});
            }
        }
        return InputRange<Edge>(std::move(edges));
    }
    Truth is_goal(const State& state) const { return Truth(state.number() == 9); }
    std::uint8_t hash(const State& state) const { return static_cast<std::uint8_t>(state.number()); }

    static constexpr unsigned least_cost = 21; // 0, 3, 6, 9
};

/// Callable with a state, and nothing else: it cannot be copied, and not called through a `const`.
class Heuristic {
public:
    Heuristic() = default;
    Heuristic(Heuristic&&) = default;
    Heuristic& operator=(Heuristic&&) = default;

    Cost operator()(const State& state) { return Cost(2 * static_cast<unsigned>(9 - state.number())); }
};

/// Receives the events for one node type, and records their names.
template <class Node>
class Observer {
public:
    explicit Observer(std::string& log) : log_(&log) {}
    Observer(Observer&&) = default;
    Observer& operator=(Observer&&) = default;

    void start(const Node&) { *log_ += "start "; }
    void expand(const Node&) { *log_ += "expand "; }
    void generate(const Node&, const Node&) { *log_ += "generate "; }
    void duplicate(const Node&) { *log_ += "duplicate "; }
    void improve(const Node&) { *log_ += "improve "; }
    void reopen(const Node&) { *log_ += "reopen "; }
    void goal(const Node&) { *log_ += "goal "; }
    void progress(const npuzzle::Statistics&) {}

private:
    std::string* log_;
};

/// An unordered list with linear search.
template <class Priority, class C, class Key>
class OpenList {
public:
    using Entry = npuzzle::OpenEntry<Priority, C, Key>;

    explicit OpenList(npuzzle::MemoryBudget&) {}
    OpenList(const OpenList&) = delete;
    OpenList& operator=(const OpenList&) = delete;

    void push(const Entry& entry) { entries_.push_back(entry); }
    Entry pop() {
        const auto first =
            std::min_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
                return a.priority < b.priority || (!(b.priority < a.priority) && b.cost < a.cost);
            });
        const Entry entry = *first;
        entries_.erase(first);
        return entry;
    }
    bool empty() const { return entries_.empty(); }
    std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }
    void clear() { entries_.clear(); }

private:
    std::vector<Entry> entries_;
};

/// A list of nodes with linear search for equal states. Each insertion of a new one moves all the others, and
/// leaves the new state where they were. A node that is used after it throws `std::logic_error`.
template <class P, class E>
class NodeTable {
    struct Record {
        typename P::State state;
        npuzzle::cost_t<P> cost;
        int parent;
        bool is_closed;
    };

public:
    using State = typename P::State;
    using Cost = npuzzle::cost_t<P>;
    using Estimate = E;
    using Key = int;
    using Handle = int;
    using Link = int;
    struct Move {};
    struct Probe {
        Probe(const NodeTable&, State&& its_state) : state(std::move(its_state)) {}
        State state;
    };
    static constexpr bool stores_estimate = false;
    static constexpr bool finds_duplicates = true;
    static constexpr bool keeps_in_place = false;

    class Node {
    public:
        Key key() const {
            static_cast<void>(record());
            return key_;
        }
        Handle handle() const { return key(); }
        const State& state() const { return record().state; }
        Cost cost() const { return record().cost; }
        bool is_closed() const { return record().is_closed; }
        void close() { record().is_closed = true; }
        void relax(const Cost& cost, const Estimate&, const Link& link) {
            record() = Record{record().state, cost, link, false};
        }
        bool is_root() const { return record().parent < 0; }
        Link link() const { return record().parent; }

    private:
        friend NodeTable;
        Node(const NodeTable& table, Key key)
            : table_(const_cast<NodeTable*>(&table)), size_(table.records_.size()), key_(key) {}
        Record& record() const {
            if (size_ != table_->records_.size()) {
                throw std::logic_error("a node is used after an insertion");
            }
            return table_->records_[static_cast<std::size_t>(key_)];
        }

        NodeTable* table_;
        std::size_t size_; // of the table when the node was found
        Key key_;
    };

    NodeTable(const P&, npuzzle::MemoryBudget&) {}
    NodeTable(const NodeTable&) = delete;
    NodeTable& operator=(const NodeTable&) = delete;

    void prefetch_slot(const Probe&) const {}
    void prefetch(const Probe&) const {}
    void prefetch(const Key&) const {}
    std::pair<Node, bool> insert(Probe&& probe) { return insert(std::move(probe.state)); }
    std::pair<Node, bool> insert(State&& state) {
        for (std::size_t i = 0; i < records_.size(); ++i) {
            if (records_[i].state == state) {
                return {find(static_cast<Key>(i)), false};
            }
        }
        std::vector<Record> moved = records_;
        moved.push_back(Record{state, Cost{}, -1, true});
        for (Record& left : records_) {
            left.state = state;
        }
        left_behind_ = std::exchange(records_, std::move(moved));
        return {find(static_cast<Key>(records_.size()) - 1), true};
    }
    template <class IsWanted>
    std::optional<Node> find_open(Key key, const Cost& cost, IsWanted&&) {
        const Node node = find(key);
        return node.is_closed() || node.cost() < cost ? std::nullopt : std::optional<Node>(node);
    }
    Node find(Handle handle) const { return Node(*this, handle); }
    Node parent(const Node& node) const { return find(node.link()); }
    static Link link(const Node& parent, Move) { return parent.key(); }
    static Link root(const Node&) { return -1; }
    static bool can_hold(const Cost&) { return true; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(records_.size()); }
    void clear() { records_.clear(); }

private:
    std::vector<Record> records_;
    std::vector<Record> left_behind_; // by the last insertion
};

} // namespace archetype

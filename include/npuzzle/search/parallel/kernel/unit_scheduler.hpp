#pragma once

#include "npuzzle/search/parallel/kernel/parallel_ida_star_options.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace npuzzle::detail {

/// Tells the threads of a search which unit of a divided iteration is next, and from which one on none
/// matters. It may share the units with searches elsewhere, which make the same iterations.
class UnitScheduler {
public:
    static constexpr std::size_t none = (std::numeric_limits<std::size_t>::max)();

    /// What was counted in the units of an iteration, so far.
    struct Counts {
        std::uint64_t expanded = 0;
        std::uint64_t generated = 0;
    };

    UnitScheduler() = default;
    UnitScheduler(const UnitScheduler&) = delete;
    UnitScheduler& operator=(const UnitScheduler&) = delete;

    /// \name On the caller's thread
    /// @{

    /// Whether others search units, too. Then what is thrown in a unit does not wait for those before it.
    [[nodiscard]] virtual bool is_shared() const { return false; }

    /// All units of the next iteration matter.
    void reset_end() { end_ = none; }

    /// Nothing has been counted.
    void reset_counts() {
        expanded_ = 0;
        generated_ = 0;
    }

    /// The units may be taken. `expansions_left`: none matters after so many expansions.
    virtual void begin(std::size_t units, std::uint64_t expansions_left) = 0;

    /// Begins a part of an iteration in which nothing is searched, but `exchange` tells all what one has
    /// known of its units. Only where units are shared.
    virtual void begin_sharing(std::span<const UnitRecord> /*known*/, std::size_t /*units*/,
                               std::uint64_t /*expansions_left*/) {}

    /// Hears what the others have to tell. True if the search is over elsewhere.
    virtual bool poll() { return false; }

    /// What the others have counted, as far as is known.
    [[nodiscard]] virtual Counts elsewhere() const { return {}; }

    /// When the iteration is over: the units that were kept, here and elsewhere. Valid until the next one
    /// begins.
    [[nodiscard]] virtual std::span<const UnitRecord> exchange() { return {}; }

    /// @}
    /// \name On any thread
    /// @{

    /// The unit that is next, `none` if there is none at hand.
    [[nodiscard]] virtual std::size_t take() = 0;

    /// Nothing will be at hand any more.
    [[nodiscard]] virtual bool is_over() const { return true; }

    /// Waits a moment for something to be at hand. `turns`: how often before, without success.
    virtual void wait(unsigned /*turns*/) const {}

    /// A unit that was taken has been searched, and what was counted in it is to be known elsewhere.
    virtual void keep(const UnitRecord& /*record*/) {}

    /// A unit that was taken has been left, searched or not.
    virtual void leave() {}

    /// Something was thrown in a unit. Returns whether that ends the search at once.
    virtual bool fail(std::size_t number) {
        end_at(number);
        return false;
    }

    /// Units from this number on do not matter.
    [[nodiscard]] std::size_t end() const { return end_; }

    /// No unit from this number on is to be searched: the search ends in it, or before.
    void end_at(std::size_t number) {
        std::size_t end = end_;
        while (number < end && !end_.compare_exchange_weak(end, number)) {
        }
    }

    /// For the progress.
    void count(std::uint64_t expanded, std::uint64_t generated) {
        expanded_ += expanded;
        generated_ += generated;
    }

    /// What was counted here.
    [[nodiscard]] Counts counted() const { return {expanded_, generated_}; }

    /// @}

protected:
    ~UnitScheduler() = default;

private:
    std::atomic<std::size_t> end_{none};
    std::atomic<std::uint64_t> expanded_{0};
    std::atomic<std::uint64_t> generated_{0};
};

/// Gives all units to the threads of one search.
class LocalUnits final : public UnitScheduler {
public:
    void begin(std::size_t units, std::uint64_t /*expansions_left*/) override {
        units_ = units;
        next_ = 0;
    }

    [[nodiscard]] std::size_t take() override {
        const std::size_t number = next_.fetch_add(1, std::memory_order_relaxed);
        return number < units_ && number < end() ? number : none;
    }

private:
    std::size_t units_ = 0;
    std::atomic<std::size_t> next_{0};
};

} // namespace npuzzle::detail

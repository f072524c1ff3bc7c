#pragma once

#include "npuzzle/search/kernel/threads.hpp"
#include "npuzzle/search/parallel/kernel/layer_worker.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

/// \file
/// Breadth-first search by layers, on several threads.

namespace npuzzle {

/// How a search by layers runs on several threads.
struct ParallelLayersOptions {
    /// How many threads at most, the caller's own among them; 0 for as many as the machine runs at once.
    unsigned threads = 0;
    /// A layer of fewer states is expanded by the caller's thread alone.
    std::uint64_t least_divided = std::uint64_t{1} << 15;
};

} // namespace npuzzle

namespace npuzzle::detail {

/// A `LayerSearch` whose large layers are expanded by several threads. The hash of a state names its owner,
/// the worker that has it in its part of the layer. A neighbor of another owner is sent to it (as R. E. Korf
/// and P. Schultze divide layers on a disk by a hash: "Large-scale parallel breadth-first search", AAAI
/// 2005). All workers finish a layer before any begins the next. So the layers, and the counts of a complete
/// layer, do not depend on the number of threads.
///
/// Until the first large layer, it is the search on one thread. Then the states are dealt out to the workers,
/// which stay. The caller's thread alone runs all of them where a layer is small.
template <Problem P, class Layers, class O>
class ParallelLayerSearch {
    using Worker = LayerWorker<P, Layers>;
    using Part = typename Worker::Part;
    using Serial = LayerSearch<P, Layers, O>;
    using Clock = LimitMonitor::Clock;

public:
    using State = state_t<P>;
    using Unobserved = ParallelLayerSearch<P, Layers, SilentObserver>;
    using Options = ParallelLayersOptions;

    /// Refers to all of these.
    ParallelLayerSearch(const P& problem, O& observer, LimitMonitor& monitor, MemoryBudget& budget,
                        Statistics& statistics, const Options& options)
        : problem_(&problem), observer_(&observer), monitor_(&monitor), budget_(budget),
          statistics_(&statistics), threads_(thread_count(options.threads)),
          least_divided_(options.least_divided), serial_(problem, observer, monitor, budget, statistics) {}
    ParallelLayerSearch(const ParallelLayerSearch&) = delete;
    ParallelLayerSearch& operator=(const ParallelLayerSearch&) = delete;
    ~ParallelLayerSearch() { dismiss(); }

    void start(const State& state) {
        serial_.start(state);
        is_new_layer_ = true;
    }

    [[nodiscard]] int depth() const noexcept { return depth_; }

    [[nodiscard]] std::uint64_t layer_size() const { return serial_.layer_size() + sum(&Part::current_size); }

    [[nodiscard]] std::uint64_t stored() const { return serial_.stored() + sum(&Part::stored); }

    /// May be called by several threads at the same time, of another search, too.
    [[nodiscard]] bool contains(const State& state) const {
        return workers_.empty() ? serial_.contains(state)
                                : layers_[layer_owner(*problem_, state, threads_)]->contains(state);
    }

    void keep_current() {
        serial_.keep_current();
        for (Layers* layers : layers_) {
            layers->keep_current();
        }
    }

    void clear() {
        dismiss();
        serial_.clear();
    }

    /// See `LayerSearch`. A layer of workers is expanded as a whole.
    /// \param is_end called by several threads at the same time; if it takes the number of a worker besides,
    ///     no two calls with the same number are made at the same time
    template <class IsEnd>
    Status expand(unsigned most, IsEnd&& is_end) {
        if (std::exchange(is_new_layer_, false)) {
            divide_if_large();
        }
        if (workers_.empty()) {
            return serial_.expand(most, [&](const auto& neighbor) { return ask(is_end, neighbor, 0); });
        }
        return expand_layer(is_end);
    }

    [[nodiscard]] MarkedState<State> end() const { return end_ ? MarkedState<State>{*end_} : serial_.end(); }

    /// Goes to the next layer when the current one is done; false if there is none.
    bool advance() {
        if (workers_.empty()) {
            if (!serial_.advance()) {
                return false;
            }
        } else {
            const std::uint64_t next = sum(&Part::next_size);
            statistics_->peak_open = std::max(statistics_->peak_open, layer_size() + next);
            if (next == 0) {
                return false;
            }
            for (const auto& worker : workers_) {
                worker->skip();
            }
            if constexpr (SharedLayers<Layers>) {
                Layers::balance(layers_);
            }
        }
        ++depth_;
        is_new_layer_ = true;
        return true;
    }

private:
    /// The sum of what all workers hold of something.
    template <class F>
    [[nodiscard]] std::uint64_t sum(F of) const {
        std::uint64_t sum = 0;
        for (const auto& worker : workers_) {
            sum += (worker->part().*of)();
        }
        return sum;
    }

    template <class IsEnd>
    static bool ask(IsEnd& is_end, const MarkedState<State>& neighbor, [[maybe_unused]] std::size_t worker) {
        if constexpr (std::invocable<IsEnd&, const MarkedState<State>&, std::size_t>) {
            return is_end(neighbor, worker);
        } else {
            return is_end(neighbor);
        }
    }

    /// Deals the states out if there is a large layer for the first time, before one of them is taken.
    /// Without the memory for that, the search stays on one thread.
    void divide_if_large() {
        if (!workers_.empty() || threads_ <= 1 || serial_.layer_size() < least_divided_) {
            return;
        }
        try {
            for (std::size_t i = 0; i < threads_; ++i) {
                workers_.push_back(std::make_unique<Worker>(*problem_, budget_));
                parts_.push_back(&workers_.back()->part());
                parts_.back()->join(i, threads_, parts_);
                layers_.push_back(&parts_.back()->layers());
            }
            serial_.layers().deal_out(
                layers_, [&](const State& state) { return layer_owner(*problem_, state, threads_); });
        } catch (const std::bad_alloc&) {
            dismiss();
            threads_ = 1;
            return;
        }
        serial_.clear();
    }

    void dismiss() {
        for (const auto& worker : workers_) {
            worker->part().discard_mail();
        }
        workers_.clear();
        parts_.clear();
        layers_.clear();
    }

    template <class IsEnd>
    Status expand_layer(IsEnd& is_end) {
        SharedLayer shared(workers_.size(), 0, 0);
        const bool is_cut_short = begin_layer(shared);
        {
            std::size_t own = workers_.size(); // the first ones are those of the caller's thread
            JoinedThreads others(own - 1);
            if (layer_size() >= least_divided_) {
                while (own > 1 && others.try_to_add([&, i = own - 1] { work(i, i + 1, shared, is_end); })) {
                    --own;
                }
            }
            work(0, own, shared, is_end);
        }
        return end_layer(shared, is_cut_short);
    }

    /// Sets how many states each worker may expand: all together as many as the limit says. True if these are
    /// not all that there are.
    bool begin_layer(SharedLayer& shared) {
        const std::uint64_t left = monitor_->expansions() - statistics_->expanded;
        const std::uint64_t size = layer_size();
        const auto part_of_limit = [&](std::uint64_t states) {
            return static_cast<std::uint64_t>(static_cast<double>(left) *
                                              (static_cast<double>(states) / static_cast<double>(size)));
        };
        Limits limits;
        limits.stop = [this, &shared] { return is_stopped(shared); };
        std::uint64_t before = 0; // states of the workers before
        for (const auto& worker : workers_) {
            const std::uint64_t until = before + worker->part().current_size();
            if (left < size) {
                limits.expansions = part_of_limit(until) - part_of_limit(before);
            }
            worker->begin(shared, limits);
            before = until;
        }
        return left < size;
    }

    Status end_layer(const SharedLayer& shared, bool is_cut_short) {
        for (const auto& worker : workers_) {
            statistics_->merge_concurrent(worker->take_statistics());
            if (worker->end()) {
                end_ = worker->end();
            }
        }
        if (shared.error()) {
            std::rethrow_exception(shared.error());
        }
        if (shared.status() != Status::running) {
            return shared.status();
        }
        return is_cut_short ? Status::expansion_limit : Status::unsolvable;
    }

    /// Does the work of some workers, on one thread.
    template <class IsEnd>
    void work(std::size_t first, std::size_t last, SharedLayer& shared, IsEnd& is_end) {
        const auto is_end_for = [&is_end](std::size_t i) {
            return [&is_end, i](const MarkedState<State>& neighbor) { return ask(is_end, neighbor, i); };
        };
        const auto read = [&] {
            bool has_read = false;
            for (std::size_t i = first; i < last; ++i) {
                has_read = workers_[i]->read(is_end_for(i)) || has_read;
            }
            return has_read;
        };
        try {
            for (std::size_t i = first; i < last; ++i) {
                while (!shared.is_over() && workers_[i]->expand(is_end_for(i))) {
                    read();
                    while (parts_[i]->is_far_ahead() && !is_stopped(shared)) {
                        std::this_thread::yield();
                        read();
                    }
                }
                parts_[i]->post_all();
                shared.remove_work();
            }
            Clock::time_point busy = Clock::now();
            while (!is_stopped(shared)) {
                const Clock::time_point now = Clock::now();
                if (read()) {
                    busy = now;
                } else if (now - busy < std::chrono::microseconds{200}) {
                    std::this_thread::yield();
                } else {
                    // Longer and longer: hundreds of threads that look for mail would keep the others from
                    // their work.
                    std::this_thread::sleep_for(std::clamp<Clock::duration>(
                        (now - busy) / 8, std::chrono::microseconds{100}, std::chrono::milliseconds{2}));
                }
            }
        } catch (const std::bad_alloc&) {
            shared.end(Status::memory_limit);
        } catch (...) {
            shared.fail(std::current_exception());
        }
    }

    /// Whether the layer is over. The caller's thread looks at the limits, every few milliseconds.
    bool is_stopped(SharedLayer& shared) {
        if (std::this_thread::get_id() == caller_) {
            const Clock::time_point now = Clock::now();
            if (now - looked_ >= std::chrono::milliseconds{2}) {
                looked_ = now;
                look_at_limits(shared);
            }
        }
        return shared.is_over();
    }

    void look_at_limits(SharedLayer& shared) {
        const Status limit = monitor_->check(statistics_->expanded);
        if (limit == Status::running) {
            Statistics all = *statistics_;
            for (const auto& worker : workers_) {
                worker->progress().add_to(all);
            }
            all.stored += serial_.stored();
            all.bytes = budget_.peak();
            all.seconds = monitor_->seconds();
            observer_->progress(all);
        } else if (limit != Status::expansion_limit) { // which is kept by the workers
            shared.end(limit);
        }
    }

    const P* problem_;
    O* observer_;
    LimitMonitor* monitor_;
    SharedBudget budget_;
    Statistics* statistics_;
    std::size_t threads_;
    std::uint64_t least_divided_;
    Serial serial_; // before its states are dealt out; the bits of numbered states stay there
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<Part*> parts_;    // those of the workers
    std::vector<Layers*> layers_; // those of the parts
    int depth_ = 0;
    bool is_new_layer_ = false; // no state of it was taken
    std::optional<State> end_;
    std::thread::id caller_ = std::this_thread::get_id();
    Clock::time_point looked_{}; // at the limits
};

} // namespace npuzzle::detail

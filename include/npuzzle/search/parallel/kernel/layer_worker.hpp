#pragma once

#include "npuzzle/search/kernel/layer_search.hpp"
#include "npuzzle/search/parallel/kernel/message_blocks.hpp"
#include "npuzzle/search/parallel/kernel/owners.hpp"
#include "npuzzle/search/parallel/kernel/shared_search.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// \file
/// One of several searches that divide the layers of a breadth-first search.

namespace npuzzle::detail {

/// The state that the threads share while they expand one layer, which is a search of its own: it is over
/// when all have expanded their states, and have read what they were sent.
using SharedLayer = SharedSearch<int, int>;

/// Whether a state may be added to any part of the layers: there are no owners.
template <class Layers>
concept SharedLayers = requires(const std::vector<Layers*>& parts) { Layers::balance(parts); };

/// Which of several parts of the layers has a state.
template <class P>
std::size_t layer_owner(const P& problem, const state_t<P>& state, std::size_t parts) {
    return static_cast<std::size_t>(std::uint64_t{owner_hash(problem, state)} * parts >> 32);
}

/// The part of the layers that one worker has. What belongs to another part is sent there.
/// \tparam Layers `LastLayers<P>` or `AllLayers<P>`
template <Problem P, class Layers>
class LayerPart {
    using Storage = LayerStorage<P>;

public:
    using State = state_t<P>;
    using Parts = std::vector<LayerPart*>;

    LayerPart(const P& problem, MemoryBudget& budget)
        : problem_(&problem), budget_(&budget), layers_(problem, budget) {}

    /// \param parts all of them, once there are as many as this says
    void join(std::size_t number, std::size_t count, const Parts& parts) {
        number_ = number;
        parts_ = &parts;
        mail_.emplace(static_cast<std::uint32_t>(number), count, *budget_);
    }

    /// A new layer begins.
    void begin(SharedLayer& shared) { shared_ = &shared; }

    Layers& layers() { return layers_; }

    // What a `LayerSearch` asks of its layers:

    std::optional<MarkedState<State>> take() { return layers_.take(); }

    void prefetch(const State& state) const { layers_.prefetch(state); }
    bool add(const MarkedState<State>& neighbor) { return layers_.add(neighbor); }

    /// Sends a state to its owner, if that is another part.
    bool pass_on([[maybe_unused]] const MarkedState<State>& neighbor) {
        if constexpr (!SharedLayers<Layers>) {
            const std::size_t owner = layer_owner(*problem_, neighbor.state, parts_->size());
            if (owner != number_) {
                mail_->send(owner, post(), Storage::join(*problem_, neighbor));
                return true;
            }
        }
        return false;
    }

    void advance() { layers_.advance(); }

    [[nodiscard]] std::uint64_t current_size() const noexcept { return layers_.current_size(); }
    [[nodiscard]] std::uint64_t next_size() const noexcept { return layers_.next_size(); }
    [[nodiscard]] std::uint64_t stored() const noexcept { return layers_.stored(); }

    // Messages:

    /// Hands all over that waits to be sent.
    void post_all() {
        for (std::size_t to = 0; to < parts_->size(); ++to) {
            mail_->post_to(to, post());
        }
    }

    /// Whether so much is on its way to others that these must have been held up.
    bool is_far_ahead() { return mail_->outstanding() > max_outstanding * parts_->size(); }

    /// Moves some of the states out that have come.
    void read(std::vector<MarkedState<State>>& states) {
        mail_->read(
            read_at_once,
            [&](Message&& message) {
                states.push_back(Storage::split(*problem_, std::move(message.item)));
                layers_.prefetch(states.back().state);
            },
            [&](Block* block) {
                (*parts_)[block->sender]->mail_->give_back(block);
                shared_->remove_work();
            });
    }

    /// To be called for all parts before one of them is destroyed.
    void discard_mail() {
        if (mail_) {
            mail_->discard();
        }
    }

private:
    struct Message {
        typename Storage::Item item;
    };
    using Block = MessageBlock<Message>;

    /// Messages that are read at once: more than are sent in the meantime.
    static constexpr std::uint32_t read_at_once = 64;
    /// Blocks for each part.
    static constexpr std::uint64_t max_outstanding = 64;

    auto post() {
        return [this](Block* block) {
            shared_->add_work();
            (*parts_)[block->receiver]->mail_->receive(block);
        };
    }

    const P* problem_;
    MemoryBudget* budget_;
    Layers layers_;
    std::size_t number_ = 0;
    const Parts* parts_ = nullptr;
    SharedLayer* shared_ = nullptr;
    std::optional<Mailbox<Block>> mail_;
};

/// A search of one part of the layers. One thread at a time works with it.
template <Problem P, class Layers>
class LayerWorker {
public:
    using State = state_t<P>;
    using Part = LayerPart<P, Layers>;

    LayerWorker(const P& problem, MemorySource& memory)
        : search_(problem, silent_, monitor_, budget_, statistics_) {
        budget_.draw_on(memory);
    }
    LayerWorker(const LayerWorker&) = delete;
    LayerWorker& operator=(const LayerWorker&) = delete;

    Part& part() { return search_.layers(); }

    /// A new layer begins.
    /// \param limits for this layer
    void begin(SharedLayer& shared, const Limits& limits) {
        shared_ = &shared;
        part().begin(shared);
        monitor_ = LimitMonitor(limits);
    }

    /// Expands some states; false if that is done, or an end was reached.
    template <class IsEnd>
    bool expand(IsEnd&& is_end) {
        const Status status = search_.expand(layer_batch, is_end);
        progress_.tell(statistics_, part().stored());
        if (status == Status::solved) {
            reach(search_.end().state);
        }
        return status == Status::running;
    }

    /// Adds some states that others have sent; false if there are none.
    template <class IsEnd>
    bool read(IsEnd&& is_end) {
        received_.clear();
        part().read(received_);
        for (const MarkedState<State>& neighbor : received_) {
            if (!part().layers().add(neighbor)) {
                ++statistics_.duplicates;
            } else if (is_end(neighbor)) {
                reach(neighbor.state);
                break;
            }
        }
        return !received_.empty();
    }

    /// Goes to the next layer.
    void skip() { search_.skip(); }

    /// The end that was reached, if one was.
    [[nodiscard]] const std::optional<State>& end() const noexcept { return end_; }

    /// What was done since the last call.
    Statistics take_statistics() {
        const Statistics statistics = std::exchange(statistics_, {});
        progress_.tell(statistics_, part().stored());
        return statistics;
    }

    /// What other threads may know.
    [[nodiscard]] const KnownProgress& progress() const noexcept { return progress_; }

private:
    void reach(const State& state) {
        end_ = state;
        shared_->end(Status::solved);
    }

    SilentObserver silent_;
    LimitMonitor monitor_{Limits{}};
    MemoryBudget budget_;
    Statistics statistics_;
    LayerSearch<P, Part, SilentObserver> search_;
    std::vector<MarkedState<State>> received_;
    SharedLayer* shared_ = nullptr;
    std::optional<State> end_;
    KnownProgress progress_;
};

} // namespace npuzzle::detail

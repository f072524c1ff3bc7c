#pragma once

#include "npuzzle/search/memory/spill_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

/// \file
/// Sequences of records in a file, of which memory holds the ends alone.

namespace npuzzle::detail {

/// A sequence of records, which `RecordChains` writes and reads.
class RecordChain {
public:
    explicit RecordChain(MemoryBudget& budget) : blocks_(BudgetAllocator<Block>(budget)) {}

    /// The number of records.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

private:
    friend class RecordChains;

    struct Block {
        SpillFile::Number number;
        std::uint32_t count; // of records
    };

    std::vector<Block, BudgetAllocator<Block>> blocks_;
    std::uint64_t size_ = 0;
    char* tail_ = nullptr; // the records that are not in the file
    std::uint32_t tail_count_ = 0;
    std::size_t tail_number_ = 0; // among all tails
};

/// Writes and reads chains of records of equal size, in one file. A chain that is not empty must outlive it.
/// The last records of a chain are in memory, at most a block of them; once there are as many blocks in
/// memory as may be, all are written to the file.
///
/// Every member takes O(1) time for a record, amortized, and reads or writes the file in blocks.
class RecordChains {
public:
    /// \param record_bytes the size of a record, at most 4096
    /// \param memory_bytes what the blocks in memory may take; at least one block is taken
    /// For `folder`, `block_bytes`, `file_bytes` and what is thrown: see `SpillFile`.
    RecordChains(std::size_t record_bytes, std::uint64_t memory_bytes, std::string folder,
                 std::size_t block_bytes, std::uint64_t file_bytes, MemoryBudget& budget)
        : record_bytes_(record_bytes), capacity_(static_cast<std::uint32_t>(block_bytes / record_bytes)),
          max_tails_(std::max<std::uint64_t>(memory_bytes / block_bytes, 1)), budget_(&budget),
          file_(std::move(folder), block_bytes, file_bytes, budget),
          tails_(BudgetAllocator<RecordChain*>(budget)), spare_(BudgetAllocator<char*>(budget)) {}
    RecordChains(const RecordChains&) = delete;
    RecordChains& operator=(const RecordChains&) = delete;
    ~RecordChains() {
        for (RecordChain* const chain : tails_) {
            free(chain->tail_);
        }
        for (char* const block : spare_) {
            free(block);
        }
    }

    [[nodiscard]] const SpillFile& file() const noexcept { return file_; }

    /// Room for one more record at the end of a chain, which must not move from now on until it is cleared.
    /// Throws `std::bad_alloc` if there is neither memory nor room in the file; the chain is as it was then.
    [[nodiscard]] NPUZZLE_ALWAYS_INLINE char* append(RecordChain& chain) {
        if (chain.tail_ == nullptr || chain.tail_count_ == capacity_) [[unlikely]] {
            make_room(chain);
        }
        ++chain.size_;
        return chain.tail_ + record_bytes_ * chain.tail_count_++;
    }

    /// Removes all records of a chain.
    void clear(RecordChain& chain) noexcept {
        for (const auto& block : chain.blocks_) {
            file_.give_back(block.number);
        }
        chain.blocks_.clear();
        drop_tail(chain);
        chain.size_ = 0;
    }

    /// Goes through the records of a chain, from a record on. To the chain nothing must be added meanwhile.
    class Reader {
    public:
        explicit Reader(const RecordChains& chains)
            : chains_(&chains),
              room_(chains.file_.block_bytes(), '\0', BudgetAllocator<char>(*chains.budget_)) {}

        /// Begins with the record of this number.
        void begin(const RecordChain& chain, std::uint64_t from = 0) {
            chain_ = &chain;
            block_ = 0;
            while (block_ < chain.blocks_.size() && from >= chain.blocks_[block_].count) {
                from -= chain.blocks_[block_++].count;
            }
            skipped_ = static_cast<std::uint32_t>(from);
            for (std::size_t i = block_; i < (std::min)(block_ + read_ahead, chain.blocks_.size()); ++i) {
                chains_->file_.expect(chain.blocks_[i].number);
            }
        }

        /// The next records, side by side, and how many; none at the end. They are there until the next call.
        std::pair<const char*, std::uint32_t> next() {
            const std::uint32_t skipped = std::exchange(skipped_, 0);
            const std::size_t bytes_skipped = skipped * chains_->record_bytes_;
            if (block_ < chain_->blocks_.size()) {
                if (block_ + read_ahead < chain_->blocks_.size()) {
                    chains_->file_.expect(chain_->blocks_[block_ + read_ahead].number);
                }
                const auto [number, count] = chain_->blocks_[block_++];
                chains_->file_.read(number, room_.data(), count * chains_->record_bytes_);
                return {room_.data() + bytes_skipped, count - skipped};
            }
            if (block_++ > chain_->blocks_.size() || chain_->tail_count_ <= skipped) {
                return {nullptr, 0};
            }
            const std::uint32_t count = chain_->tail_count_ - skipped;
            std::memcpy(room_.data(), chain_->tail_ + bytes_skipped, count * chains_->record_bytes_);
            return {room_.data(), count};
        }

    private:
        static constexpr std::size_t read_ahead = 8; // blocks

        const RecordChains* chains_;
        const RecordChain* chain_ = nullptr;
        std::size_t block_ = 0;     // the next one
        std::uint32_t skipped_ = 0; // records at its beginning
        std::vector<char, BudgetAllocator<char>> room_;
    };

private:
    NPUZZLE_NOINLINE void make_room(RecordChain& chain) {
        if (chain.tail_ != nullptr) {
            write_tail(chain);
            return;
        }
        if (tails_.size() == tails_.capacity()) {
            tails_.reserve(2 * tails_.size() + 16);
        }
        spare_.reserve(tails_.capacity()); // so that to drop a tail needs no memory
        chain.tail_ = take_block();
        chain.tail_number_ = tails_.size();
        tails_.push_back(&chain);
    }

    char* take_block() {
        if (tails_.size() >= max_tails_) {
            write_tails();
        }
        if (spare_.empty()) {
            return static_cast<char*>(budget_->allocate(file_.block_bytes(), 1, alignment));
        }
        char* const block = spare_.back();
        spare_.pop_back();
        return block;
    }

    void write_tails() {
        while (!tails_.empty()) {
            RecordChain& chain = *tails_.back();
            write_tail(chain);
            drop_tail(chain);
        }
    }

    void write_tail(RecordChain& chain) {
        if (chain.tail_count_ == 0) {
            return;
        }
        if (chain.blocks_.size() == chain.blocks_.capacity()) {
            chain.blocks_.reserve(2 * chain.blocks_.size() + 1);
        }
        chain.blocks_.push_back(
            {file_.write(chain.tail_, chain.tail_count_ * record_bytes_), chain.tail_count_});
        chain.tail_count_ = 0;
    }

    void drop_tail(RecordChain& chain) noexcept {
        if (chain.tail_ != nullptr) {
            spare_.push_back(std::exchange(chain.tail_, nullptr));
            chain.tail_count_ = 0;
            tails_.back()->tail_number_ = chain.tail_number_;
            tails_[chain.tail_number_] = tails_.back();
            tails_.pop_back();
        }
    }

    void free(char* block) noexcept { budget_->deallocate(block, file_.block_bytes(), alignment); }

    static constexpr std::size_t alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

    std::size_t record_bytes_;
    std::uint32_t capacity_; // records of a block
    std::uint64_t max_tails_;
    MemoryBudget* budget_;
    SpillFile file_;
    std::vector<RecordChain*, BudgetAllocator<RecordChain*>> tails_; // chains with a tail
    std::vector<char*, BudgetAllocator<char*>> spare_;               // blocks that no chain has
};

} // namespace npuzzle::detail

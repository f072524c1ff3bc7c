#pragma once

#include "npuzzle/search/parallel/kernel/parallel_ida_star_options.hpp"

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace npuzzle::detail {

/// A unit of work of a divided iteration: a subtree, and, when it is done, what was counted in it.
template <class Position, class Evaluation, class Bound>
struct IdaStarUnit {
    Position position;
    Evaluation evaluation;
    Bound bound{};
    std::uint64_t expanded = 0;
    std::uint64_t generated = 0;
    std::uint64_t contract_violations = 0;
    bool is_done = false;

    /// \throws std::invalid_argument if the bound is not made of plain numbers
    [[nodiscard]] UnitRecord record(std::uint64_t iteration, std::uint64_t units,
                                    std::uint64_t number) const {
        UnitRecord result{iteration, units, number, expanded, generated, contract_violations};
        copy_bound(result.bound, bound);
        return result;
    }

    /// \throws std::runtime_error if the record is of an iteration that was divided otherwise
    void restore(const UnitRecord& record, std::uint64_t units) {
        if (record.units != units) {
            throw std::runtime_error(
                "the journal is of another search: iteration " + std::to_string(record.iteration) + " has " +
                std::to_string(record.units) + " units there, and " + std::to_string(units) + " here");
        }
        expanded = record.expanded;
        generated = record.generated;
        contract_violations = record.contract_violations;
        copy_bound(bound, record.bound);
        is_done = true;
    }

private:
    template <class To, class From>
    static void copy_bound(To& to, const From& from) {
        if constexpr (std::is_trivially_copyable_v<Bound> && sizeof(Bound) <= sizeof(UnitRecord::bound)) {
            std::memcpy(static_cast<void*>(&to), &from, sizeof(Bound));
        } else {
            throw std::invalid_argument("a journal keeps only costs that are plain numbers");
        }
    }
};

} // namespace npuzzle::detail

// What the actions of `pdb` share.
#pragma once

#include <npuzzle/puzzle/pattern_database/pattern.hpp>
#include <npuzzle/puzzle/pattern_database/table.hpp>

#include "options.hpp"

#include <string>

namespace program {

// A partition by its name or drawing, for boards of its size. Throws std::invalid_argument if there is none.
npuzzle::Partition partition_of(const std::string& name, const std::string& goal);

// The kind of its tables: what was asked for, or what `solve` uses for boards of its size.
npuzzle::TableKind kind_of(const npuzzle::Partition& partition, const PdbOptions& options);

// The actions on files of tables that need not read them. Each returns the exit status.
int list_tables(const PdbOptions& options);
int list_partitions(const PdbOptions& options);
int remove_tables(const PdbOptions& options);

} // namespace program

#!/usr/bin/env bash
# As for compilers that have neither the built-in functions of GCC nor integers of 128 bits, such as Microsoft's.
. "${BASH_SOURCE[0]%/*}/support.sh"

compile_and_run searches "$compiler" -DNPUZZLE_HAS_BUILTINS=0 -pthread
compile_and_run puzzles "$compiler" -DNPUZZLE_HAS_BUILTINS=0 -DNPUZZLE_HAS_INT128=0 -pthread

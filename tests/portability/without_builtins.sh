#!/usr/bin/env bash
# As for compilers that do not have the built-in functions of GCC.
. "${BASH_SOURCE[0]%/*}/support.sh"

compile_and_run searches "$compiler" -DNPUZZLE_HAS_BUILTINS=0 -pthread

# Sourced by the tests of this folder, which are called with: COMPILER BOOST_INCLUDE_DIRECTORY WORK_DIRECTORY, in the root of the
# project.
set -euo pipefail
export LC_ALL=C
compiler=$1 boost=$2 work=$3
programs=tests/portability
rm -rf "$work"
mkdir -p "$work"

skip() { # REASON
    echo "skipped: $*"
    exit 77
}

fail() { # REASON
    echo "failed: $*"
    exit 1
}

common=(-std=c++20 -Iinclude -O0 -Wall -Wextra -Werror)

# compile_and_run PROGRAM COMMAND...: compiles one of the programs here by a command, and runs it.
compile_and_run() {
    local program=$1
    shift
    "$@" "${common[@]}" "$programs/$program.cpp" -o "$work/$program"
    "$work/$program" || fail "$program, compiled by $*"
}

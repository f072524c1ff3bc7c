# What the tests of the program share. The first argument of a test is the program; it runs in the root of the project.
set -uo pipefail

npuzzle=$1
[[ -x $npuzzle ]] || { echo "FAILED: there is no program $npuzzle" && exit 1; }
puzzles=examples/puzzles
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NPUZZLE_CACHE=$work/cache # no tables but those that a test builds
failures=0

fail() {
    echo "FAILED: npuzzle $arguments: $1"
    echo "  status $status, standard output:" && head -n 20 <<<"$out"
    echo "  standard error:" && head -n 20 <<<"$err"
    failures=$((failures + 1))
}

# ends STATUS ARGUMENT...: runs the program, with what $input names on its standard input. $before is a file with what the
# run before printed.
before=$work/before
ends() {
    local expected=$1
    shift
    arguments=$*
    [[ ! -e $work/out ]] || mv "$work/out" "$before"
    "$npuzzle" "$@" <"${input:-/dev/null}" >"$work/out" 2>"$work/err"
    status=$?
    out=$(<"$work/out")
    err=$(<"$work/err")
    ((status == expected)) || fail "should end with status $expected"
}

# faulty PLAN ARGUMENT...: runs the program with a fault (see faults/preload.cpp). $hit is yes if the call came.
faulty() {
    arguments="${*:2} (with the fault $1)"
    rm -f "$work/hit"
    NPUZZLE_FAULT=$1 NPUZZLE_FAULT_HIT=$work/hit LD_PRELOAD=$NPUZZLE_FAULTS \
        "$npuzzle" "${@:2}" <"${input:-/dev/null}" >"$work/out" 2>"$work/err"
    status=$?
    out=$(<"$work/out")
    err=$(<"$work/err")
    [[ -e $work/hit ]] && hit=yes || hit=no
}

# Whether faults reach the program.
has_faults() {
    [[ -e ${NPUZZLE_FAULTS:-} ]] && faulty any:1:dies random --seed 1 -o "$work/probe" && [[ $hit == yes ]]
}

# moment SECONDS: as many seconds, and more where the program takes long to start, as on a busy machine.
moment() {
    local begun=${EPOCHREALTIME/./}
    "$npuzzle" --version >/dev/null
    awk -v least="$1" -v taken=$((${EPOCHREALTIME/./} - begun)) 'BEGIN { print least + 8 * taken / 1e6 }'
}

# solves ARGUMENT...: as `ends`, with status 0 and nothing on standard error.
solves() {
    ends 0 "$@"
    [[ -z $err ]] || fail "should say nothing on standard error"
}

# fails STATUS TEXT ARGUMENT...: the same with one line on standard error that holds the text, and nothing else.
fails() {
    local expected=$1 text=$2
    shift 2
    ends "$expected" "$@"
    complains "$text"
    [[ -z $out ]] || fail "should print nothing"
}

complains() {
    [[ $err == "npuzzle: "*"$1"* && $err != *$'\n'* ]] || fail "should complain, in one line, of: $1"
}

prints() { [[ $out == "$1" ]] || fail "should print: $1"; }
holds() { [[ $out == *"$1"* ]] || fail "should print this somewhere: $1"; }
matches() { [[ $out =~ $1 ]] || fail "should print what matches: $1"; }
tells() { [[ $err == *"$1"* ]] || fail "should tell on standard error: $1"; }

# Whether there are pseudo-terminals, and what opens them: a container may have none. $python is it: what is called python3 may
# be a script that looks for it, which takes long.
has_terminals() { python=$(python3 -c 'import pty, sys; pty.openpty(); print(sys.executable)' 2>/dev/null); }

# skip WHY: the status is what CTest counts as skipped.
skip() {
    echo "skipped: $1"
    exit 77
}

finish() {
    ((failures == 0)) || echo "$failures failures"
    exit $((failures > 0))
}

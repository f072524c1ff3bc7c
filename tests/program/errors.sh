# What goes wrong ends with one clear line and the right status.
source tests/program/support.sh

four=$puzzles/puzzle3x3-04.txt

# The command line.
fails 2 "a command is missing"
fails 2 "there is no command sovle (npuzzle --help" sovle "$four"
fails 2 "there is no command $four (" "$four"
fails 2 "there is no option --bogus (npuzzle --help" --bogus
fails 2 "there is no option --bogus (npuzzle solve --help" solve "$four" --bogus
fails 2 "there is no option --bogus" solve --bogus
fails 2 "4 is one argument too many (npuzzle random --help" random 4
fails 2 "$four is one argument too many" info "$four" "$four"
fails 2 "FILE is required" solve
fails 2 "FILE is required" check
fails 2 "FILE is required" info
fails 2 '"dfs" is none of auto|astar|' solve "$four" --algorithm dfs
for arguments in "solve $four --output" "solve" "solve $four --goal" "solve $four --heuristic" "solve $four --format" \
    "solve $four --spill" "solve $four --checkpoint" "solve $four --memory-limit" "check" "info" \
    "random --output" "trace $four --output" "compare $four --heuristics" \
    "pdb build" "pdb info" "pdb verify" "pdb verify 4-4 --folder"; do
    fails 2 ": the text is empty" $arguments ""
done
fails 2 '"text|moves" is none of text|' solve "$four" --format "text|moves"
fails 2 "--weight" solve "$four" --weight 0.5
fails 2 "--weight" solve "$four" --weight nan
fails 2 "--weight" solve "$four" --weight 1e999
fails 2 "--weight" solve "$four" --weight two
for algorithm in auto astar ida bidirectional greedy beam constructive; do
    fails 2 "--weight goes with" solve "$four" --weight 2 --algorithm $algorithm
done
fails 2 "--weight goes with" solve "$four" --weight 2 --all
fails 2 "--tables" solve "$four" --tables maybe
fails 2 '--time-limit: "5y" is no number, alone or with one of s, ms, m, h' solve "$four" --time-limit 5y
fails 2 "--time-limit" solve "$four" --time-limit -1s
fails 2 "--memory-limit" solve "$four" --memory-limit 5TB
fails 2 "--expansion-limit" solve "$four" --expansion-limit 99999999999999999999999
fails 2 "--expansion-limit" solve "$four" --expansion-limit=-1
fails 2 "--threads" solve "$four" --threads 1000000
fails 2 "--size" random --size 1
fails 2 "--size" random --size 99999999999999999999999
fails 2 "--count" random --count many
fails 2 "--seed" random --seed 0x10
fails 2 "--moves" random --moves=-1
fails 2 "--optimal-length" random --optimal-length 1.5
fails 2 "--output needs a value, FILE" solve "$four" --output
fails 2 "--format needs a value, text|" solve "$four" --format=
fails 2 'no heuristic ""' compare "$four" --heuristics manhattan,

# Files.
for command in solve info; do
    fails 2 "missing.txt: No such file or directory" $command missing.txt
    fails 2 "examples: Is a directory" $command examples
    fails 2 "expected the size of the board" $command "$npuzzle"
    fails 2 "expected the size of the board" $command /dev/null
    input=/dev/null fails 2 "standard input:1:1: " $command -
    printf '99999999999999999999\n' >"$work/huge.txt"
    fails 2 "expected the size of the board" $command "$work/huge.txt"
    printf '30000\n1 2 3\n' >"$work/short.txt"
    fails 2 "short.txt:3:1: " $command "$work/short.txt"
    printf '3\n1 2 3 4 5 6 7 8 99999999999999999999' >"$work/tile.txt"
    fails 2 "tile.txt:2:17: " $command "$work/tile.txt"
done
ends 2 check missing.txt
complains "missing.txt: No such file or directory"
fails 2 "missing.txt: No such file or directory" solve "$four" --goal missing.txt
fails 2 "missing.txt: No such file or directory" random --goal missing.txt
cp "$four" "$work/unreadable.txt"
chmod a-r "$work/unreadable.txt"
if [[ ! -r $work/unreadable.txt ]]; then # root reads everything
    fails 2 "unreadable.txt: Permission denied" solve "$work/unreadable.txt"
fi

# Where the answer goes.
fails 2 "missing/answer: No such file or directory" solve "$four" --output missing/answer
fails 2 "examples: Is a directory" random --output examples
if [[ -e /dev/full ]]; then
    fails 2 "/dev/full: No space left on device" solve "$four" --output /dev/full
    fails 2 "/dev/full: No space left on device" random --size 300 --output /dev/full
    for command in "solve $four" "check $four" "info $four" random --help --version "solve --help"; do
        arguments=$command out=
        "$npuzzle" $command >/dev/full 2>"$work/err"
        status=$?
        err=$(<"$work/err")
        ((status == 2)) || fail "should end with status 2"
        complains "standard output: No space left on device"
    done
fi
for count in 1 100; do # one that fits a pipe, and one that does not
    arguments="random --size 100 --count $count | head -n 1"
    out=$("$npuzzle" random --size 100 --count $count --seed 1 2>"$work/err" | head -n 1; echo "${PIPESTATUS[0]}")
    status=${out##*$'\n'}
    err=$(<"$work/err")
    [[ $out == "# seed 1, board 1 of $count"$'\n'[02] ]] || fail "should print a line and end with status 0 or 2"
    ((status == 0)) || complains "standard output: Broken pipe"
done
((status == 2)) || fail "should see that the pipe is closed"

# Where messages cannot be written, the work is done and the status is the same.
closed() { # STATUS ARGUMENT...
    local expected=$1 said
    shift
    for said in closed full; do
        [[ $said == closed || -e /dev/full ]] || continue
        arguments="$*, standard error $said"
        if [[ $said == closed ]]; then
            "$npuzzle" "$@" >"$work/out" 2>&-
        else
            "$npuzzle" "$@" >"$work/out" 2>/dev/full
        fi
        status=$?
        out=$(<"$work/out") err=
        ((status == expected)) || fail "should end with status $expected"
    done
}
closed 2 solve
closed 2 solve missing.txt
closed 2 check missing.txt
closed 3 solve $puzzles/puzzle4x4-45.txt --algorithm astar --expansion-limit 10
closed 0 solve "$four" --stats --format moves
prints "right down right down"

finish

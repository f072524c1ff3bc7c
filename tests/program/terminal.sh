# Ctrl-C, and what is different on a terminal.
source tests/program/support.sh

# Ctrl-C ends the search with what is known; a random 24-puzzle takes days with Manhattan.
solves random --size 5 --seed 1 --output "$work/hard.txt"
hard="solve $work/hard.txt --algorithm ida --heuristic manhattan"
arguments="$hard, then Ctrl-C"
timeout --preserve-status -s INT "$(moment 0.7)" "$npuzzle" $hard --stats >"$work/out" 2>"$work/err"
status=$?
out=$(<"$work/out")
err=$(<"$work/err")
((status == 3)) || fail "should end with status 3"
[[ $err == "npuzzle: $work/hard.txt: no solution found: cancelled after "[0-9]*" expansions; it needs "[7-9]?" moves or more
$work/hard.txt: cancelled by ida with manhattan: expanded "* ]] || fail "should say what it did"
timeout --preserve-status -s INT "$(moment 0.7)" "$npuzzle" pdb build 6-6-6-6 --additive --threads 1 >"$work/out" 2>"$work/err"
status=$?
arguments="pdb build 6-6-6-6, then Ctrl-C" out=$(<"$work/out") err=$(<"$work/err")
((status == 3)) || fail "should end with status 3"
complains "cancelled"

# So does SIGTERM, by which `timeout` and a shutdown end programs.
timeout --preserve-status "$(moment 0.7)" "$npuzzle" $hard >"$work/out" 2>"$work/err"
status=$?
arguments="$hard, then SIGTERM" out=$(<"$work/out") err=$(<"$work/err")
((status == 3)) || fail "should end with status 3"
complains "no solution found: cancelled"

# No line of progress and no color in pipes.
cp $puzzles/puzzle3x3-04.txt "$work/puzzle3x3-05.txt"
ends 3 $hard --time-limit 700ms
[[ $err != *$'\r'* ]] || fail "should show no progress"
ends 1 check --expect-from-name "$work/puzzle3x3-05.txt"
[[ $out != *$'\e'* ]] || fail "should have no colors"

# Both on a terminal.
has_terminals && command -v script >/dev/null || finish
on_terminal() { # ARGUMENT...
    arguments="$* on a terminal" err=
    out=$(script -qec "'$npuzzle' $*" /dev/null </dev/null)
    status=$?
}
export TERM=xterm
unset NO_COLOR
on_terminal $hard --time-limit 800ms
((status == 3)) || fail "should end with status 3"
matches $'\r\e\\[Kida: threshold [0-9]+, [0-9]+ [kM] expanded, 1 s'
# The solver's own choice tells what is known as well.
on_terminal solve "$work/hard.txt" --tables never --time-limit 3s
((status == 4)) || fail "should end with status 4"
matches $'best [0-9]+, at least [0-9]+; it ends after 3 s; Ctrl-C prints the best\r\n'
matches $'\r\e\\[Kbest [0-9]+, at least [0-9]+; f [0-9]+, [0-9]+ [kM]? ?nodes/s, [0-9]+ MB, [0-9]+ s of 3 s'
matches $'\r\e\\[KNumber of moves = [0-9]+; no solution has fewer than [0-9]+'
# Twice as long as the growth of a large table takes, within which no line is written.
on_terminal solve $puzzles/puzzle5x5-62.txt --algorithm astar --heuristic hamming --time-limit 2s
matches $'\r\e\\[Kastar: f [0-9]+, [0-9]+ [kM]? ?expanded, [0-9]+ [kM] open, [0-9]+ MB, [12] s'
on_terminal check --expect-from-name "$work/puzzle3x3-05.txt"
((status == 1)) || fail "should end with status 1"
holds $'\e[31mbut its name says 5\e[0m'
export NO_COLOR=1
on_terminal check --expect-from-name "$work/puzzle3x3-05.txt"
[[ $out != *$'\e[31m'* ]] || fail "should have no colors"

# The line of progress makes way for what is said, and is gone at the end.
typed() { # ARGUMENT..., with the steps on standard input
    arguments="$* in a terminal"
    out=$("$python" tests/program/pseudo_terminal.py 24 80 "$npuzzle" "$@" 2>"$work/err")
    status=$? err=$(<"$work/err")
    ((status == 3)) || fail "should end with status 3"
}
typed pdb build 6-6-6-6 --additive --threads 1 < <(printf '%s\n' 'sees -] 0 %; building additive 5x5' 'sees %' 'types \x03')
matches $'%(, [0-9]+ s left)?; building additive [^\r]*\r\e\\[Knpuzzle: cancelled\r?$'
NPUZZLE_CACHE=$work/tables arguments="solve, while tables are built" out=$(NPUZZLE_CACHE=$work/tables "$python" \
    tests/program/pseudo_terminal.py 24 60 "$npuzzle" solve "$work/hard.txt" 2>"$work/err" \
    < <(printf '%s\n' 'sees best ' 'sees building tables [' 'types \x03'))
status=$? err=$(<"$work/err")
((status == 4)) || fail "should end with status 4"
holds "Number of moves = "
[[ $(tr '\r' '\n' <<<"$out" | grep "building" | sed $'s/\e\\[K//; s/\\^C//' | awk 'length > most { most = length } END { print most }') -le 59 ]] ||
    fail "should fit the line in the window"
# Within two seconds, a line that stays says what is known and what to expect. Ctrl-C prints the best.
for program in "$npuzzle solve" "${npuzzle%/*}/../table_solver"; do
    [[ -x ${program% solve} ]] || continue
    arguments="$program, of a random 5 x 5 in a terminal"
    out=$("$python" tests/program/pseudo_terminal.py 24 80 $program "$work/hard.txt" 2>"$work/err" \
        < <(printf '%s\n' 'sees the shortest may take hours; Ctrl-C prints the best\r\n' 'waits 0.5' 'types \x03'))
    status=$? err=$(<"$work/err")
    ((status == 4)) || fail "should end with status 4"
    matches $'best [0-9]+, at least [0-9]+; the shortest may take hours; Ctrl-C prints the best\r\n'
    [[ ! ${out%%the shortest*} =~ \ ([3-9]|[0-9]{2,})\ s ]] || fail "should say so within two seconds"
    matches $'\r\e\\[K(npuzzle: [^\r]*\r\n)?Number of moves = [0-9]+; no solution has fewer than [0-9]+\r\n'
    [[ $(tr '\r' '\n' <<<"$out" | grep "best [0-9]" | sed $'s/\e\\[K//; s/\\^C//' | awk 'length > most { most = length } END { print most }') -lt 80 ]] ||
        fail "should fit in the window"
done
typed random --size 100 --count 100000000 --output /dev/null < <(printf '%s\n' 'sees of 100000000; [' 'types \x03')
matches $'\r\e\\[K[0-9]+ of 100000000; \\[-{20}\\] 0 %, [0-9]+ s left'
# Of several boards: how many are done, before what the search of one of them tells; and what Ctrl-C left out.
for part in "random --size 3 --count 3 --seed 1" "random --size 5 --seed 1" "random --size 3 --count 3 --seed 2"; do
    solves $part && cat "$work/out" >>"$work/several.txt"
done
for command in "solve --quiet" solve check; do
    arguments="$command, of which one board is hard"
    out=$("$python" tests/program/pseudo_terminal.py 24 80 "$npuzzle" $command "$work/several.txt" -a ida -H manhattan \
        2>"$work/err" < <([[ $command == *quiet ]] && printf '%s\n' 'waits 0.5' 'types \x03' ||
            printf '%s\n' 'sees 3 of 7; ida: threshold' 'types \x03'))
    status=$? err=$(<"$work/err")
    ((status == 3)) || fail "should end with status 3"
    if [[ $command == *quiet ]]; then
        [[ $out == "^C" || -z $out ]] || fail "should be quiet"
    else
        holds "npuzzle: cancelled: 3 of 7 boards were left out, $work/several.txt#5 and what follows"
        matches "4 boards in [0-9.]+ s: 3 solved, 1 without a result"
    fi
done
typed compare $puzzles/puzzle4x4-45.txt -a ida --heuristics hamming,manhattan \
    < <(printf '%s\n' 'sees 0 of 2; ida: threshold' 'types \x03')
holds "npuzzle: cancelled: 1 of 2 searches were left out, $puzzles/puzzle4x4-45.txt by manhattan and what follows"
typed $hard < <(printf '%s\n' 'sees threshold' 'types \x03')
matches $' s(\\^C)?\r\e\\[Knpuzzle: [^\r]*cancelled after [^\r]*\r?$'

finish

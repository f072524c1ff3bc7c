# The program npuzzle-mpi, as mpirun starts it. $1 is the program, $2 mpirun, $3 the program npuzzle.
set -uo pipefail
program=$1
mpirun=$2
npuzzle=$3
puzzles=examples/puzzles
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    echo "FAILED: $arguments: $1"
    echo "  status $status, standard output:" && head -n 5 "$work/out"
    echo "  standard error:" && head -n 10 "$work/err"
    failures=$((failures + 1))
}

ends() { # STATUS PROCESSES ARGUMENT...
    arguments=${*:2}
    timeout 60 "$mpirun" -n "$2" "$program" "${@:3}" </dev/null >"$work/out" 2>"$work/err"
    status=$?
    ((status == $1)) || fail "should end with status $1"
}
says() { grep -qF -- "$1" "$work/err" || fail "should say: $1"; }
says_once() { [[ $(grep -cF -- "$1" "$work/err") == 1 ]] || fail "should say once: $1"; }
answers() { grep -qxF -- "$1" "$work/out" || fail "should print the line: $1"; }

# Some 78 moves: a search takes minutes or more.
printf '4\n14 15 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n' >"$work/hard.txt"

for algorithm in astar ida; do
    ends 0 2 solve $puzzles/puzzle3x3-31.txt --algorithm $algorithm --stats
    answers "Minimum number of moves = 31"
    [[ $(grep -cx 3 "$work/out") == 32 ]] || fail "should print 32 boards, once"
    says_once "solved by $algorithm with linear-conflict on 2 processes"
done
ends 0 3 solve $puzzles/puzzle4x4-40.txt --heuristic manhattan --threads 2
answers "Minimum number of moves = 40"
ends 2 2 solve $puzzles/puzzle2x2-unsolvable1.txt --algorithm ida
says_once "boards of 3, 4 and 5"
ends 1 2 solve $puzzles/puzzle3x3-unsolvable1.txt
answers "No solution possible"
ends 2 2 solve "$work/nothing.txt"
says_once "nothing.txt"
ends 2 2 solve $puzzles/puzzle3x3-31.txt --algorithm dijkstra
says_once "--algorithm"
ends 3 2 solve "$work/hard.txt" --memory-limit 20
says_once "no solution found: memory_limit"

# IDA* goes on by its journal, with any number of processes and threads, and with that of the program npuzzle.
board=$puzzles/puzzle4x4-40.txt
file=$work/journal
counts() { sed -nE 's/.*(expanded [0-9]+, generated [0-9]+), .*/\1/p' "$work/err" | head -n 1; }
ends 0 2 solve $board --algorithm ida --heuristic manhattan --stats
expected=$(counts)
[[ -n $expected ]] || fail "should count"
for run in "2 1" "1 2" "3 2"; do
    # shellcheck disable=SC2086
    set -- $run
    ends 0 $1 solve $board -a ida -H manhattan --threads $2 --checkpoint "$file" --stats
    [[ $(counts) == "$expected" ]] || fail "should count $expected"
done
cp "$file" "$work/saved"
# On one thread, which begins no unit behind that with the goal.
"$npuzzle" solve $board -a ida -H manhattan --checkpoint "$file" >"$work/out" 2>"$work/err" || fail "npuzzle should go on"
cmp -s "$file" "$work/saved" || fail "npuzzle should find nothing left to do"
"$npuzzle" solve $board -a ida -H manhattan --threads 2 --checkpoint "$work/other" >"$work/out" 2>"$work/err" || fail "npuzzle should begin"
ends 0 2 solve $board -a ida -H manhattan --checkpoint "$work/other" --stats
[[ $(counts) == "$expected" ]] || fail "should count $expected"
ends 2 2 solve $board -a ida -H linear-conflict --checkpoint "$file"
says_once "the journal $file is of another search: its key"
ends 2 2 solve $puzzles/puzzle4x4-45.txt -a ida -H manhattan --checkpoint "$file"
says_once "the journal $file is of another search: its search"
ends 2 2 solve $board -a astar --checkpoint "$file"
says_once "--checkpoint"
ends 3 2 solve "$work/hard.txt" -a ida --checkpoint "$work/hard" --time-limit 1
says_once "--checkpoint $work/hard goes on"

# A process that dies ends the job within seconds, with a line that says so.
arguments="a killed process"
timeout 60 "$mpirun" -n 2 "$program" solve "$work/hard.txt" --algorithm ida --heuristic manhattan \
    </dev/null >"$work/out" 2>"$work/err" &
job=$!
for ((i = 0; i < 100; ++i)); do
    victim=$(pgrep -f "^$program solve" | tail -n 1)
    [[ -z $victim ]] || break
    sleep 0.1
done
sleep 1
begin=$SECONDS
kill -KILL "$victim"
wait $job
status=$?
((status != 0 && status != 124)) || fail "should fail"
((SECONDS - begin < 10)) || fail "should end within seconds"
says_once "signal 9"

((failures == 0))

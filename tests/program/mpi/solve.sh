# The program npuzzle-mpi, as mpirun starts it. $1 is the program, $2 mpirun.
set -uo pipefail
program=$1
mpirun=$2
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

# The short program examples/solver.cpp, and examples/table_solver.cpp, which scripts/solve runs.
source tests/program/support.sh

npuzzle=${npuzzle%/*}/../solver
[[ -x $npuzzle ]] || skip "there is no $npuzzle"

four=$puzzles/puzzle3x3-04.txt
solves --help
matches "^usage: solver "
solves -h "$four"
matches "^usage: solver "
solves "$four"
matches "^Minimum number of moves = 4"$'\n'
ends 0 "$four" $puzzles/puzzle2x2-unsolvable1.txt
matches "^$four:"$'\n'"Minimum number of moves = 4"$'\n'
holds $'\n'"$puzzles/puzzle2x2-unsolvable1.txt:"$'\nNo solution possible'
printf '3\n3 2 6\n1 4 0\n8 7 5\n' >"$work/spiral.txt"
ends 0 "$work/spiral.txt"
prints "No solution possible"
tells "it has one to another goal: npuzzle solve --goal spiral"
ends 2 ""
[[ $err == "a file without a name: No such file or directory" ]] || fail "should say that the name is empty"
input=$four solves
matches "^Minimum number of moves = 4"$'\n'
ends 2 $'missing\e\n.txt'
[[ $err == 'missing\x1b\x0a.txt: No such file or directory' ]] || fail "should show no control character"

npuzzle=${npuzzle%/*}/table_solver
[[ -x $npuzzle ]] || finish
solves --help
matches "^usage: table_solver "
solves "$four"
matches "^Minimum number of moves = 4"$'\n'
[[ $(wc -l <"$work/out") == 26 ]] || fail "should print five boards"
ends 2 "$four" --time-limit
ends 2 "$four" --time-limit 1x
ends 0 "$work/spiral.txt"
tells "it has one to another goal: npuzzle solve --goal spiral"
ends 2 ""
[[ $err == "a file without a name: No such file or directory" ]] || fail "should say that the name is empty"
# A random 6 x 6 puzzle.
printf '6 31 7 17 12 20 9 1 33 11 25 6 2 22 14 3 28 0 35 5 30 16 8 26 10 27 19 4 34 13 32 15 29 21 24 18 23' >"$work/six.txt"
is_bounded() {
    [[ $out =~ ^Number\ of\ moves\ =\ ([0-9]+)\;\ no\ solution\ has\ fewer\ than\ ([0-9]+)$'\n' ]] || fail "should tell both bounds"
    ((BASH_REMATCH[2] > 0 && BASH_REMATCH[2] < BASH_REMATCH[1])) || fail "should tell bounds that differ"
    [[ $(tail -n 7 "$work/out" | tr -s ' \n' ' ') == " 1 2 "*" 35 0 " ]] || fail "should end at the goal"
    [[ $err == "$work/six.txt: ended by $1 after "* && $err != *$'\r'* && $err != *$'\n'* ]] || fail "should say what ended it"
}
ends 4 "$work/six.txt" "$four" --time-limit 0
holds "Minimum number of moves = 4"
ends 4 "$work/six.txt" --time-limit 1
is_bounded time_limit
for option in "" --optimal; do
    arguments="six.txt $option, then Ctrl-C"
    timeout --foreground --preserve-status -s INT 0.5 "$npuzzle" "$work/six.txt" $option >"$work/out" 2>"$work/err"
    status=$? out=$(<"$work/out") err=$(<"$work/err")
    ((status == 4)) || fail "should end with status 4"
    is_bounded cancelled
done
has_terminals && command -v script >/dev/null || finish
arguments="six.txt on a terminal"
out=$(script -qec "'$npuzzle' $work/six.txt --time-limit 3" /dev/null </dev/null)
matches $'\r\e\\[Kbest [0-9]+, at least [0-9]+; f [0-9]+, [0-9]+ k nodes/s, [0-9]+ MB, [0-9]+ s'
matches $'\r\e\\[K(.*)Number of moves = [0-9]+; no solution has fewer than [0-9]+'

finish

# examples/table_solver.cpp, which scripts/solve runs, and the short examples/solver.cpp: they end as `npuzzle solve` does.
source tests/program/support.sh

examples=${npuzzle%/*}/..
[[ -x $examples/solver && -x $examples/table_solver ]] || skip "there is no solver in $examples"
four=$puzzles/puzzle3x3-04.txt
unsolvable=$puzzles/puzzle2x2-unsolvable1.txt
some=$(moment 1)
mkfifo "$work/silent"
printf '[[0, 1, 3], [4, 2, 5], [7, 8, 6]]' >"$work/list.txt"
printf '3\n3 2 6\n1 4 0\n8 7 5\n' >"$work/spiral.txt"
printf '2 1 2 3 0 2 1 2 0 3' >"$work/two.txt"
printf '1 2 3\n4 5 0\n' >"$work/rectangle.txt"
printf '6 31 7 17 12 20 9 1 33 11 25 6 2 22 14 3 28 0 35 5 30 16 8 26 10 27 19 4 34 13 32 15 29 21 24 18 23' >"$work/six.txt"
"$npuzzle" random --size 2000 --seed 1 --output "$work/huge.txt"

# alike STATUS ARGUMENT...: each of $programs, run by $under, ends with that status.
both=("$npuzzle solve" "$examples/table_solver")
all=("${both[@]}" "$examples/solver")
under=()
alike() {
    local expected=$1 program
    shift
    for program in "${programs[@]}"; do
        arguments="$* by $program"
        "${under[@]}" $program "$@" <"${input:-/dev/null}" >"$work/out" 2>"$work/err"
        status=$? out=$(<"$work/out") err=$(<"$work/err")
        ((status == expected)) || fail "should end with status $expected"
    done
}
programs=("${all[@]}")
alike 0 "$four" "$work/list.txt"
input=$work/list.txt alike 0 -
alike 0 --help
alike 1 "$four" "$unsolvable" "$four"
alike 1 "$work/spiral.txt"
tells "there is a solution to another goal, by the program npuzzle: npuzzle solve --goal spiral"
for file in missing.txt "" examples /dev/null "$work/rectangle.txt" $'missing\e\n.txt'; do
    alike 2 "$file"
    alike 2 "$unsolvable" "$file" "$four"
    [[ $out == *"Minimum number of moves = 4"* ]] || fail "should solve the others"
    [[ $err != *$'\e'* ]] || fail "should show no control character"
done
programs=("${both[@]}")
alike 0 "$work/two.txt"
alike 4 "$unsolvable" "$work/six.txt" "$four" --time-limit 0
alike 2 "$work/six.txt" missing.txt --time-limit 0
for arguments in --bogus --time-limit "--time-limit 1x" "--time-limit -1"; do alike 2 "$four" $arguments; done
into_full() { "$@" >/dev/full; }
under=(into_full)
[[ ! -e /dev/full ]] || alike 2 "$unsolvable"
programs=("${all[@]}")
[[ ! -e /dev/full ]] || alike 2 "$four"
under=()
# Out of memory.
within() { (ulimit -v 80000 && "$@"); }
if within "$npuzzle" --version >/dev/null 2>&1; then
    programs=("${all[@]}")
    under=(within)
    alike 3 "$four" "$work/huge.txt" "$unsolvable"
fi
# Interrupted: while it reads, with a solution, and before all boards were begun.
programs=("${both[@]}")
for signal in INT TERM; do
    under=(timeout --foreground --preserve-status -k 20 -s $signal "$some")
    exec 5<>"$work/silent"
    input=$work/silent alike 3 -
    exec 5>&-
    alike 4 "$work/six.txt" --optimal
    alike 3 "$work/six.txt" "$four" --optimal
    alike 2 "$work/six.txt" missing.txt --optimal
done
under=()

# scripts/solve itself, where nothing need be built.
programs=(scripts/solve)
alike 2
alike 0 --help

npuzzle=$examples/solver
input=$four solves
matches "^Minimum number of moves = 4"$'\n'
npuzzle=$examples/table_solver
solves "$four"
matches "^Minimum number of moves = 4"$'\n'
[[ $(wc -l <"$work/out") == 26 ]] || fail "should print five boards"
solves "$work/two.txt"
matches "^$work/two.txt#1:"$'\n'"Minimum number of moves = 0"
holds $'\n'"$work/two.txt#2:"$'\n'"Minimum number of moves = 1"
ends 4 "$work/six.txt" --time-limit 1
[[ $out =~ ^Number\ of\ moves\ =\ ([0-9]+)\;\ no\ solution\ has\ fewer\ than\ ([0-9]+)$'\n' ]] || fail "should tell both bounds"
((BASH_REMATCH[2] > 0 && BASH_REMATCH[2] < BASH_REMATCH[1])) || fail "should tell bounds that differ"
[[ $(tail -n 7 "$work/out" | tr -s ' \n' ' ') == " 1 2 "*" 35 0 " ]] || fail "should end at the goal"
[[ $err == "$work/six.txt: stopped by the limit of time after "* && $err != *$'\r'* && $err != *$'\n'* ]] || fail "should say what ended it"

finish

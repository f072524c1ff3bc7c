source tests/program/support.sh

# The same from a seed everywhere.
solves random --size 3 --count 2 --seed 1
prints "# seed 1, board 1 of 2
3
8 3 2
1 7 0
4 6 5
# seed 1, board 2 of 2
3
1 7 4
3 2 6
8 0 5"
cp "$work/out" "$work/first"
solves random -n 3 -c 2 -s 1 --output "$work/second"
cmp -s "$work/first" "$work/second" || fail "should make the same boards"
solves random
matches "^# seed [0-9]+, board 1 of 1
4
([ 0-9]+
){3}[ 0-9]+$"

# All are solvable, to the goal that is meant.
for seed in 1 2 3 4 5; do
    solves random --seed $seed --size 3 --goal blank-first
    input=$before solves solve - --goal blank-first --quiet
done
for length in 0 1 17 31; do
    solves random --size 3 --optimal-length $length --seed 5
    input=$before solves solve -
    matches "^Minimum number of moves = $length"$'\n'
done
solves random --size 4 --optimal-length 40 --seed 5 --goal spiral
input=$before solves solve - --goal spiral
matches "^Minimum number of moves = 40"$'\n'
solves random --size 40 --moves 3 --seed 2
input=$before solves solve -
matches "^Minimum number of moves = [13]"$'\n'

fails 2 "needs more than 31 moves" random --size 3 --optimal-length 32
fails 2 "no board needs 31 moves to this goal" random --size 3 --optimal-length 31 --goal spiral
fails 2 "needs more than 208 moves" random --size 5 --optimal-length 209
solves random --help
[[ $out != *xcludes* ]] || fail "should not name what options exclude"
fails 2 "excludes" random --moves 3 --optimal-length 3

finish

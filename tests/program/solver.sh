# The short program examples/solver.cpp.
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
solves "$four" $puzzles/puzzle2x2-unsolvable1.txt
matches "^$four:"$'\n'"Minimum number of moves = 4"$'\n'
holds $'\n'"$puzzles/puzzle2x2-unsolvable1.txt:"$'\nNo solution possible'
input=$four solves
matches "^Minimum number of moves = 4"$'\n'
ends 2 $'missing\e\n.txt'
[[ $err == 'missing\x1b\x0a.txt: No such file or directory' ]] || fail "should show no control character"

finish

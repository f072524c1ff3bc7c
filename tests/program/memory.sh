# The default memory limit is what the program may take, and searches at the same time share it.
source tests/program/support.sh

limited() { (ulimit -v 150000 && "$npuzzle" "$@"); }
limited --version >/dev/null 2>&1 || skip "the program does not run in 150 MB of address space"

hard=$puzzles/puzzle5x5-62.txt
for threads in 1 2; do
    arguments="solve $hard twice in 150 MB, by $threads threads"
    limited solve "$hard" "$hard" -a astar -H manhattan --threads $threads --stats >"$work/out" 2>"$work/err"
    status=$? out=$(<"$work/out") err=$(<"$work/err")
    ((status == 3)) || fail "should end with status 3"
    [[ $(grep -c "no solution found: memory limit after" <<<"$err") == 2 ]] || fail "should come to its limit"
    for bytes in $(sed -nE 's/.*, ([0-9]+) bytes, .*/\1/p' <<<"$err"); do
        ((bytes > 10000000 && bytes <= 150000 * 1024 * 3 / 4 / threads)) || fail "should hold its share, not $bytes bytes"
    done
done
arguments="solve a 6 x 6 board in 150 MB"
"$npuzzle" random --size 6 --seed 1 --output "$work/six.txt"
limited solve "$work/six.txt" -a astar >"$work/out" 2>"$work/err"
status=$? out=$(<"$work/out") err=$(<"$work/err")
((status == 3)) || fail "should end with status 3"
complains "memory limit after"

# Tables count.
ends 3 solve $puzzles/puzzle4x4-22.txt -a ida -H max:pdb:5-5-5,manhattan --memory-limit 1MB
complains "memory limit after"

# A table is not begun if there is no room for it. That of eight tiles has 519 MB.
arguments="pdb build aaaaaaaabbbbbbb. in 150 MB"
limited pdb build aaaaaaaabbbbbbb. --folder "$work/tables" >"$work/out" 2>"$work/err"
status=$? out=$(<"$work/out") err=$(<"$work/err")
((status == 3)) || fail "should end with status 3"
[[ $err =~ ^"npuzzle: a table needs 702 MB while it is built, and "[0-9]+" MB are available"$ ]] || fail "should say why"
[[ ! -e $work/tables ]] || fail "should write nothing"
limited pdb build 3-3-2 --folder "$work/tables" >"$work/out" 2>"$work/err" || fail "3-3-2 has room"

finish

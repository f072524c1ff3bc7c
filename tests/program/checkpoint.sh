# Searches that are saved and go on, and searches on several threads.
source tests/program/support.sh

board=$puzzles/puzzle4x4-40.txt
file=$work/checkpoint

# What a run has counted: expanded, generated and stored, from --stats.
counts() { sed -nE 's/.*(expanded [0-9]+, generated [0-9]+, stored [0-9]+), .*/\1/p' "$work/err" | head -n 1; }

fails 2 "missing: No such file" solve "$board" -a astar -H manhattan --resume missing

# The undisturbed search, by the same code: nothing is saved without need.
ends 0 solve "$board" -a astar -H manhattan --checkpoint "$file" --stats -f moves
moves=$out expected=$(counts)
[[ -n $moves && -n $expected ]] || fail "should solve and count"
[[ ! -e $file ]] || fail "should save nothing"

# In many pieces, the file by itself, with the same counts.
ends 3 solve "$board" -a astar -H manhattan --checkpoint "$file" --expansion-limit 0
complains "--resume $file goes on"
for limit in 1 10 1000 2000 3000; do
    ends 3 solve "$board" -a astar -H manhattan --resume "$file" --checkpoint "$file" --expansion-limit $limit
    complains "expansion limit after"
done
ends 0 solve "$board" -a astar -H manhattan --resume "$file" --stats -f moves
prints "$moves"
[[ $(counts) == "$expected" ]] || fail "should count $expected"
tells "of these, expanded 3000,"

# From time to time, too, and when the time or the memory has come to an end.
cp "$file" "$work/saved"
ends 0 solve "$board" -a astar -H manhattan --resume "$file" --checkpoint "$file" --checkpoint-every 0 --stats -f moves
[[ $(counts) == "$expected" ]] || fail "should count $expected"
! cmp -s "$file" "$work/saved" || fail "should save again"
for limit in "--time-limit 0" "--memory-limit 600kB"; do
    rm -f "$file"
    ends 3 solve "$board" -a astar -H manhattan --checkpoint "$file" $limit
    complains "--resume $file goes on"
    ends 0 solve "$board" -a astar -H manhattan --resume "$file" --stats -f moves
    [[ $(counts) == "$expected" ]] || fail "should count $expected"
done

# Ctrl-C.
arguments="solve, and Ctrl-C"
timeout --preserve-status -s INT "$(moment 0.5)" "$npuzzle" solve $puzzles/puzzle5x5-62.txt -a astar -H hamming --checkpoint "$work/interrupted" \
    >"$work/out" 2>"$work/err"
status=$? out=$(<"$work/out") err=$(<"$work/err")
((status == 3)) || fail "should end with status 3"
complains "--resume $work/interrupted goes on"
ends 3 solve $puzzles/puzzle5x5-62.txt -a astar -H hamming --resume "$work/interrupted" --time-limit 0 --stats
tells "before it was resumed"

# Another search, and damage. The file stays as it is.
ends 3 solve "$board" -a astar -H manhattan --checkpoint "$file" --expansion-limit 2000
cp "$file" "$work/saved"
fails 2 "$file: the checkpoint is of another search" solve "$board" -a astar -H hamming --resume "$file" --checkpoint "$file"
fails 2 "$file: the checkpoint is of a search with another start, at byte" \
    solve $puzzles/puzzle4x4-45.txt -a astar -H manhattan --resume "$file" --checkpoint "$file"
fails 2 "$file: the checkpoint is of another search" solve $puzzles/puzzle5x5-22.txt -a astar -H manhattan --resume "$file"
fails 2 "this is no checkpoint" solve "$board" -a astar -H manhattan --resume "$board"
cmp -s "$file" "$work/saved" || fail "should leave the file as it is"
head -c 1000 "$file" >"$work/cut"
fails 2 "$work/cut: the checkpoint is cut off, at byte 1000" solve "$board" -a astar -H manhattan --resume "$work/cut"
{ head -c 1000 "$file" && printf 'x' && tail -c +1002 "$file"; } >"$work/damaged"
fails 2 "$work/damaged: the checkpoint is damaged" solve "$board" -a astar -H manhattan --resume "$work/damaged"
{ cat "$file" && printf 'x'; } >"$work/longer"
fails 2 "$work/longer: something follows the checkpoint" solve "$board" -a astar -H manhattan --resume "$work/longer"
fails 2 "no/checkpoint: No such file" solve "$board" -a astar -H manhattan --checkpoint no/checkpoint
fails 2 "a checkpoint is an ordinary file" solve "$board" -a astar -H manhattan --checkpoint /dev/null

# What is not saved.
for algorithm in auto bidirectional weighted greedy anytime beam constructive; do
    fails 2 "--algorithm astar and ida alone" solve "$board" -a $algorithm --checkpoint "$work/none"
done
fails 2 "one solution of one board" solve "$board" "$board" -a astar --checkpoint "$work/none"
fails 2 "one solution of one board" solve "$board" --count --checkpoint "$work/none"
fails 2 "size 4 and 5" solve $puzzles/puzzle3x3-04.txt -a astar --checkpoint "$work/none"
fails 2 "on several threads is not saved" solve "$board" -a astar --threads 2 --checkpoint "$work/none"
fails 2 "there is no --resume" solve "$board" -a ida --resume "$file"
fails 2 "--twin goes without" solve "$board" -a astar --twin --checkpoint "$work/none"
[[ ! -e $work/none ]] || fail "should save nothing"

# IDA* goes on by its journal, on any number of threads.
ends 0 solve "$board" -a ida -H manhattan --stats -f moves
moves=$out expected=$(counts)
for threads in 1 2; do
    ends 0 solve "$board" -a ida -H manhattan --threads $threads --checkpoint "$work/journal" --stats -f moves
    prints "$moves"
    [[ $(counts) == "$expected" ]] || fail "should count $expected"
done
fails 2 "the journal $work/journal is of another search" \
    solve "$board" -a ida -H hamming --checkpoint "$work/journal"

# One board on several threads.
for algorithm in astar ida weighted greedy; do
    for threads in 2 0; do
        ends 0 solve "$board" -a $algorithm -H manhattan --threads $threads -f moves
        [[ $algorithm != astar && $algorithm != ida || $(wc -w <<<"$out") == 40 ]] || fail "should find 40 moves"
    done
done

finish

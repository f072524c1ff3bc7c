# Searches that go on by a journal, and searches on several threads.
source tests/program/support.sh

board=$puzzles/puzzle4x4-40.txt

# What a run has counted: expanded, generated and stored, from --stats.
counts() { sed -nE 's/.*(expanded [0-9]+, generated [0-9]+, stored [0-9]+), .*/\1/p' "$work/err" | head -n 1; }

# What has no journal.
for algorithm in auto astar bidirectional weighted greedy anytime beam constructive; do
    fails 2 "--algorithm ida alone" solve "$board" -a $algorithm --checkpoint "$work/none"
done
fails 2 "one solution of one board" solve "$board" "$board" -a ida --checkpoint "$work/none"
fails 2 "one solution of one board" solve "$board" --count --checkpoint "$work/none"
fails 2 "size 4 and 5" solve $puzzles/puzzle3x3-04.txt -a ida --checkpoint "$work/none"
[[ ! -e $work/none ]] || fail "should write nothing"

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

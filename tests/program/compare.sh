source tests/program/support.sh

# The means are those that `info` tells, and the length is in the names.
solves compare $puzzles/puzzle3x3-14.txt $puzzles/puzzle3x3-20.txt --heuristics hamming,manhattan,max:hamming+manhattan
mean() { # NAME
    echo "$(("$("$npuzzle" info $puzzles/puzzle3x3-14.txt | sed -n "s/^$1 = //p")" + \
        "$("$npuzzle" info $puzzles/puzzle3x3-20.txt | sed -n "s/^$1 = //p")"))"
}
for name in hamming manhattan; do
    twice=$(mean $name)
    matches $'\n'"$name +2/2 +0 +0 +$((twice / 2)).$((twice % 2 * 5))0 +17\.00 +[0-9]+ +[0-9.]+"
done
holds $'\nmax:hamming+manhattan      2/2 '
read -r weak strong < <(sed -nE 's/^(hamming|manhattan) .* ([0-9]+) +[0-9.]+$/\2/p' <<<"$out" | tr '\n' ' ')
((strong < weak)) || fail "should expand less with Manhattan"

# What is unsolvable or limited stands apart, and does not count in sums.
boards="$puzzles/puzzle3x3-14.txt $puzzles/puzzle2x2-unsolvable1.txt $puzzles/puzzle4x4-45.txt"
ends 3 compare $boards --heuristics hamming,manhattan --expansion-limit 3000
matches $'\n''manhattan +1/3 +1 +1 +[0-9.]+ +14\.00 '
sum=$(sed -nE 's/^manhattan .* ([0-9]+) +[0-9.]+$/\1/p' <<<"$out")
ends 3 compare $boards --heuristics hamming,manhattan --expansion-limit 3000 --format json
found=$(grep -oE '"heuristic":"[a-z]+","status":"[a-z_]+"' <<<"$out" | cut -d '"' -f 4,8 | paste -sd ' ')
[[ $found == 'hamming"solved hamming"unsolvable hamming"expansion_limit manhattan"solved manhattan"unsolvable manhattan"expansion_limit' ]] ||
    fail "should have a row for each board and heuristic"
matches "14.txt\",\"heuristic\":\"manhattan\",\"status\":\"solved\",\"h\":[0-9]+,\"moves\":14,\"expanded\":$sum,"
# Means are of the boards that all of them solved.
ends 3 compare $puzzles/puzzle3x3-{14,20}.txt --heuristics hamming,manhattan --expansion-limit 2000
matches $'\n''hamming +1/2 .* 14\.00 .*'$'\n''manhattan +2/2 .* 14\.00 .*'$'\n''The means .* solved: 1\.$'
ends 3 compare $puzzles/puzzle4x4-45.txt --heuristics hamming --expansion-limit 10
matches $'\n''hamming +0/1 +0 +1 +- +- +0 +0\.000$'

solves compare $puzzles/puzzle3x3-14.txt --output "$work/rows.json" --heuristics manhattan
[[ $(<"$work/rows.json") == *'"moves":14,'* ]] || fail "should write what the name says"
solves compare $puzzles/puzzle3x3-{14,20,30}.txt --heuristics manhattan
one=$(sed -E 's/[0-9.]+$//' <<<"$out")
solves compare $puzzles/puzzle3x3-{14,20,30}.txt --heuristics manhattan --threads 2
[[ $(sed -E 's/[0-9.]+$//' <<<"$out") == "$one" ]] || fail "should be the same for any number of threads"

ends 3 compare $puzzles/puzzle4x4-45.txt $puzzles/puzzle3x3-01.txt --heuristics manhattan --expansion-limit 100
holds " 1/2 "
ends 1 compare $puzzles/puzzle2x2-unsolvable1.txt --heuristics manhattan
solves compare $puzzles/puzzle4x4-22.txt --heuristics manhattan --algorithm weighted --goal blank-last --weight 2 \
    --tables never --time-limit 1m --memory-limit 1GB --threads 1
fails 2 "--heuristics is required" compare $puzzles/puzzle3x3-01.txt
fails 2 'no heuristic "none"' compare $puzzles/puzzle3x3-01.txt --heuristics none
fails 2 "missing.txt: No such file or directory" compare missing.txt --heuristics manhattan

finish

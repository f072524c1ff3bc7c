source tests/program/support.sh

# The means are those that `info` tells, and the length is in the names.
solves compare $puzzles/puzzle3x3-14.txt $puzzles/puzzle3x3-20.txt --heuristics hamming,manhattan,max:hamming+manhattan
mean() { # NAME
    echo "$(("$("$npuzzle" info $puzzles/puzzle3x3-14.txt | sed -n "s/^$1 = //p")" + \
        "$("$npuzzle" info $puzzles/puzzle3x3-20.txt | sed -n "s/^$1 = //p")"))"
}
for name in hamming manhattan; do
    twice=$(mean $name)
    matches $'\n'"$name +2/2 +$((twice / 2)).$((twice % 2 * 5))0 +17\.00 +[0-9]+ +[0-9.]+"
done
holds $'\nmax:hamming+manhattan      2/2 '
read -r weak strong < <(sed -nE 's/^(hamming|manhattan) .* ([0-9]+) +[0-9.]+$/\2/p' <<<"$out" | tr '\n' ' ')
((strong < weak)) || fail "should expand less with Manhattan"

solves compare $puzzles/puzzle3x3-20.txt --heuristics hamming,manhattan --chart "$work/chart.svg"
[[ $(<"$work/chart.svg") == "<svg "*">hamming<"*">manhattan<"*"</svg>" ]] || fail "should draw a chart"

solves compare $puzzles/puzzle3x3-{14,20,30}.txt --heuristics manhattan
one=$(sed -E 's/[0-9.]+$//' <<<"$out")
solves compare $puzzles/puzzle3x3-{14,20,30}.txt --heuristics manhattan --threads 2
[[ $(sed -E 's/[0-9.]+$//' <<<"$out") == "$one" ]] || fail "should be the same for any number of threads"

ends 3 compare $puzzles/puzzle4x4-45.txt $puzzles/puzzle3x3-01.txt --heuristics manhattan --expansion-limit 100
holds " 1/2 "
ends 1 compare $puzzles/puzzle2x2-unsolvable1.txt --heuristics manhattan
solves compare $puzzles/puzzle4x4-22.txt --heuristics manhattan --algorithm weighted --goal blank-last --weight 2 \
    --tables never --time-limit 1m --memory-limit 1GB --threads 1
ends 1 compare $puzzles/puzzle2x2-unsolvable1.txt --heuristics manhattan --twin
fails 2 "missing/chart.svg: No such file or directory" compare $puzzles/puzzle3x3-01.txt --heuristics manhattan \
    --chart missing/chart.svg
fails 2 "--heuristics is required" compare $puzzles/puzzle3x3-01.txt
fails 2 'no heuristic "none"' compare $puzzles/puzzle3x3-01.txt --heuristics none
fails 2 "missing.txt: No such file or directory" compare missing.txt --heuristics manhattan

finish

source tests/program/support.sh

solves check $puzzles/puzzle3x3-04.txt $puzzles/puzzle2x2-unsolvable1.txt
out=$(sed -E 's/[0-9.]+$/s/; s/ in [0-9.]+ s:/ in s:/' <<<"$out")
prints "file                                          n  solvable  moves      expanded   seconds
examples/puzzles/puzzle3x3-04.txt             3       yes      4             4     s
examples/puzzles/puzzle2x2-unsolvable1.txt    2        no      -             0     s
2 boards in s: 1 solved, 1 unsolvable"

# A folder, and what names promise.
mkdir "$work/puzzles"
cp $puzzles/puzzle[23]x*.txt "$work/puzzles"
solves check --expect-from-name "$work/puzzles"
[[ $(wc -l <<<"$out") == 20 ]] || fail "should have a line for each file, and a summary"
cp $puzzles/puzzle3x3-04.txt "$work/puzzles/puzzle3x3-05.txt"
cp $puzzles/puzzle3x3-04.txt "$work/puzzles/puzzle3x3-unsolvable9.txt"
cp $puzzles/puzzle3x3-unsolvable1.txt "$work/puzzles/puzzle3x3-77.txt"
cp $puzzles/puzzle3x3-unsolvable1.txt "$work/puzzles/none.txt"
ends 1 check --expect-from-name --threads 2 "$work/puzzles"
[[ $(grep -c "but its name says" <<<"$out") == 3 ]] || fail "should find three that do not hold"
matches "puzzle3x3-05.txt [^"$'\n'"]* but its name says 5"$'\n'
matches "puzzle3x3-unsolvable9.txt [^"$'\n'"]* but its name says unsolvable"
solves check "$work/puzzles"
ends 2 check --expect-from-name "$work/puzzles" missing.txt
complains "missing.txt: No such file or directory"
mkdir "$work/empty"
fails 2 "there are no .txt files" check "$work/empty"

# It searches as it is told.
solves check $puzzles/puzzle4x4-22.txt --algorithm anytime --heuristic manhattan --weight 2 --goal blank-last --tables never \
    --time-limit 1m --memory-limit 1GB --expansion-limit 100000
ends 3 check $puzzles/puzzle4x4-22.txt $puzzles/puzzle3x3-04.txt --expansion-limit 10
matches " unknown .* expansion limit"$'\n'
holds ": 1 solved, 1 without a result"
ends 2 check $puzzles/puzzle3x3-04.txt missing.txt
holds ": 1 solved, 1 with an error"
solves check $puzzles/puzzle3x3-04.txt
[[ $out != *boards* ]] || fail "should sum up several boards only"

finish

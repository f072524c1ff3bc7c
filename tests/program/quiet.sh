# --quiet means the same in each command: nothing is printed but errors, and what another option asks for.
source tests/program/support.sh

four=$puzzles/puzzle3x3-04.txt
unsolvable=$puzzles/puzzle2x2-unsolvable1.txt
hard=$puzzles/puzzle4x4-58.txt

# Nothing was printed.
silent() { [[ -z $out && -z $err ]] || fail "should print nothing"; }
solves solve "$four" --quiet && silent
ends 1 solve "$unsolvable" --quiet && silent
ends 1 solve "$unsolvable" --quiet --format svg --output "$work/none.svg" && silent
ends 3 solve "$hard" -a ida --tables never --expansion-limit 5 -q && silent
solves check "$four" "$unsolvable" --quiet && silent
ends 1 check --expect-from-name $puzzles/puzzle3x3-14.txt --goal blank-first --quiet
solves compare "$four" --heuristics manhattan --quiet && silent
solves pdb build 3-3-2 --quiet && silent
solves pdb verify 3-3-2 --quiet && silent
solves pdb info 3-3-2 --quiet && silent
ends 2 pdb verify 4-4 --quiet && silent

# What is asked for by name comes all the same.
solves solve "$four" --quiet --format moves --output "$work/answer" && silent
[[ $(<"$work/answer") == "right down right down" ]] || fail "should write the file"
ends 0 solve "$four" --quiet --stats
tells "$four: solved by "

# So do errors.
fails 2 "missing.txt: No such file or directory" solve missing.txt --quiet
fails 2 "missing.txt: No such file or directory" check missing.txt --quiet
fails 2 'no partition "9-9"' pdb build 9-9 --quiet

finish

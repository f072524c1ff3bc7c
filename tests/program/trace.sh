source tests/program/support.sh

solves trace $puzzles/puzzle3x3-04.txt -H max:hamming+manhattan --goal blank-last
# As many expansions as the search with a closed list makes.
solves trace $puzzles/puzzle3x3-04.txt --heuristic manhattan
[[ $(head -n 1 "$work/out") == '{"type":"source","id":1,"pId":null,"f":4,"g":0,"h":4,"label":"· 1 3\n4 2 5\n7 8 6"}' ]] ||
    fail "should begin at the start"
[[ $(tail -n 1 "$work/out") == '{"type":"end","id":'*'"f":4,"g":4,"h":0,"label":"1 2 3\n4 5 6\n7 8 ·"}' ]] || fail "should end at the goal"
[[ $(grep -c '"expanding"' "$work/out") == 4 && $(grep -c '"closing"' "$work/out") == 4 ]] || fail "should expand four"
solves trace $puzzles/puzzle3x3-04.txt --format posthoc
[[ $(head -n 1 "$work/out") == '{"version":"1.4.0","views":{"main":[{'*',"events":[' && $(tail -n 1 "$work/out") == "]}" ]] ||
    fail "should write a trace for Posthoc"
ends 3 trace $puzzles/puzzle3x3-20.txt --steps 10
[[ $(grep -c '"expanding"' "$work/out") == 10 ]] || fail "should end after ten"
ends 1 trace $puzzles/puzzle3x3-unsolvable1.txt
prints ""
if [[ -e /dev/full ]]; then
    fails 2 "/dev/full: No space left on device" trace $puzzles/puzzle3x3-20.txt --format jsonl --output /dev/full
fi
fails 2 "without pattern databases" trace $puzzles/puzzle3x3-04.txt -H pdb
fails 2 "--steps" trace $puzzles/puzzle3x3-04.txt --steps many
fails 2 "missing.txt: No such file or directory" trace missing.txt

finish

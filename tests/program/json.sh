# The JSON of every command is as docs/program.schema.json says.
source tests/program/support.sh

python=$(python3 -c 'import jsonschema, sys; print(sys.executable)' 2>/dev/null) || skip "there is no python3 with jsonschema; scripts/setup test installs it"
four=$puzzles/puzzle3x3-04.txt
unsolvable=$puzzles/puzzle2x2-unsolvable1.txt
hard=$puzzles/puzzle4x4-58.txt

# is DEFINITION: each line of what the run before printed is one of those.
is() {
    [[ -n $out ]] || fail "should print JSON"
    sed "s/^/$1\t/" "$work/out" >>"$work/lines"
}
ends 3 solve "$four" "$unsolvable" "$hard" -a ida --expansion-limit 10 --format json && is solve
solves solve "$four" --count --format json && is solve
solves solve "$four" --all --format json && is solve
ends 4 solve $puzzles/puzzle5x5-62.txt --tables never --time-limit 1ms --format json && is solve
solves trace "$four" --format jsonl && is trace
ends 3 trace $puzzles/puzzle3x3-20.txt --format jsonl && is trace
solves trace "$four" --format posthoc
tr -d '\n' <"$work/out" >"$work/line" && echo >>"$work/line" && mv "$work/line" "$work/out" && is posthoc
ends 3 compare "$four" "$unsolvable" "$hard" --heuristics hamming,manhattan --expansion-limit 10 --format json && is compare
ends 3 compare "$hard" --heuristics hamming --expansion-limit 10 --format json && is compare # no means

arguments="all of these" status=0 err= out=$("$python" tests/program/json_lines.py docs/program.schema.json <"$work/lines" 2>&1)
prints ""

# What is not as the schema says is found.
out=$(sed 's/"moves":4/"moves":-1/; s/"optimal"/"best"/' "$work/lines" | "$python" tests/program/json_lines.py docs/program.schema.json)
holds "solve: \$.moves: -1 is less than the minimum of 0"
holds "solve: \$: Additional properties are not allowed ('best' was unexpected)"
out=$(grep -v ^posthoc "$work/lines" | "$python" tests/program/json_lines.py docs/program.schema.json)
prints "no line was for posthoc"

finish

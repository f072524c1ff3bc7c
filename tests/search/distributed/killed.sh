# A search by several processes that is killed again and again goes on by its journal: what is lost is what was finished
# in the last moments, and the totals are those of an undisturbed search. $1 is the program killed_search, $2 mpirun, $3 how
# many kills.
set -uo pipefail
program=$1
mpirun=$2
kills=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
RANDOM=1
failures=0

fail() {
    echo "FAILED: $1"
    [[ ! -s $work/err ]] || head -n 10 "$work/err"
    failures=$((failures + 1))
}

size_of() { [[ -e $1 ]] && stat -c %s "$1" || echo 0; }
begun() { size_of "$work/begun"; }
# Records have 120 bytes.
kept() {
    local size
    size=$(size_of "$work/journal")
    echo $((size < header ? 0 : (size - header) / 120))
}

start() { # PROCESSES THREADS
    timeout 60 "$mpirun" -n "$1" "$program" "$work/journal" "$work/begun" "$2" </dev/null >"$work/out" 2>"$work/err" &
    job=$!
}

# An undisturbed search.
start 1 1
wait $job || fail "should end by itself"
header=$(($(size_of "$work/journal") - 81 * 120))
((0 < header && header < 500)) || fail "should have 81 records"
(($(begun) == 81)) || fail "should begin each unit once"
rm -f "$work/journal" "$work/begun"

# What mpirun has started, and that alone.
processes() {
    local launcher
    launcher=$(pgrep -P $job) && pgrep -P "$launcher"
}

for ((killed = 0; killed < kills;)); do
    ranks=$((1 + RANDOM % 3)) threads=$((1 + RANDOM % 2))
    begun_before=$(begun) kept_before=$(kept)
    start $ranks $threads
    wanted=$((begun_before + ranks * threads + RANDOM % 9))
    while (($(begun) < wanted)) && kill -0 $job 2>/dev/null; do
        sleep 0.01
    done
    victims=$(processes)
    if [[ -n $victims ]]; then
        # All at once, or one, and mpirun ends the others.
        [[ $((RANDOM % 2)) == 0 ]] || victims=$(head -n 1 <<<"$victims")
        # shellcheck disable=SC2086
        kill -KILL $victims 2>/dev/null && killed=$((killed + 1))
    fi
    wait $job
    status=$?
    lost=$(($(begun) - begun_before - ($(kept) - kept_before)))
    ((lost <= 4 * ranks * threads)) || fail "$ranks processes of $threads threads should not have lost $lost units"
    if ((status == 0)); then
        (($(kept) == 81)) || fail "the journal should have each unit once"
        rm -f "$work/journal" "$work/begun"
    elif ((status == 1 || status == 2 || status == 124)); then
        fail "should be killed or go on, and not end with status $status"
    fi
done
start 2 2
wait $job || fail "the last search should end with the same totals"
(($(kept) == 81)) || fail "the journal should have each unit once"
echo "$killed kills"

((failures == 0))

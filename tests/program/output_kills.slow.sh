# Kills the solver at random moments while it writes a file, 100 times or as often as $KILLS says. Afterwards the file is
# the old one or the new one. Beside it there may be what was about to take its place, if the kill came in the moment
# when it had a name of its own.
source tests/program/support.sh

kills=${KILLS:-100}
RANDOM=${SEED:-1}
boards=$work/boards
answers=$work/place/answers.txt
mkdir "$work/place"
for ((i = 0; i < 40; i++)); do cat $puzzles/puzzle3x3-[0-9]*.txt; done >"$boards"
begin=$EPOCHREALTIME
solves solve "$boards" --tables never -o "$work/new.txt"
end=$EPOCHREALTIME
taken=$((${end/./} - ${begin/./}))
echo precious >"$work/old.txt"

struck=0 old=0 new=0 beside=0
for ((kill = 0; struck < kills && kill < 10 * kills; kill++)); do
    cp "$work/old.txt" "$answers"
    "$npuzzle" solve "$boards" --tables never -o "$answers" >/dev/null 2>&1 &
    solver=$!
    sleep "$(awk -v share=$RANDOM -v most=$taken 'BEGIN { print share / 32768 * most * 1.2 / 1e6 }')"
    kill -9 $solver 2>/dev/null && struck=$((struck + 1))
    wait $solver 2>/dev/null
    arguments="solve, killed ($kill)" status=137 out= err=
    if cmp -s "$answers" "$work/old.txt"; then
        old=$((old + 1))
    elif cmp -s "$answers" "$work/new.txt"; then
        new=$((new + 1))
    else
        fail "should leave the old file or the new one"
    fi
    for file in "$work"/place/* "$work"/place/.[!.]*; do
        [[ -e $file && $file != "$answers" ]] || continue
        beside=$((beside + 1))
        cmp -s -n "$(stat -c %s "$file")" "$file" "$work/new.txt" || fail "should leave no other content, as in $file"
        rm "$file"
    done
done
((struck == kills)) || fail "should have been killed more often than $struck times"
((beside <= kills / 10)) || fail "should give a file a name only in the last moment, but left $beside"
echo "$struck solvers were killed: $old old files, $new new ones, $beside beside them"

finish

# Each call for files fails in turn while the solver replaces a file: afterwards it is the old one or the new one.
source tests/program/support.sh

has_faults || skip "faults do not reach this program"
board=$puzzles/puzzle3x3-04.txt
folder=$work/place
answer=$folder/answer.txt
mkdir "$folder"
solves solve "$board" --tables never -o "$work/new.txt"
echo precious >"$work/old.txt"

tried=0
for what in EIO ENOSPC short dies; do
    for kind in open write fsync rename; do
        [[ $what != short || $kind == write ]] || continue
        for ((number = 1; number <= 20; number++)); do
            cp "$work/old.txt" "$answer"
            faulty $kind:$number:$what solve "$board" --tables never -o "$answer"
            [[ $hit == yes ]] || break
            tried=$((tried + 1))
            if cmp -s "$answer" "$work/new.txt"; then
                [[ $what == dies || $status == 0 ]] || ((number > 1)) || [[ $kind == fsync || $kind == open ]] ||
                    fail "should end with status 0 where the answer is written"
            elif cmp -s "$answer" "$work/old.txt"; then
                ((status != 0)) || fail "should not end with status 0 where no answer is written"
                [[ $what == dies || $err == *"npuzzle: "* ]] || fail "should say what failed"
            else
                fail "should leave the old file or the new one"
            fi
            [[ $what == dies || $(ls -A "$folder") == answer.txt ]] || fail "should leave no other file"
            rm -rf "$folder" && mkdir "$folder"
        done
    done
done
((tried >= 8)) || fail "only $tried calls failed"
echo "$tried calls failed, and each time the file was the old one or the new one"

finish

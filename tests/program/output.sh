# A file that is to be written is the old one or the new one, whole, whatever happens; and nothing else is left.
source tests/program/support.sh

four=$puzzles/puzzle3x3-04.txt
unsolvable=$puzzles/puzzle2x2-unsolvable1.txt
hard=$puzzles/puzzle4x4-58.txt
out_of=$work/folder
mkdir "$out_of"

# left FILE: it is as it was before, or still not there, and there is nothing beside it.
left() {
    [[ ! -e $1 || $(<"$1") == precious ]] || fail "should leave its output as it was"
    [[ $(ls -A "$out_of") == "$before_it" ]] || fail "should leave nothing beside it"
}

# keeps STATUS ARGUMENT...: runs it with --output FILE, once with a FILE that is there and once with one that is not.
keeps() {
    local name
    for name in old new; do
        rm -rf "${out_of:?}"/*
        [[ $name == new ]] || echo precious >"$out_of/old"
        before_it=$(ls -A "$out_of")
        ends "$@" --output "$out_of/$name"
        left "$out_of/$name"
    done
}
keeps 3 solve "$hard" -a ida --tables never --expansion-limit 5
keeps 3 solve "$hard" -a ida --tables never --time-limit 1ms --format json
keeps 3 solve "$hard" -a astar --memory-limit 100kB
keeps 1 solve "$unsolvable"
tells "no solution possible, so $out_of/new is left as it is"
keeps 1 solve "$unsolvable" --format svg
keeps 2 solve missing.txt
keeps 2 solve "$four" --weight 2
keeps 2 random --optimal-length 32 --size 3
keeps 1 trace "$unsolvable"
complains "no solution possible, so $out_of/new is left as it is"
keeps 3 compare "$hard" --heuristics manhattan --expansion-limit 5 --tables never --format json
keeps 2 compare missing.txt --heuristics manhattan

# One answer is enough: the others are told of.
ends 1 solve "$unsolvable" "$four" --output "$out_of/both.json"
[[ $(wc -l <"$out_of/both.json") == 2 ]] || fail "should write a line for each"

# A full disk.
rm -rf "${out_of:?}"/*
echo precious >"$out_of/old"
before_it=old
arguments="random --size 100, with a limit on the size of files"
(ulimit -f 16 && "$npuzzle" random --size 100 --output "$out_of/old" 2>"$work/err")
status=$? out= err=$(<"$work/err")
((status == 2)) || fail "should end with status 2"
complains "old: File too large"
left "$out_of/old"
if unshare -m mount -t tmpfs none "$out_of" 2>/dev/null; then
    arguments="random --size 100 on a full disk"
    out=$(unshare -m bash -c 'mount -t tmpfs -o size=16k none "$1" && cd "$1" && echo precious >old &&
        "$2" random --size 100 --output old; echo "$? $(<old) $(ls -A)"' - "$out_of" "$(realpath "$npuzzle")" 2>"$work/err")
    err=$(<"$work/err")
    prints "2 precious old"
    complains "old: No space left on device"
fi

# Permissions.
rm -rf "${out_of:?}"/*
echo precious >"$out_of/old"
chmod 640 "$out_of/old"
solves solve "$four" --output "$out_of/old"
[[ $(stat -c %a "$out_of/old") == 640 ]] || fail "should keep the permissions"
(umask 027 && "$npuzzle" solve "$four" --output "$out_of/new")
[[ $(stat -c %a "$out_of/new") == 640 ]] || fail "should make a file as the umask says"
as_nobody=()
((EUID != 0)) || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if chmod 755 "$work" && "${as_nobody[@]}" "$npuzzle" --version >/dev/null 2>&1; then
    echo precious >"$out_of/old"
    chmod a=rw "$out_of/old"
    chmod a=rx "$out_of"
    before_it=$(ls -A "$out_of")
    for name in old fresh; do
        arguments="solve $four, into a folder that may not be written"
        "${as_nobody[@]}" "$npuzzle" solve "$four" --output "$out_of/$name" >/dev/null 2>"$work/err"
        status=$? out= err=$(<"$work/err")
        ((status == 2)) || fail "should end with status 2"
        complains "Permission denied"
        left "$out_of/$name"
    done
    chmod a=rwx "$out_of"
    chmod a=r "$out_of/old"
    arguments="solve $four, into a file that may not be written"
    "${as_nobody[@]}" "$npuzzle" solve "$four" --output "$out_of/old" >/dev/null 2>"$work/err"
    status=$? err=$(<"$work/err")
    ((status == 2)) || fail "should end with status 2"
    complains "old: Permission denied"
    left "$out_of/old"
    chmod 755 "$out_of"
fi

# Links, pipes and devices.
rm -rf "${out_of:?}"/*
mkdir "$out_of/a"
echo precious >"$out_of/a/file"
ln -s a/file "$out_of/link"
ln -s "$out_of/link" "$out_of/a/far"
solves solve "$four" --format moves --output "$out_of/a/far"
[[ -L $out_of/a/far && -L $out_of/link && $(<"$out_of/a/file") == "right down right down" ]] || fail "should follow links"
ln -s a/later "$out_of/dangling"
solves solve "$four" --format moves --output "$out_of/dangling"
[[ -L $out_of/dangling && $(<"$out_of/a/later") == "right down right down" ]] || fail "should follow a link to nothing"
ln -s loop "$out_of/loop"
fails 2 "Too many levels of symbolic links" solve "$four" --output "$out_of/loop"
fails 2 "Is a directory" solve "$four" --output "$out_of/none/"
fails 2 "Not a directory" solve "$four" --output "$four/none"
solves solve "$four" --output /dev/null
[[ -c /dev/null ]] || fail "should leave devices what they are"
mkfifo "$out_of/pipe"
timeout 10 cat "$out_of/pipe" >"$work/read" &
solves solve "$four" --format moves --output "$out_of/pipe"
wait $!
[[ -p $out_of/pipe && $(<"$work/read") == "right down right down" ]] || fail "should write into a pipe"
timeout --foreground --preserve-status -k 5 "$(moment 0.3)" "$npuzzle" solve "$four" --output "$out_of/pipe" 2>"$work/err"
status=$? out= err=$(<"$work/err") arguments="solve into a pipe that nobody reads, then SIGTERM"
((status == 3)) || fail "should end with status 3"
complains "cancelled"
echo "first" >"$work/appended"
"$npuzzle" solve "$four" --format moves --output /dev/stdout >>"$work/appended"
[[ $(<"$work/appended") == $'first\nright down right down' ]] || fail "should append to its standard output"
if [[ -w /dev/shm ]]; then
    shared=$(mktemp -p /dev/shm)
    for _ in 1 2; do solves solve "$four" --format moves --output "$shared"; done
    [[ $(<"$shared") == "right down right down" ]] || fail "should replace a file in /dev/shm"
    rm "$shared"
fi

# Formats by name.
rm -rf "${out_of:?}"/*
for name in x.pdf b.dot y.htm x.PNG x.txt~; do
    fails 2 "the name $out_of/$name ends in none of .txt|.json|.html|.svg" solve "$four" --output "$out_of/$name"
done
fails 2 "the name $out_of/x.svg ends in none of .jsonl|.json" trace "$four" --output "$out_of/x.svg"
[[ -z $(ls -A "$out_of") ]] || fail "should write nothing"
solves solve "$four" --format moves --output "$out_of/x.pdf"
[[ $(<"$out_of/x.pdf") == "right down right down" ]] || fail "should answer as it is told"
solves solve "$four" --output "$out_of/X.SVG"
[[ $(<"$out_of/X.SVG") == "<svg "* ]] || fail "should take capitals for what they are"
solves trace "$four" --output "$out_of/x.jsonl"
[[ $(<"$out_of/x.jsonl") == '{"type":"source"'* ]] || fail "should answer as the name says"
solves trace "$four" --output "$out_of/x.trace.json"
[[ $(<"$out_of/x.trace.json") == '{"version"'* ]] || fail "should answer as the name says"

# With a standard file closed, no message gets into an answer.
arguments="solve --stats --output answer, standard error closed" out= err=
"$npuzzle" solve "$four" --stats --format moves --output "$out_of/answer" 2>&-
[[ $(<"$out_of/answer") == "right down right down" ]] || fail "should write the answer alone"

finish

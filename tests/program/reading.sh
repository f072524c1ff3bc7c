# Input is read once, in bounded memory, and reading ends when it is told to.
source tests/program/support.sh

four=$puzzles/puzzle3x3-04.txt
mkfifo "$work/pipe"

# Pipes, which give what they hold once.
into_pipe() { (cat "$@" >"$work/pipe") & }
quickly() { timeout -k 1 20 "$npuzzle" "$@"; }
pipe_gives() { # STATUS ARGUMENT...
    local expected=$1
    shift
    arguments="$*, of a pipe"
    quickly "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$? out=$(<"$work/out") err=$(<"$work/err")
    ((status == expected)) || fail "should end with status $expected"
    wait
}
echo garbage >"$work/garbage"
into_pipe "$work/garbage"
pipe_gives 2 solve "$work/pipe"
complains "pipe:1:1: expected the size of the board as the first number, from 2 to 32767, found 'garbage'"
into_pipe "$four" $puzzles/puzzle3x3-01.txt
pipe_gives 0 solve "$work/pipe" --format moves
prints $'right down right down\ndown'
into_pipe "$four" "$four"
pipe_gives 0 check "$work/pipe"
into_pipe /dev/null
pipe_gives 2 info "$work/pipe"
complains "found an empty input"
arguments="solve <(cat A A)"
quickly solve <(cat "$four" "$four") --format moves >"$work/out" 2>"$work/err"
status=$? out=$(<"$work/out") err=$(<"$work/err")
prints $'right down right down\nright down right down'
into_pipe $puzzles/puzzle3x3-00.txt
pipe_gives 0 solve "$four" $puzzles/puzzle3x3-01.txt --goal "$work/pipe" --format moves --threads 2
prints $'right down right down\ndown'

# Input without an end, of what is no board.
pipe_gives 2 solve /dev/zero
complains "/dev/zero:1:1: expected the size of the board"
for characters in x 0 9 -; do
    arguments="solve an endless word of $characters"
    yes $characters | tr -d '\n' | quickly solve - 2>"$work/err"
    status=${PIPESTATUS[2]} err=$(<"$work/err")
    ((status == 2)) || fail "should end with status 2"
    complains "standard input:1:1: "
done

# Memory is what the text is worth.
limited() { (ulimit -v 150000 && quickly "$@"); }
if limited --version >/dev/null 2>&1; then
    for character in '\n' '#'; do
        arguments="solve 100 MB of $character"
        head -c 100000000 /dev/zero | tr '\0' "$character" | limited solve - 2>"$work/err"
        status=${PIPESTATUS[2]} err=$(<"$work/err")
        ((status == 2)) || fail "should end with status 2"
        complains ", found more than a MiB of white space and comments"
    done
    arguments="solve a large size and nothing else"
    limited solve - <<<32767 2>"$work/err"
    status=$? err=$(<"$work/err")
    ((status == 2)) || fail "should end with status 2"
    complains "expected tile number 1 of 1073676289, found the end"
    arguments="check 40,000 boards in rows"
    yes $'0 1\n2 3\n' | head -n 120000 | limited check - >"$work/out" 2>"$work/err"
    status=${PIPESTATUS[2]} err=$(<"$work/err")
    ((status < 2)) || fail "should take memory for the boards alone"
fi

# Rows without a size.
printf '1,2,3\n4,5,_\n7,8,6\n\n1 2 3\n4 5 6\n7 _ 8\n' >"$work/rows.txt"
solves solve "$work/rows.txt" --format moves
prints $'down\nright'
printf '1 2 3\n4 5 0\n' >"$work/rows.txt"
fails 2 "rows.txt:1:1: only square boards are read: this one is 2 x 3" solve "$work/rows.txt"

# UTF-16 that comes in two pieces.
{ printf '\xff\xfe' && printf '1 2 3\n4 5 6\n7 0 8\n' | iconv -t UTF-16LE; } >"$work/utf16"
for bytes in 1 2 7; do
    arguments="solve UTF-16 of which $bytes bytes come first"
    { head -c $bytes "$work/utf16" && sleep 0.2 && tail -c +$((bytes + 1)) "$work/utf16"; } |
        quickly solve - --format moves >"$work/out" 2>"$work/err"
    status=${PIPESTATUS[1]} out=$(<"$work/out") err=$(<"$work/err")
    prints right
done

# Signals. A reader waits for a writer that never comes, or that never writes.
mkfifo "$work/silent"
for signal in INT TERM; do
    for command in "solve $work/pipe" "info $work/pipe" "check $four $work/pipe" "solve $four --goal $work/pipe" "solve -"; do
        arguments="$command, then SIG$signal"
        after=$(moment 0.2)
        begun=${EPOCHREALTIME/./}
        timeout --foreground --preserve-status -k 5 -s $signal "$after" "$npuzzle" $command <>"$work/silent" >"$work/out" 2>"$work/err"
        status=$? out=$(<"$work/out") err=$(<"$work/err")
        ((status == 3)) || fail "should end with status 3"
        [[ $err == "npuzzle: cancelled" ]] || fail "should say so"
        awk -v taken=$((${EPOCHREALTIME/./} - begun)) -v after="$after" 'BEGIN { exit taken / 1e6 >= after + 1.8 }' ||
            fail "should end at once"
    done
done
# What does not look for a stop ends all the same: by SIGTERM, and by Ctrl-C twice.
begun=${EPOCHREALTIME/./}
arguments="random --moves 1000000000000, then SIGTERM"
timeout --foreground --preserve-status -k 20 "$(moment 0.2)" "$npuzzle" random --moves 1000000000000 --output "$work/walk" 2>"$work/err"
status=$? out= err=$(<"$work/err")
((status == 143)) || fail "should be ended by SIGTERM"
[[ ! -e $work/walk ]] || fail "should write nothing"
((${EPOCHREALTIME/./} - begun < 10000000)) || fail "should end soon"
arguments="random --moves 1000000000000, then Ctrl-C twice"
"$npuzzle" random --moves 1000000000000 >"$work/out" 2>"$work/err" &
program=$!
sleep "$(moment 0.3)"
kill -INT $program
sleep 0.6
kill -INT $program
wait $program 2>/dev/null
status=$? out=$(<"$work/out") err=$(<"$work/err")
((status == 130)) || fail "should be ended by SIGINT"

finish

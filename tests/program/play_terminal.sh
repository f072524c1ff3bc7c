# The game as it is played: in a terminal, which it leaves as it was.
source tests/program/support.sh

has_terminals || skip "there are no pseudo-terminals, or there is no python3 to open them"
export TERM=xterm NO_COLOR=1
four=$puzzles/puzzle3x3-04.txt
screen_on=$'\e[?1049h' screen_off=$'\e[?1049l'

in_terminal() { # STATUS ROWS COLUMNS PROGRAM ARGUMENT..., with the steps on standard input
    local expected=$1
    shift
    arguments="$* in a terminal"
    out=$("$python" tests/program/pseudo_terminal.py "$@" 2>"$work/err")
    status=$? err=$(<"$work/err") out=${out//$'\r'/}
    ((status == expected)) || fail "should end with status $expected"
    [[ -z $err ]] || fail "should go as the steps say"
}

# Arrow keys as terminals send them, other keys that mean nothing, undo, a hint; Ctrl-Z and back.
in_terminal 0 24 80 "$npuzzle" play "$four" <<'STEPS'
    sees moves: 0, the fewest: 4
    types \x1b[D
    sees moves: 1,
    types \x1b[C
    sees moves: 2,
    types u
    sees moves: 1,
    types \x1b[5~\x1b[15~xh
    sees Slide a tile up; 3 moves are left at the least.
    types \x1bOA
    sees moves: 2,
    types \x1a
    stops
    continues
    sees moves: 2,
    types \x1b[1;5D
    sees moves: 3,
    types d
    sees moves: 4,
    types h
    sees Slide a tile left; 2 moves are left at the least.
    types aw
STEPS
[[ $out == "$screen_on"* ]] || fail "should have a screen of its own"
[[ ${out##*"$screen_off"} == " 1 2 3
 4 5 6
 7 8 .
moves: 6, the fewest: 4
Solved." ]] || fail "should leave the last board on the screen"
[[ $out == *"$screen_off"*"$screen_on"*"$screen_off"* ]] || fail "should leave its screen for Ctrl-Z"

# The mouse: a tile in the row or the column of the blank slides, with those between; other places and buttons mean nothing.
in_terminal 0 24 80 "$npuzzle" play "$four" <<'STEPS'
    sees moves: 0, the fewest: 4
    types \x1b[<0;6;1M\x1b[<0;6;1m
    sees  1 3 .
    sees moves: 2,
    types \x1b[M\x20\x22\x21
    sees  . 1 3
    sees moves: 4,
    types \x1b[<0;6;3M
    sees can slide
    types \x1b[<2;4;1M\x1b[<0;60;1M\x1b[<0;4;20M\x1b[<0;0;0M\x1b[<99999999999;1;1M
    types \x1b[<0;4;1M
    sees moves: 5,
    types \x1b[<0;4;2M
    sees moves: 6,
    types \x1b[<0;6;2M
    sees moves: 7,
    types \x1b[<0;6;3M
    sees moves: 8,
STEPS
[[ $out == *$'\e[?1000h\e[?1006h'*$'\e[?1006l\e[?1000l'"$screen_off"* ]] || fail "should ask for clicks, and no longer at the end"

# Every way to its end.
for keys in q '\x03' '\x04'; do
    in_terminal 3 24 80 "$npuzzle" play "$four" < <(printf '%s\n' "sees moves: 0" 'types a' 'sees moves: 1' "types $keys")
done
in_terminal 3 24 80 "$npuzzle" play "$four" < <(printf '%s\n' "sees moves: 0" "signals TERM")
in_terminal 1 24 80 "$npuzzle" play $puzzles/puzzle2x2-unsolvable1.txt </dev/null
prints "No solution possible"
in_terminal 2 24 80 "$npuzzle" play missing.txt </dev/null
if [[ -e /dev/full ]]; then
    in_terminal 2 24 80 bash -c "exec '$npuzzle' play '$four' >/dev/full" </dev/null
    holds "npuzzle: standard output: No space left on device"
fi

# Ctrl-C ends the search for the fewest moves, and that for a hint. Where there is no place for tables, none are built before.
export NPUZZLE_CACHE=/dev/null/none
solves random --size 5 --seed 1 --output "$work/hard.txt"
in_terminal 3 24 80 "$npuzzle" play "$work/hard.txt" --time-limit 1h < <(printf '%s\n' 'sees expanded' 'types \x03')
in_terminal 3 24 80 "$npuzzle" play "$work/hard.txt" --time-limit 2s < <(
    printf '%s\n' 'sees or more' 'types wasd' 'types h' 'sees expanded' 'types \x03')

# What does not look for a stop is ended by SIGTERM, and the terminal is as before.
solves random --size 500 --seed 1 --output "$work/huge.txt"
in_terminal 143 24 80 "$npuzzle" play "$work/huge.txt" < <(printf '%s\n' 'sees or more' 'types h' 'waits 0.5' 'signals TERM')
[[ $out == *"$screen_on"*"$screen_off" ]] || fail "should leave the screen"

# Windows of any size, which may change; the part around the blank is shown.
solves random --size 20 --seed 1 --output "$work/large.txt"
for size in "1 4" "4 7" "10 40" "24 80"; do
    in_terminal 3 $size "$npuzzle" play "$work/large.txt" < <(printf '%s\n' 'sees m' 'types w' 'types h' 'types q')
    widest=$(sed 's/\x1b\[[?0-9]*[A-Za-z]//g' <<<"$out" | awk '{ if (length > most) most = length } END { print most }')
    ((widest <= ${size#* })) || fail "should fit in the window"
    rows=$(grep -c '^ *[0-9. ]*$' <<<"${out##*"$screen_off"}")
    ((rows <= (${size% *} > 4 ? ${size% *} - 3 : 1))) || fail "should fit in the window"
    [[ $size == "1 4" ]] || [[ ${out##*"$screen_off"} == *" ."* ]] || fail "should show the blank"
done
in_terminal 3 24 80 "$npuzzle" play "$four" <<'STEPS'
    sees moves: 0
    resizes 10 20
    sees moves: 0
    types q
STEPS
holds $'\narrows or wasd: slid\n'
[[ ${out##*"$screen_off"} == *$'\nmoves: 0, the fewest' ]] || fail "should leave the board on the screen, and no keys"

# Nobody waits for the fewest moves of a large board; hints lead to its goal all the same.
solves random --size 6 --seed 1 --output "$work/six.txt"
printf 'sees or more\n' >"$work/steps"
for ((i = 0; i < 3; i++)); do printf 'types h\nsees perhaps not the fewest\n' >>"$work/steps"; done
printf 'types q\n' >>"$work/steps"
in_terminal 3 24 80 "$npuzzle" play "$work/six.txt" --time-limit 1h <"$work/steps"

finish

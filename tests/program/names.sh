# Names of files may hold anything. In messages they are harmless.
source tests/program/support.sh

four=$(realpath $puzzles/puzzle3x3-04.txt)
shown='a\x1b[31mb\x0ac'
name=$work/$'a\e[31mb\nc.txt'

fails 2 "$shown.txt: No such file or directory" solve "$name"
fails 2 "$shown.txt: No such file or directory" info "$name"
ends 2 check "$name"
complains "$shown.txt: No such file or directory"
echo 3 z >"$name"
fails 2 "$shown.txt:1:3: expected tile number 1 of 9" solve "$name"
cp "$four" "$name"
ends 0 solve "$name" --stats --quiet
[[ $err == *"$shown.txt: solved by "* && $err != *$'\n'* ]] || fail "should tell it in one line"
ends 3 solve "$name" -a astar --expansion-limit 0
complains "$shown.txt: no solution found"
fails 2 "$shown.txt/x: Not a directory" solve "$four" --output "$name/x"
fails 2 'there is no command \x1b[31m' $'\e[31m'
fails 2 'there is no option --\x0a' $'--\n'
solves check "$name"
[[ $out == *"$shown.txt "* && $(wc -l <<<"$out") == 2 ]] || fail "should have one row"
solves solve "$name" --format json
[[ $out == *'a\u001b[31mb\nc.txt"'* && $out != *$'\e'* ]] || fail "should write a string of JSON"
for c in $'\x9b' $'\xc2\x9b' $'\x7f' $'\xe2\x80\xae'; do
    ends 2 solve "missing$c"
    [[ $err != *"$c"* ]] || fail "should show no control character"
done
ends 2 solve "fehlt-ä€🧩.txt"
complains "fehlt-ä€🧩.txt: No such file"

finish

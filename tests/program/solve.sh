source tests/program/support.sh

four=$puzzles/puzzle3x3-04.txt
unsolvable=$puzzles/puzzle2x2-unsolvable1.txt

# The classical answer.
solves solve "$four"
prints "Minimum number of moves = 4
3
 0  1  3 
 4  2  5 
 7  8  6 

3
 1  0  3 
 4  2  5 
 7  8  6 

3
 1  2  3 
 4  0  5 
 7  8  6 

3
 1  2  3 
 4  5  0 
 7  8  6 

3
 1  2  3 
 4  5  6 
 7  8  0 "
ends 1 solve "$unsolvable"
prints "No solution possible"
input=$four solves solve - --format moves
prints "right down right down"

# Several boards in a file, or from a pipe, as `random` prints them.
solves random --size 3 --count 3 --seed 1 --output "$work/three.txt"
solves solve "$work/three.txt" "$four" --format json
[[ $(grep -oE '[^"/]*","status":"solved"' <<<"$out" | cut -d '"' -f 1 | paste -sd ' ') == "three.txt#1 three.txt#2 three.txt#3 ${four##*/}" ]] ||
    fail "should solve each"
input=$work/three.txt solves solve - --format moves
[[ $(wc -l <<<"$out") == 3 ]] || fail "should solve each"
input=$work/three.txt solves check -
matches $'\n-#3 +3 +yes '
solves compare "$work/three.txt" --heuristics manhattan
holds " 3/3 "
solves solve "$work/three.txt" --format moves
ends 0 solve "$work/three.txt" --format moves --stats
[[ $(tail -n 1 "$work/err") == "npuzzle: 3 boards in "*" s: 3 solved" ]] || fail "should sum them up"
fails 2 "draws one solution of one board" solve "$work/three.txt" --format svg
printf '2 1 2 3 0 2 1 2 0 3 3 1 2\n4 5 6 7' >"$work/cut.txt"
fails 2 "cut.txt:2:" solve "$work/cut.txt"
printf '# one\n2\n1 2 3 0\n# two\n2\n1 2 0 3\n' >"$work/two.txt"
solves solve "$work/two.txt" --format moves
prints $'\nright'
printf '\xef\xbb\xbf2\r\n1 2\r\n3 0\r\n2\r\n1 2\r\n0 3\r\n' >"$work/dos.txt"
for file in two.txt dos.txt; do
    input=$work/$file solves solve - --format moves
    prints $'\nright'
done
printf '3\n1 2 3 4 5 6 7 8 0\n9\n' >"$work/ten.txt"
for source in "$work/ten.txt" -; do
    input=$work/ten.txt fails 2 ":4:1: expected tile number 1 of 81, found the end: 81 numbers are missing" solve "$source"
done
input=$work/three.txt fails 2 "standard input:7:1: expected the end after 9 tiles" info -

# Every algorithm and every heuristic, on each kind of board.
for n in 2x2-06 3x3-14 4x4-22 5x5-22 6x6-20; do
    moves=${n#*-}
    for algorithm in auto astar ida bidirectional weighted greedy anytime beam constructive; do
        solves solve "$puzzles/puzzle$n.txt" --algorithm $algorithm --tables never
        case $algorithm in
            weighted | greedy | beam | constructive) matches "^(Number of moves = [0-9]+|Minimum number of moves = ${moves#0}"$'\n'")" ;;
            *) matches "^Minimum number of moves = ${moves#0}"$'\n' ;;
        esac
        last=$(tail -n "$((${n%%x*} + 2))" "$work/out" | tr -s ' \n' ' ')
        [[ $last == "${n%%x*} 1 2 "*" 0 " ]] || fail "should end at the goal"
    done
    for heuristic in hamming manhattan linear-conflict max:hamming,manhattan; do
        solves solve "$puzzles/puzzle$n.txt" --heuristic $heuristic
        matches "^Minimum number of moves = ${moves#0}"$'\n'
    done
done

for heuristic in walking-distance max:linear-conflict,walking-distance max:walking-distance,hamming; do
    for algorithm in auto astar ida bidirectional; do
        solves solve $puzzles/puzzle4x4-22.txt $puzzles/puzzle3x3-14.txt -a $algorithm -H $heuristic -f moves
        matches "^([a-z]+ ){21}[a-z]+"$'\n'"([a-z]+ ){13}[a-z]+$"
    done
done
solves solve $puzzles/puzzle4x4-22.txt --algorithm weighted --weight 1
matches "^Minimum number of moves = 22"$'\n'
# Greedy search expands no state twice; it would, thousands of times, if it opened again what it reaches by a cheaper path.
solves solve $puzzles/puzzle8x8-24.txt --algorithm greedy --format json
read -r expanded stored < <(sed -E 's/.*"expanded":([0-9]+),.*"stored":([0-9]+),.*/\1 \2/' <<<"$out")
((expanded <= stored)) || fail "should expand no more states than it stores"

# Pattern databases.
fails 2 "are not there" solve $puzzles/puzzle3x3-14.txt -H max:pdb,hamming --tables never
fails 2 "the tables of pdb are not there" solve $puzzles/puzzle3x3-14.txt -H pdb --tables never
ends 2 solve $puzzles/puzzle3x3-14.txt -H pdb --tables if-there
for tables in auto build if-there; do
    ends 0 solve $puzzles/puzzle3x3-14.txt --heuristic pdb:3-3-2 --tables $tables --stats
    matches "^Minimum number of moves = 14"$'\n'
    tells "solved by ida with pdb:3-3-2:"
done
for algorithm in astar ida "weighted -w 1"; do
    solves solve $puzzles/puzzle3x3-14.txt -a $algorithm --heuristic max:pdb:3-3-2,manhattan
    matches "^Minimum number of moves = 14"$'\n'
done
fails 2 "two" solve $puzzles/puzzle3x3-14.txt -a bidirectional -H pdb:3-3-2
fails 2 "size 6" solve $puzzles/puzzle6x6-20.txt -H pdb
fails 2 "size 6" solve $puzzles/puzzle6x6-20.txt -H max:pdb,manhattan
fails 2 "up to size 4 have walking distance" solve $puzzles/puzzle6x6-20.txt -H max:walking-distance,manhattan
fails 2 "no partition" solve $puzzles/puzzle3x3-14.txt -H pdb:9-9
fails 2 'no heuristic "manhatten"' solve $puzzles/puzzle3x3-14.txt -H manhatten
fails 2 "auto is a choice" solve $puzzles/puzzle3x3-14.txt -H max:auto,hamming

# Other goals.
printf '3\n1 0 2\n3 4 5\n6 7 8\n' >"$work/near.txt"
solves solve "$work/near.txt" --goal blank-first --format moves
prints "left"
cp "$four" "$work/goal.txt"
solves solve "$work/goal.txt" --goal "$work/goal.txt"
matches "^Minimum number of moves = 0"$'\n'
printf '3\n1 2 3\n8 4 0\n7 6 5\n' >"$work/turn.txt"
solves solve "$work/turn.txt" --goal spiral --format moves --algorithm weighted
prints "left"
fails 2 "the goal has size 2" solve "$four" --goal $puzzles/puzzle2x2-03.txt

ends 1 solve "$unsolvable" --stats
tells "unsolvable by parity"
ends 1 solve "$unsolvable" -a constructive
ends 1 solve "$unsolvable" -a greedy --format moves
prints "unsolvable"

# All shortest solutions.
solves solve $puzzles/puzzle3x3-20.txt --count
prints "Minimum number of moves = 20
Number of shortest solutions = 4"
solves solve $puzzles/puzzle3x3-20.txt --all --format moves
[[ $(grep -E "^([a-z]+ ){19}[a-z]+$" <<<"$out" | sort -u | wc -l) == 4 ]] || fail "should print four different solutions"
solves solve $puzzles/puzzle3x3-20.txt --all
holds $'\nSolution 4\n'
solves solve $puzzles/puzzle3x3-20.txt --count --format moves
prints 4
ends 1 solve "$unsolvable" --all
fails 2 "--algorithm astar alone" solve "$four" --all -a greedy

# Other formats.
solves solve "$four" "$puzzles/puzzle3x3-01.txt" --format json
out=$(sed -E 's/"(bytes|seconds)":[^,}]*/"\1":0/g' <<<"$out")
prints '{"file":"examples/puzzles/puzzle3x3-04.txt","status":"solved","optimal":true,"moves":4,"bound":4,"solution":["right","down","right","down"],"boards":[[[0,1,3],[4,2,5],[7,8,6]],[[1,0,3],[4,2,5],[7,8,6]],[[1,2,3],[4,0,5],[7,8,6]],[[1,2,3],[4,5,0],[7,8,6]],[[1,2,3],[4,5,6],[7,8,0]]],"algorithm":"astar","heuristic":"linear-conflict","expanded":4,"generated":9,"stored":10,"bytes":0,"seconds":0}
{"file":"examples/puzzles/puzzle3x3-01.txt","status":"solved","optimal":true,"moves":1,"bound":1,"solution":["down"],"boards":[[[1,2,3],[4,5,0],[7,8,6]],[[1,2,3],[4,5,6],[7,8,0]]],"algorithm":"astar","heuristic":"linear-conflict","expanded":1,"generated":3,"stored":4,"bytes":0,"seconds":0}'
ends 1 solve "$unsolvable" --format json
holds '"status":"unsolvable","optimal":null,"moves":null,"bound":null,"solution":null,"boards":null,"algorithm":"parity","heuristic":"none"'
solves solve $puzzles/puzzle3x3-20.txt --all --format json
holds '"count":4,"solutions":[["'
solves solve "$four" --format svg
matches "^<svg .*</svg>$"
solves solve "$four" --format html
matches "^<!DOCTYPE html>.*</html>$"
fails 2 "one board" solve "$four" "$four" --format svg
fails 2 "one solution" solve "$four" --all --format svg

# Where to, and how much of it.
solves solve "$four" --output "$work/answer.json"
[[ $(<"$work/answer.json") == '{"file":'* ]] || fail "should answer as the output is called"
solves solve "$four" --output "$work/answer.html"
[[ $(<"$work/answer.html") == '<!DOCTYPE html>'* ]] || fail "should answer as the output is called"
solves solve "$four" --format text --output "$work/answer.html"
[[ $(<"$work/answer.html") == 'Minimum number of moves = 4'* ]] || fail "should answer as it is told"
solves solve "$four" --output "$work/answer.txt"
[[ $(<"$work/answer.txt") == 'Minimum number of moves = 4'* ]] || fail "should answer as text"
solves solve "$four" --format moves --output "$work/answer"
prints ""
[[ $(<"$work/answer") == "right down right down" ]] || fail "should have written the answer"
solves solve "$four" --format json --format moves --output -
prints "right down right down"
[[ ! -e - ]] || fail "should write to the standard output"
solves solve "$four" --quiet
prints ""
ends 1 solve "$unsolvable" --quiet
prints ""
ends 0 solve $puzzles/puzzle4x4-30.txt --quiet --stats
prints ""
[[ $err =~ ^"$puzzles/puzzle4x4-30.txt: solved by astar with linear-conflict: expanded "[0-9]+", generated "[0-9]+", stored "[0-9]+", "[0-9]+" bytes, "[0-9.]+" s"$ ]] || fail "should tell what it did"

# The output is left alone until there is something to write; the input may be the same file.
cp "$four" "$work/same.txt"
solves solve "$work/same.txt" --output "$work/same.txt"
[[ $(<"$work/same.txt") == 'Minimum number of moves = 4'* ]] || fail "should answer into its input"
ends 2 solve missing.txt --output "$work/same.txt"
[[ $(<"$work/same.txt") == 'Minimum number of moves = 4'* ]] || fail "should keep what is in its output"
solves solve $puzzles/puzzle3x3-00.txt --output "$work/same.txt" --format moves
[[ -z $(<"$work/same.txt") ]] || fail "should take the place of what was in its output"
for format in svg html; do
    fails 1 "no solution possible, so no picture" solve "$unsolvable" --format $format
done

# Where the fewest moves are out of reach, the answer is the best solution that is known, and what is proved.
is_bounded() { # MOVES-LINE
    [[ $out =~ ^Number\ of\ moves\ =\ ([0-9]+)\;\ no\ solution\ has\ fewer\ than\ ([0-9]+)$'\n' ]] || fail "should tell both bounds"
    ((BASH_REMATCH[2] > 0 && BASH_REMATCH[2] < BASH_REMATCH[1])) || fail "should tell bounds that differ"
    complains "the best known after "
}
solves random --size 6 --seed 1 --output "$work/six.txt"
ends 4 solve "$work/six.txt" --expansion-limit 100
is_bounded
[[ $err == *": expansion limit" ]] || fail "should tell what ended it"
[[ $(tail -n 8 "$work/out" | tr -s ' \n' ' ') == "6 1 2 "*" 35 0 " ]] || fail "should end at the goal"
ends 4 solve "$work/six.txt" --time-limit 200ms --optimal
is_bounded
for limit in 0s 1ms 50ms; do
    ends 4 solve "$work/six.txt" $puzzles/puzzle5x5-62.txt --time-limit $limit --format json
    [[ $(grep -c '"status":"time_limit","optimal":false' "$work/out") == 2 ]] || fail "should bound both"
done
ends 4 solve "$work/six.txt" --time-limit 100ms --format json
matches '"status":"time_limit","optimal":false,"moves":[0-9]+,"bound":[0-9]+,"solution":\["'
ends 4 solve "$work/six.txt" --heuristic max:hamming,manhattan --time-limit 100ms
is_bounded
ends 4 solve "$work/six.txt" --time-limit 100ms --quiet
prints ""
ends 4 solve "$work/six.txt" --time-limit 100ms --output "$work/answer"
[[ $(<"$work/answer") == "Number of moves = "* ]] || fail "should write the answer"
ends 4 solve $puzzles/puzzle4x4-58.txt "$four" "$unsolvable" --expansion-limit 1000 --format moves
[[ $(wc -l <<<"$out") == 3 ]] || fail "should answer each"
# A puzzle of 5 x 5 has no limit of its own: Ctrl-C ends it, and the answer is complete.
solves random --size 5 --seed 1 --output "$work/five.txt"
for arguments in "solve $work/five.txt --tables never" "solve $work/six.txt --optimal" "solve $work/six.txt -o $work/interrupted.txt"; do
    timeout --foreground --preserve-status -s INT "$(moment 1)" "$npuzzle" $arguments >"$work/out" 2>"$work/err"
    status=$? out=$(<"$work/out") err=$(<"$work/err")
    [[ $arguments != *interrupted* ]] || out=$(<"$work/interrupted.txt")
    ((status == 4)) || fail "should end with status 4"
    is_bounded
    [[ $err == *": cancelled"* && $err != *$'\r'* ]] || fail "should tell what ended it, without a line of progress"
done
ends 3 solve $puzzles/puzzle5x5-62.txt --algorithm ida --heuristic hamming --time-limit 20ms
prints ""
solves solve "$work/six.txt" --algorithm beam
solves solve "$work/six.txt" --algorithm constructive
solves solve $puzzles/puzzle6x6-20.txt

# Boards that would fill a disk are left out.
solves random --size 50 --seed 1 --output "$work/fifty.txt"
solves solve "$work/fifty.txt" --algorithm constructive
matches $'^Number of moves = [0-9]+\nThe boards would take [0-9]+ MB; these are the moves of the blank instead:\n(up|down|left|right) '
[[ $(wc -l <"$work/out") == 3 ]] || fail "should print the moves alone"
moves=$(head -n 1 "$work/out")
[[ $(tail -n 1 "$work/out" | wc -w) == "${moves##* }" ]] || fail "should print all moves"
solves solve "$work/fifty.txt" --algorithm constructive --format json
holds '"boards":null'

# Limits.
ends 4 solve $puzzles/puzzle4x4-58.txt --expansion-limit 1000
is_bounded
ends 3 solve $puzzles/puzzle4x4-58.txt --algorithm ida --expansion-limit 1000
prints ""
complains "$puzzles/puzzle4x4-58.txt: no solution found: expansion limit after "
ends 3 solve $puzzles/puzzle4x4-58.txt --algorithm astar --memory-limit 1MB
complains "memory limit"
complains "it takes more than 1 MB; --spill FOLDER takes a file for it, and --algorithm ida next to none"
ends 3 solve $puzzles/puzzle4x4-58.txt -a astar --memory-limit 100kB --format moves
prints "memory_limit"
# A solution as long as the heuristic of the board is a shortest one, whatever ended the search.
solves solve "$four" -H hamming --expansion-limit 1
matches "^Minimum number of moves = 4"$'\n'
for limit in --time-limit=1h --time-limit=9m --memory-limit=1GB --memory-limit=100000000B --expansion-limit=100000; do
    solves solve "$four" "$limit" --format moves
    prints "right down right down"
done
ends 3 solve $puzzles/puzzle4x4-58.txt --count --expansion-limit 100 --format json
[[ $out != *'"count"'* ]] || fail "should not claim to have counted"
# Advice is what can be followed.
ends 3 solve $puzzles/puzzle3x3-31.txt -a astar --memory-limit 50kB
complains "it takes more than 50 kB; --algorithm ida takes next to none"
ends 3 solve $puzzles/puzzle4x4-58.txt --count --memory-limit 1MB
complains "it takes more than 1 MB"
[[ $err != *--* ]] || fail "should advise nothing"

# A name in brackets is no list of names.
ends 2 solve '[missing]'
complains "[missing]: "

# A board that is unsolvable to the goal that was chosen, but not to another one.
printf '3\n3 2 6\n1 4 0\n8 7 5\n' >"$work/spiral.txt"
ends 1 solve "$work/spiral.txt"
complains "$work/spiral.txt: no solution possible; it is solvable with --goal spiral"
ends 1 solve "$work/spiral.txt" --format json
holds '"other_goal":"spiral"'
solves solve "$work/spiral.txt" --goal spiral

# Several at the same time come in their order.
for threads in 1 2 0; do
    ends 2 solve $puzzles/puzzle4x4-50.txt "$four" missing.txt "$unsolvable" $puzzles/puzzle3x3-01.txt --threads $threads -f moves
    tells "missing.txt: No such file or directory"
    [[ $(tail -n 3 <<<"$out") == $'right down right down\nunsolvable\ndown' ]] || fail "should be in order"
done

finish

# Whatever ends a search, the answer that there is gets out: status 0 and 4 with it, status 3 without one; and never 0 or 4
# without the file.
source tests/program/support.sh

hard=$puzzles/puzzle4x4-58.txt
soon=$puzzles/puzzle4x4-50.txt # by anytime: a solution after 12,000 expansions, the proof after a million
all=(auto astar ida bidirectional weighted greedy anytime beam constructive)
some=$(moment 0.4)
enough=$(moment 1.6) # for that solution, also on a busy machine

# run PLACE END ARGUMENT...: solves the board in the background, with the answer in a file or on standard output.
runs=()
run() {
    local folder=$work/run${#runs[@]} place=$1 end=$2 ending=() board=$hard time=$some
    shift 2
    runs+=("$place $end $*")
    mkdir "$folder"
    [[ $* != *anytime* ]] || board="$soon --weight 3" time=$enough
    local command=("$npuzzle" solve $board -H manhattan --tables never --memory-limit 200MB "$@")
    [[ $place == out ]] || command+=(--output "$folder/answer")
    [[ $end == limit ]] && command+=(--time-limit "${time}s") || ending=(timeout --foreground --preserve-status -s "$end" "$time")
    {
        "${ending[@]}" "${command[@]}" >"$folder/out" 2>"$folder/err"
        echo $? >"$folder/status"
    } &
    ((${#runs[@]} < 6)) || judge
}

# What came of the last few.
judge() {
    local i folder answer
    wait
    for i in "${!runs[@]}"; do
        arguments=${runs[i]} folder=$work/run$i
        status=$(<"$folder/status") out=$(head -c 300 "$folder/out") err=$(<"$folder/err")
        [[ $arguments == out* ]] && answer=$folder/out || answer=$folder/answer
        case $status in
        0 | 4) [[ -s $answer ]] || fail "should not lose its answer" ;;
        3) [[ ! -e $folder/answer ]] || fail "should leave its file alone" ;;
        *) fail "should end with status 0, 3 or 4" ;;
        esac
        ((status == 0)) || [[ -n $err ]] || fail "should say what ended it"
        case $arguments in
        *" -a auto "*) ((status == 4)) || fail "should tell the solution that it knows, with status 4" ;;
        *" -a anytime "*) ((status == 4 || status == 0)) || fail "should tell the solution that it knows" ;;
        *" -a constructive "*) ((status == 0)) || fail "should be ready" ;;
        esac
        rm -r "$folder"
    done
    runs=()
}

for algorithm in "${all[@]}"; do
    for format in text moves json html svg; do
        run file limit -a $algorithm -f $format
        if [[ $algorithm == auto || $algorithm == anytime ]]; then
            for signal in INT TERM; do
                run file $signal -a $algorithm -f $format
                run out $signal -a $algorithm -f $format
            done
        elif [[ $format == json ]]; then
            for signal in INT TERM; do run file $signal -a $algorithm -f $format; done
        fi
    done
done
judge

ends 4 solve $soon -a anytime -w 3 -H manhattan --expansion-limit 50000 -f json
holds '"status":"expansion_limit","optimal":false'

# Other commands that write files.
for command in "trace $hard --steps 100000" \
    "compare $soon --heuristics hamming,manhattan -a anytime" "random --size 4 --count 100000000"; do
    for signal in INT TERM; do
        echo precious >"$work/answer"
        arguments="$command, then SIG$signal"
        timeout --foreground --preserve-status -k 20 -s $signal "$some" "$npuzzle" $command --output "$work/answer" >"$work/out" 2>"$work/err"
        status=$? out=$(head -c 300 "$work/out") err=$(<"$work/err")
        case $status in
        0 | 4) [[ $(head -c 8 "$work/answer") != precious ]] || fail "should not lose its answer" ;;
        3) [[ $(<"$work/answer") == precious && -n $err && -z $(ls "$work"/*.new-* 2>/dev/null) ]] || fail "should leave its file alone, and say what ended it" ;;
        *) fail "should end with status 0, 3 or 4" ;;
        esac
    done
done

finish

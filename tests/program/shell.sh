# The completion for bash and zsh, and the manual page.
source tests/program/support.sh

shell=examples/npuzzle/shell
source $shell/npuzzle.bash
completes() { # WORD... EXPECTED: the last word is completed; = and : stand between words, as bash has it
    local expected=${*: -1}
    COMP_WORDS=("$npuzzle" "${@:1:$#-1}")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _npuzzle
    arguments="${COMP_WORDS[*]:1}, to be completed" status=0 out="${COMPREPLY[*]}" err=
    prints "$expected"
}
completes c "check compare"
completes pdb "" "build info verify"
completes --v "--version"
completes solve --th "--threads"
completes solve --algorithm b "bidirectional beam"
completes solve --algorithm = b "bidirectional beam"
completes solve --algorithm = "auto astar ida bidirectional weighted greedy anytime beam constructive"
completes solve --format j "json"
completes solve -f j "json"
completes solve --goal bl "blank-last blank-first"
completes solve --goal examples/solve "examples/solver.cpp"
completes solve --goal = examples/solve "examples/solver.cpp"
completes solve --heuristic l "linear-conflict"
completes solve -H pdb : 7 "7-8 7-7-7-3"
completes solve -H max : hamming,m "hamming,manhattan"
completes solve -H m "max: manhattan"
completes compare --heuristics hamming,w "hamming,walking-distance"
completes trace -H h "hamming"
completes pdb build 5 "5-5-5"
completes pdb verify --fol "--folder"
completes pdb verify --folder exampl "examples"
completes solve --weight "" ""
completes solve --all examples/solve "examples/solver.cpp"
completes solve -f json examples/solve "examples/solver.cpp"
completes random ex ""

# In the shells themselves.
mkdir "$work/bin"
ln -s "$(realpath "$npuzzle")" "$work/bin/npuzzle"
in_shell() { # SHELL STEP...
    has_terminals && command -v "$1" >/dev/null || return
    arguments="completion in $1" out=
    out=$(printf '%s\n' "${@:2}" "types \x15exit\r" |
        PATH=$work/bin:$PATH INPUTRC=/dev/null TERM=dumb "$python" tests/program/pseudo_terminal.py 24 80 "${start[@]}" 2>&1)
    status=$?
    [[ $out != *"it never "* ]] || fail "should be completed"
}
steps=(
    "types npuzzle so\t" "sees solve "
    "types --goal=sp\t" "sees --goal=spiral "
    "types -H max:hamming,li\t" "sees linear-conflict "
    "types examples/puzzles/puzzle2x2-un\t" "sees solvable1.txt "
    "types \x15npuzzle pdb build 5\t" "sees 5-5-5 "
)
start=(bash --norc --noprofile -i)
in_shell bash "types PS1='rea''dy '; source $shell/npuzzle.bash\r" "sees ready" "${steps[@]}"
start=(zsh -f -i)
in_shell zsh "types PS1='rea''dy '; fpath=($shell \$fpath); autoload -U compinit; compinit -u -D\r" "sees ready" "${steps[@]}"

# The manual page names all commands, and their options with them or with those of a search.
section() { # FIRST LINE BEGINS WITH
    awk -v begin="$1" 'index($0, begin) == 1 { is_in = 1; print; next } /^\.S[HS]/ { is_in = 0 } is_in' $shell/npuzzle.1
}
solves --help
for command in $(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$out"); do
    named=$(section ".SS \"$command ")
    [[ -n $named ]] || fail "the manual page leaves out $command"
    [[ $named != *"options of a search"* ]] || named+=$(section ".SH OPTIONS OF A SEARCH")
    help=$command
    [[ $command != pdb ]] || help="pdb build"
    solves $help --help
    for option in $(grep -oE '^  (-[A-Za-z],)?--[a-z-]+' <<<"$out" | tr , ' '); do
        [[ $option == -h || $option == --help ]] ||
            grep -qE -- "(fB| )${option//-/\\\\-}(\\\\fR| |\$)" <<<"$named" || fail "the manual page leaves out $option"
    done
done
if command -v zsh >/dev/null; then
    zsh -n $shell/_npuzzle || fail "zsh should understand its completion"
fi
for reader in "man --warnings -l" "groff -ww -man -Tutf8" "mandoc -T lint -W warning"; do
    command -v ${reader%% *} >/dev/null || continue
    err=$($reader $shell/npuzzle.1 2>&1 >/dev/null)
    arguments=$reader out=
    [[ -z $err ]] || fail "the manual page should have no warnings"
done

finish

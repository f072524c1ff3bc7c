# The completion for bash, and the manual page.
source tests/program/support.sh

shell=examples/npuzzle/shell
source $shell/npuzzle.bash
completes() { # WORD... EXPECTED: the last word is completed
    local expected=${*: -1}
    COMP_WORDS=("$npuzzle" "${@:1:$#-1}")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _npuzzle
    arguments="${COMP_WORDS[*]:1}, to be completed" status=0 out="${COMPREPLY[*]}" err=
    prints "$expected"
}
completes c "check compare"
completes pdb "" "build info verify"
completes solve --th "--threads"
completes solve --algorithm b "bidirectional beam"
completes solve --format j "json"
completes solve -f j "json"
completes pdb verify --f "--folder"
completes solve examples/solve "examples/solver.cpp"

solves --help
for command in $(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$out"); do
    grep -qx "\.B $command" $shell/npuzzle.1 || fail "the manual page leaves out $command"
done
if command -v zsh >/dev/null; then
    zsh -n $shell/_npuzzle || fail "zsh should understand its completion"
fi
if command -v man >/dev/null; then
    err=$(man --warnings -l $shell/npuzzle.1 2>&1 >/dev/null)
    [[ -z $err ]] || fail "the manual page should have no warnings"
fi

finish

# The help has an example for each command, and each option in it is in a test that runs the command.
source tests/program/support.sh

solves --version
matches "^npuzzle [0-9]+\.[0-9]+\.[0-9]+$"
solves --help
holds "Exit status: 0 solved, 1 unsolvable, 2 bad usage or input, 3 a limit struck,
4 the same, and the best solution that is known is printed."
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$out")
[[ $commands == solve*compare*pdb* ]] || fail "should list the commands"
solves solve -h
holds "Usage: npuzzle solve"

tests=$(sed -e ':a' -e '/\\$/N; s/\\\n//; ta' tests/program/*.sh) # with long lines put together
check_options() { # COMMAND...
    solves "$@" --help
    holds $'\nExamples:\n  npuzzle '
    local option
    for option in $(grep -oE '^  (-[A-Za-z],)?--[a-z-]+' <<<"$out" | grep -oE -- '--[a-z-]+'); do
        grep -qE "^ *([a-z]+=[^ ]* )?(ends [0-4]|solves|fails .*) ($*|\\\$command) (.* )?$option" <<<"$tests" ||
            [[ $option == --help ]] || fail "no test runs npuzzle $* $option"
    done
    local action
    for action in $(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$out"); do
        check_options "$@" "$action"
    done
}
for command in $commands; do check_options "$command"; done

finish

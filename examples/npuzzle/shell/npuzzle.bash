# Completion of npuzzle's command line for bash. The commands and options are those that its --help lists.
_npuzzle() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} commands=() help i
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == [a-z]* ]] || break
        commands+=("${COMP_WORDS[i]}")
        [[ ${commands[0]} == pdb && ${#commands[@]} == 1 ]] || break
    done
    help=$("${COMP_WORDS[0]}" "${commands[@]}" --help 2>/dev/null)
    COMPREPLY=()
    if [[ $before == -* ]]; then
        # The values that the help writes behind the option, with bars between.
        local values
        values=$(sed -nE "s/^  (-[A-Za-z],)?$before ([^ ]+\|[^ ]+).*/\2/p; s/^  $before,[^ ]+ ([^ ]+\|[^ ]+).*/\1/p" <<<"$help")
        if [[ -n $values ]]; then
            mapfile -t COMPREPLY < <(compgen -W "${values//|/ }" -- "$word")
            [[ $values != *FILE* ]] || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
            return
        fi
    fi
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(grep -oE '^  (-[A-Za-z],)?--[a-z-]+' <<<"$help" | grep -oE -- '--[a-z-]+')" -- "$word")
    elif [[ $help == *$'\nCommands:'* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$help")" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -o filenames -F _npuzzle npuzzle

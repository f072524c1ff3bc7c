# Completion of npuzzle's command line for bash. The commands, options and values are those that its --help lists.
_npuzzle() {
    local words=() word part is_joined= option= value head commands=() help kind names=() replies=()
    local program=${COMP_WORDS[0]/#\~/$HOME}

    # Bash takes words apart at = and :, as in --goal=spiral and pdb:7-8. Here they are whole.
    for part in "${COMP_WORDS[@]:0:COMP_CWORD + 1}"; do
        if [[ -n $is_joined || ($part =~ ^[=:]+$ && ${#words[@]} -gt 1) ]]; then
            words[${#words[@]} - 1]+=$part
        else
            words+=("$part")
        fi
        [[ $part =~ ^[=:]+$ ]] && is_joined=yes || is_joined=
    done
    word=${words[${#words[@]} - 1]} value=$word head=
    if [[ $word == --*=* ]]; then
        option=${word%%=*} value=${word#*=} head=$option=
    elif [[ ${words[${#words[@]} - 2]} == -* ]]; then
        option=${words[${#words[@]} - 2]}
    fi

    for part in "${words[@]:1:${#words[@]} - 2}"; do
        [[ $part == [a-z]* ]] || break
        commands+=("$part")
        [[ ${commands[0]} == pdb && ${#commands[@]} == 1 ]] || break
    done
    help=$("$program" "${commands[@]}" --help 2>/dev/null) || help=

    # What stands behind the option in the help, if it takes a value: NUMBER, FILE, text|moves|json.
    kind=
    if [[ $option =~ ^--?[A-Za-z-]+$ ]]; then
        kind=$(sed -nE "s/^  (-[A-Za-z],)?$option ([^ ]+).*/\2/p; s/^  $option,--[a-z-]+ ([^ ]+).*/\1/p" <<<"$help")
        [[ $kind == *[A-Z\|]* && $kind != *: ]] || kind=
    fi
    if [[ -n $kind ]]; then
        if [[ $kind == *PARTITION* || $kind == A,* ]]; then # a heuristic, or several
            part=${value##*[,+]} && part=${part#max:}
            head+=${value:0:${#value} - ${#part}} value=$part
            kind=$("$program" solve --help 2>/dev/null | sed -nE 's/^  (-H,)?--heuristic ([^ ]+).*/\2/p')
            names=(max: $("$program" pdb build --help 2>/dev/null |
                sed -nE 's/^  NAME //p' | grep -oE '[0-9]+(-[0-9]+)+' | sed 's/^/pdb:/'))
        fi
        if [[ $head == *max:* ]]; then names=("${names[@]:1}") kind=${kind#auto|}; fi
        for part in ${kind//|/ }; do
            [[ $part == *[A-Z]* ]] || names+=("$part")
        done
        mapfile -t replies < <(compgen -W "${names[*]}" -- "$value")
        [[ $kind != *FILE* ]] || mapfile -t -O "${#replies[@]}" replies < <(compgen -f -- "$value")
        [[ $kind != *FOLDER* ]] || mapfile -t replies < <(compgen -d -- "$value")
    elif [[ $word == -* ]]; then
        mapfile -t replies < <(compgen -W "$(grep -oE '^  (-[A-Za-z],)?--[a-z-]+' <<<"$help" | grep -oE -- '--[a-z-]+')" -- "$word")
    elif [[ $help == *$'\nCommands:'* ]]; then
        mapfile -t replies < <(compgen -W "$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$help")" -- "$word")
    elif [[ $help == *$'\n  NAME '* ]]; then
        mapfile -t replies < <(compgen -W "$(sed -nE 's/^  NAME //p' <<<"$help" | grep -oE '[0-9]+(-[0-9]+)+')" -- "$word")
    elif [[ $help == *$'\n  FILE '* ]]; then
        mapfile -t replies < <(compgen -f -- "$word")
    fi

    # A reply takes the place of what bash holds for the word.
    part=${COMP_WORDS[COMP_CWORD]}
    [[ ! $part =~ ^[=:]+$ ]] || part=
    COMPREPLY=()
    for value in "${replies[@]}"; do
        value=$head$value
        COMPREPLY+=("${value:${#word} - ${#part}}")
    done
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o filenames -F _npuzzle npuzzle

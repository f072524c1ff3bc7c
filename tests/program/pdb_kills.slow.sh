# Kills builders of tables at random moments, 100 of them or as many as $KILLS says. Afterwards each file is whole.
source tests/program/support.sh

kills=${KILLS:-100}
RANDOM=${SEED:-1}
name=abcdefghijklmno. # many small tables, so that much of the time goes into their files
good=$work/good
tables=$work/tables
microseconds=999999999
for run in 1 2 3; do
    rm -rf "$good"
    begin=$EPOCHREALTIME
    solves pdb build $name --folder "$good"
    end=$EPOCHREALTIME
    taken=$((${end/./} - ${begin/./}))
    ((taken >= microseconds)) || microseconds=$taken
done

struck=0 lost=0 beside=0
for ((kill = 0; struck < kills && kill < 10 * kills; kill++)); do
    # In an empty folder, or in one with damaged tables to be replaced.
    rm -rf "$tables" && mkdir "$tables"
    if ((kill % 2)); then
        for file in "$good"/*; do head -c 4200 "$file" | tr 'N' 'n' >"$tables/${file##*/}"; done
        rm -rf "$work/damaged" && cp -r "$tables" "$work/damaged"
    fi
    "$npuzzle" pdb build $name --folder "$tables" >/dev/null 2>&1 &
    builder=$!
    sleep "$(awk -v share=$RANDOM -v most=$microseconds 'BEGIN { print share / 32768 * most / 1e6 }')"
    kill -9 $builder 2>/dev/null && struck=$((struck + 1))
    wait $builder 2>/dev/null
    arguments="pdb build, killed ($kill)" status=137 out= err=
    for file in "$tables"/*; do
        [[ -e $file ]] || continue
        same=$good/${file##*/}
        if [[ $file != *.npdb ]]; then
            beside=$((beside + 1))
            whole=no
            for other in "$good"/*; do cmp -s "$file" "$other" && whole=yes; done
            [[ $whole == yes ]] || { lost=$((lost + 1)) && fail "should leave no part of a file, as ${file##*/} is"; }
        elif ! cmp -s "$file" "$same" && ! { ((kill % 2)) && cmp -s "$file" "$work/damaged/${file##*/}"; }; then
            lost=$((lost + 1))
            fail "should leave ${file##*/} whole"
        fi
    done
done
((struck == kills)) || fail "should have been killed more often than $struck times"

# The next builder removes what has another name still.
solves pdb build $name --folder "$tables"
solves pdb verify $name --folder "$tables"
[[ $(ls "$tables") == "$(ls "$good")" ]] || fail "should leave the tables alone"
echo "$struck builders were killed: $lost files were not whole, $beside had their temporary name"

finish

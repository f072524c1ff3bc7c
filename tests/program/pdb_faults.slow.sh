source tests/program/support.sh
has_faults || skip "faults cannot be put into this program"

# Every call for files that `pdb build`, `pdb verify` and `solve` make fails in turn, is cut short, or is the last one.
# Afterwards each table is the old file or the new one, and nothing else is there.
good=$work/good
solves pdb build 3-3-2 --folder "$good" --threads 1
tables=$work/tables

# is_one_of FILE FILE...
is_one_of() {
    local other
    for other in "${@:2}"; do cmp -s "$1" "$other" && return; done
    return 1
}

# check_files OLD: whether each file is what it was or what it is to be.
check_files() {
    local file
    for file in "$tables"/*; do
        [[ -e $file ]] || continue
        if [[ -e $good/${file##*/} ]]; then
            is_one_of "$file" "$good/${file##*/}" "$1/${file##*/}" || fail "should leave ${file##*/} whole"
        elif [[ $2 == dies* ]]; then
            [[ $file == *.npdb.new-* ]] || fail "should leave nothing that is not whole, as ${file##*/} is"
        else
            fail "should leave no ${file##*/}"
        fi
    done
}

# every_call KIND FAULT OLD ARGUMENT...: a run for each call, with the tables of OLD.
every_call() {
    local kind=$1 fault=$2 old=$3 number
    shift 3
    for ((number = 1; number < 200; number++)); do
        rm -rf "$tables" && cp -r "$old" "$tables"
        faulty "$kind:$number:$fault" "$@"
        [[ $hit == yes ]] || break
        check_files "$old" "$fault"
        if [[ $fault == dies ]]; then
            ((status == 137)) || fail "should have died"
        elif ((status != 0)); then
            complains "$work"
        fi
    done
    ((number < 200)) || fail "should come to an end"
}

none=$work/none
damaged=$work/damaged
mkdir "$none"
cp -r "$good" "$damaged"
for file in "$damaged"/*; do printf 'x' | dd of="$file" bs=1 seek=0 conv=notrunc status=none; done

for fault in EIO ENOSPC short dies; do
    every_call any $fault "$none" pdb build 3-3-2 --threads 1 --folder "$tables"
    every_call any $fault "$damaged" pdb build 3-3-2 --threads 1 --folder "$tables"
done
for fault in EIO EACCES dies; do
    every_call any $fault "$good" pdb verify 3-3-2 --folder "$tables"
done
# A search that finds the tables or builds them.
board=$work/board.txt
printf '3\n1 2 3\n4 5 6\n0 7 8\n' >"$board"
NPUZZLE_CACHE=$tables
for old in "$none" "$good"; do
    every_call any EIO "$old" solve -a ida -H pdb:3-3-2 --tables build "$board"
done
every_call write EINTR "$none" pdb build 3-3-2 --threads 1 --folder "$tables"

# After any of it the next run makes what is missing.
solves pdb build 3-3-2 --folder "$tables"
solves pdb verify 3-3-2 --folder "$tables"

finish

source tests/program/support.sh

tables=$work/tables
solves pdb info 3-3-2 --folder "$tables"
matches "^aab
abb
cc\.
$tables/additive-3x3-cells[0-9a-f]+-blank02.npdb: is not there"
ends 2 pdb verify 3-3-2 --folder "$tables"
holds "is not there"

# 9 * 8 * 7 placements of three tiles, 9 * 8 of two.
solves pdb build 3-3-2 --folder "$tables" --threads 1
matches "npdb: built in [0-9.]+ s, 504 entries, values to [0-9]+, mean [0-9.]+"
matches "npdb: built in [0-9.]+ s, 72 entries, values to [0-9]+, mean [0-9.]+$"
solves pdb build 3-3-2 --folder "$tables"
matches "npdb: there, 504 entries"
solves pdb verify 3-3-2 --folder "$tables" --threads 2
matches "npdb: whole, 504 entries"
solves pdb info 3-3-2 --folder "$tables" --threads 1
matches "npdb: there, 72 entries"

# Zero-aware tables are files of their own.
solves pdb build 3-3-2 --folder "$work/zero-aware" --zero-aware
matches "zero-aware-3x3-cells[0-9a-f]+-blank02.npdb: built in [0-9.]+ s, [0-9]+ entries, values to [0-9]+"
solves pdb verify 3-3-2 --folder "$work/zero-aware" --zero-aware
matches "npdb: whole"
solves pdb info 3-3-2 --folder "$work/zero-aware" --zero-aware
matches "zero-aware-.*npdb: there"
fails 2 "leaves at least two tiles out" pdb build aaaaaaab. --zero-aware
# For boards of size 5 they are the usual ones.
solves pdb build aa...aa.................. --folder "$work/five"
matches "zero-aware-5x5-cells[0-9a-f]+-blank..\.npdb: built"
ends 0 pdb info aa...aa.................. --folder "$work/five" --additive
matches "additive-5x5-cells[0-9a-f]+-blank..\.npdb: is not there"
fails 2 "excludes" pdb build 3-3-2 --zero-aware --additive
solves pdb build 3-3-2 --folder "$work/five" --additive
solves pdb verify 3-3-2 --folder "$work/five" --additive
solves pdb info 3-3-2 --folder "$tables" --threads 1

# A damaged table is found, and mended.
table=$(sed -n 's/^\(.*npdb\): .*/\1/p' <<<"$out" | head -n 1)
printf 'x' | dd of="$table" bs=1 seek=4100 conv=notrunc status=none
ends 2 pdb verify 3-3-2 --folder "$tables"
tells "is damaged in its entries"
printf 'x' | dd of="$table" bs=1 seek=0 conv=notrunc status=none
solves pdb build 3-3-2 --folder "$tables"
solves pdb verify 3-3-2 --folder "$tables"

# What is not a file is not waited for, and others' tables are refused unless the user says so.
board=$work/board.txt
printf '3\n1 2 3\n4 5 6\n0 7 8\n' >"$board"
cp "$table" "$work/kept"
rm "$table" && mkfifo "$table"
fails 2 "$table: is not a regular file" pdb verify 3-3-2 --folder "$tables"
usual=$NPUZZLE_CACHE
NPUZZLE_CACHE=$tables
fails 2 "$table: is not a regular file" solve -a ida -H pdb:3-3-2 "$board"
solves pdb build 3-3-2 --folder "$tables"
cmp -s "$table" "$work/kept" || fail "should have built the table again"
chmod 777 "$tables"
for search in "-a ida" "-a weighted" "-a auto"; do
    fails 2 "which can be written to by everyone" solve $search -H pdb:3-3-2 "$board"
    solves solve $search -H pdb:3-3-2 "$board" --trust-tables
done
solves check --trust-tables -H pdb:3-3-2 "$board"
solves compare --trust-tables --heuristics pdb:3-3-2 "$board"
NPUZZLE_CACHE=$usual
fails 2 "which can be written to by everyone, so the table may be anyone's work; if you trust it all the same" \
    pdb verify 3-3-2 --folder "$tables"
fails 2 "(npuzzle --trust-tables)" pdb build 4-4 --folder "$tables" # before it is built
solves pdb build 3-3-2 --folder "$tables" --trust-tables
solves pdb info 3-3-2 --folder "$tables" --trust-tables
solves pdb verify 3-3-2 --folder "$tables" --trust-tables
chmod 755 "$tables"
if ((EUID == 0)); then
    chown 1234 "$table"
    fails 2 "$table: belongs to user 1234" pdb info 3-3-2 --folder "$tables"
    solves pdb info 3-3-2 --folder "$tables" --trust-tables
    chown 0 "$table"
fi
solves pdb verify 3-3-2 --folder "$tables"

# A table that is truncated while a search uses it ends the program with one line.
solves pdb build 5-5-5 --folder "$tables"
printf '4\n0 12 9 13\n15 11 10 14\n3 7 2 5\n4 8 6 1\n' >"$board" # of 80 moves
arguments="solve, whose tables are truncated"
NPUZZLE_CACHE=$tables "$npuzzle" solve -a ida -H pdb:5-5-5 "$board" >"$work/out" 2>"$work/err" &
searching=$!
sleep 1
for file in "$tables"/additive-4x4*; do truncate -s 4096 "$file"; done
wait $searching
status=$? out=$(<"$work/out") err=$(<"$work/err")
if ((status != 0)); then # else it was done before
    ((status == 2)) || fail "should end with status 2"
    complains "a table's file was truncated"
fi

# A build that is stopped leaves nothing that is not whole.
arguments="pdb build 6-6-3, and Ctrl-C"
timeout --preserve-status -s INT 0.1 "$npuzzle" pdb build 6-6-3 --folder "$work/stopped" --threads 1 \
    >"$work/out" 2>"$work/err"
status=$? out=$(<"$work/out") err=$(<"$work/err")
((status == 3)) || fail "should end with status 3"
[[ $err == "npuzzle: cancelled" ]] || fail "should say that it was cancelled"
solves pdb build 6-6-3 --folder "$work/stopped"
solves pdb verify 6-6-3 --folder "$work/stopped"

# Drawings, goals, and the usual folder.
solves pdb build aabbccdd. --goal blank-last
[[ -n $(ls "$NPUZZLE_CACHE") ]] || fail "should keep them in the cache folder"
solves pdb verify aabbccdd. --goal blank-last
solves pdb info 7-8 --goal spiral
matches "^[ab.]{4}
[ab.]{4}
[ab.]{4}
[ab.]{4}
"
fails 2 'no partition "9-9"' pdb build 9-9
fails 2 "a command is missing" pdb
fails 2 "there is no command rebuild" pdb rebuild 4-4
fails 2 "NAME is required" pdb build
fails 2 "missing.txt: No such file or directory" pdb build 4-4 --goal missing.txt
fails 2 "npdb: cannot be written: making its folder: Not a directory" pdb build 4-4 --folder /dev/null
fails 2 "Not a directory" pdb build 6-6-6-6 --folder /dev/null/tables # before a minute's work

finish

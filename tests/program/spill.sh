# Searches that keep what does not fit in memory in a folder.
source tests/program/support.sh

board=$puzzles/puzzle4x4-40.txt
folder=$work/folder
mkdir "$folder"

solves solve "$board" -a astar -H manhattan --spill "$folder" --memory-limit 1MB -f moves
[[ $(wc -w <<<"$out") == 40 ]] || fail "should find 40 moves"
solves solve "$board" -a astar --spill "$folder" -f moves
[[ $(wc -w <<<"$out") == 40 ]] || fail "should find 40 moves"
[[ -z $(ls -A "$folder") ]] || fail "should leave nothing in the folder"

ends 3 solve "$board" -a astar -H manhattan --spill "$folder" --memory-limit 10kB
complains "memory"
fails 2 "cannot be made in $folder/none: No such file" solve "$board" -a astar -H manhattan --spill "$folder/none"
fails 2 "--spill goes with --algorithm astar alone" solve "$board" -a ida --spill "$folder"
fails 2 "--spill goes with --algorithm astar alone" solve "$board" --spill "$folder"
fails 2 "--spill goes with boards of size 4 and 5 alone" solve $puzzles/puzzle3x3-11.txt -a astar --spill "$folder"
fails 2 "--spill goes with one solution of each board" solve "$board" -a astar --spill "$folder" --count
fails 2 "--checkpoint goes with --algorithm ida alone" solve "$board" -a astar --spill "$folder" --checkpoint "$work/checkpoint"

finish

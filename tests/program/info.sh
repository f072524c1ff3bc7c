source tests/program/support.sh

solves info $puzzles/puzzle3x3-04.txt
prints "3
 0  1  3 
 4  2  5 
 7  8  6 
size = 3
hamming = 4
manhattan = 4
linear conflict = 4
goal? = false
solvable? = true
neighbors:
3
 1  0  3 
 4  2  5 
 7  8  6 
3
 4  1  3 
 0  2  5 
 7  8  6 
twin:
3
 0  1  3 
 2  4  5 
 7  8  6 "
input=$puzzles/puzzle2x2-unsolvable1.txt solves info -
holds "solvable? = false"
solves info $puzzles/puzzle3x3-00.txt --goal $puzzles/puzzle3x3-00.txt
holds "goal? = true"
solves info $puzzles/puzzle3x3-00.txt --goal blank-first
holds "goal? = false"

finish

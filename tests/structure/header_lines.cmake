# cmake -DROOT=<project> -P header_lines.cmake
# No header is longer than 500 lines. Headers that still are stand in a list here, and leave it when they are shorter.
cmake_minimum_required(VERSION 3.25)

set(most_lines 500)
set(
    still_longer
    puzzle/heuristics/walking_distance.hpp
    search/all_paths.hpp
    search/anytime.hpp
    search/ida_star.hpp
    search/kernel/best_first_engine.hpp
    search/kernel/bidirectional_engine.hpp
    search/kernel/layers.hpp
)

file(GLOB_RECURSE headers RELATIVE "${ROOT}/include/npuzzle" "${ROOT}/include/npuzzle/*.hpp")
if(NOT headers)
    message(FATAL_ERROR "no headers below ${ROOT}/include/npuzzle")
endif()

set(wrong "")
foreach(header IN LISTS headers)
    file(READ "${ROOT}/include/npuzzle/${header}" text)
    string(REGEX REPLACE "[^\n]" "" line_ends "${text}")
    string(LENGTH "${line_ends}" lines)
    if(lines GREATER most_lines AND NOT header IN_LIST still_longer)
        list(APPEND wrong "${header} has ${lines} lines")
    elseif(lines LESS_EQUAL most_lines AND header IN_LIST still_longer)
        list(APPEND wrong "${header} has ${lines} lines, and leaves the list of those that are longer")
    endif()
endforeach()
foreach(header IN LISTS still_longer)
    if(NOT header IN_LIST headers)
        list(APPEND wrong "${header} is not there, and leaves the list of those that are longer")
    endif()
endforeach()

if(wrong)
    list(JOIN wrong "\n  " wrong)
    message(FATAL_ERROR "A header has at most ${most_lines} lines:\n  ${wrong}")
endif()

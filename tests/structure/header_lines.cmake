# cmake -DROOT=<project> -P header_lines.cmake
# No header is longer than 500 lines.
cmake_minimum_required(VERSION 3.25)

set(max_lines 500)

file(GLOB_RECURSE headers RELATIVE "${ROOT}/include/npuzzle" "${ROOT}/include/npuzzle/*.hpp")
if(NOT headers)
    message(FATAL_ERROR "no headers below ${ROOT}/include/npuzzle")
endif()

set(wrong "")
foreach(header IN LISTS headers)
    file(READ "${ROOT}/include/npuzzle/${header}" text)
    string(REGEX REPLACE "[^\n]" "" line_ends "${text}")
    string(LENGTH "${line_ends}" lines)
    if(lines GREATER max_lines)
        list(APPEND wrong "${header} has ${lines} lines")
    endif()
endforeach()

if(wrong)
    list(JOIN wrong "\n  " wrong)
    message(FATAL_ERROR "A header has at most ${max_lines} lines:\n  ${wrong}")
endif()

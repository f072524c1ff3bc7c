# cmake -DROOT=<project> -P tags.cmake
# Every test case has a tag, so that cases can be chosen by what they are about.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE tests RELATIVE "${ROOT}" "${ROOT}/tests/*.test.cpp")
if(NOT tests)
    message(FATAL_ERROR "no tests below ${ROOT}/tests")
endif()

set(wrong "")
set(literal "\"([^\"\\\\]|\\\\.)*\"[ \t\n]*")
foreach(test IN LISTS tests)
    file(READ "${ROOT}/${test}" text)
    # A name, of one or more literals, and nothing behind it.
    string(REGEX MATCH "\nTEST_CASE\\(((${literal})+)\\)" found "${text}")
    if(found)
        string(STRIP "${CMAKE_MATCH_1}" name)
        string(APPEND wrong "\n  ${test}: ${name}")
    endif()
endforeach()

if(wrong)
    message(FATAL_ERROR "Test cases without a tag, the first of each file:${wrong}")
endif()

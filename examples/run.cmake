# cmake -DEXPECTED=<file or nothing> -DACTUAL=<file to write> -P run.cmake -- <program> <argument>...
# Runs an example with nothing on its standard input: it must succeed, and print what is expected.
cmake_minimum_required(VERSION 3.25)

set(command "")
set(is_command OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
    if(is_command)
        list(APPEND command "${CMAKE_ARGV${i}}")
    elseif(CMAKE_ARGV${i} STREQUAL "--")
        set(is_command ON)
    endif()
endforeach()

file(WRITE "${ACTUAL}.in" "")
execute_process(
    COMMAND ${command}
    INPUT_FILE "${ACTUAL}.in"
    OUTPUT_FILE "${ACTUAL}"
    ERROR_VARIABLE errors
    RESULT_VARIABLE status
)
if(NOT status EQUAL 0)
    file(READ "${ACTUAL}" output)
    message(NOTICE "${output}\n${errors}")
    message(FATAL_ERROR "It ended with status ${status}.")
endif()

if(EXPECTED)
    file(READ "${ACTUAL}" actual)
    string(REPLACE "\r\n" "\n" actual "${actual}") # on Windows
    file(READ "${EXPECTED}" expected)
    if(NOT actual STREQUAL expected)
        message(NOTICE "${actual}")
        message(FATAL_ERROR "That is not what ${EXPECTED} holds.")
    endif()
endif()

# cmake -DCOMPILER=<compiler> -DINCLUDE_DIRECTORIES=<list> -DSOURCE=<case.cpp> -P check.cmake
cmake_minimum_required(VERSION 3.25)

set(ENV{LC_ALL} C)
set(command "${COMPILER}" -std=c++20 -fsyntax-only)
foreach(directory IN LISTS INCLUDE_DIRECTORIES)
    list(APPEND command "-I${directory}")
endforeach()

file(STRINGS "${SOURCE}" expected REGEX "^// expect: ")
list(TRANSFORM expected REPLACE "^// expect: " "")
if(NOT expected)
    message(FATAL_ERROR "${SOURCE} does not say what the message must contain (// expect: ...)")
endif()

execute_process(
    COMMAND ${command} -DCONTROL "${SOURCE}"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
)
if(NOT status EQUAL 0)
    message(NOTICE "${output}")
    message(FATAL_ERROR "The control of ${SOURCE} must compile, and does not")
endif()

execute_process(
    COMMAND ${command} "${SOURCE}"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
)
if(status EQUAL 0)
    message(FATAL_ERROR "${SOURCE} must not compile, and does")
endif()

# Only the compiler's own sentences count: it also quotes lines of the source and whole declarations of candidates, which
# hold the words looked for whatever is wrong.
string(REGEX MATCHALL "[^\n]*: (error: |note: | *required for the satisfaction of )[^\n]*" sentences "${output}")
list(FILTER sentences EXCLUDE REGEX ": candidate: ")
foreach(text IN LISTS expected)
    string(FIND "${sentences}" "${text}" position)
    if(position EQUAL -1)
        message(NOTICE "${output}")
        message(FATAL_ERROR "The message for ${SOURCE} does not name ${text}")
    endif()
endforeach()

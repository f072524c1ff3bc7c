# cmake -DCOMPILER=<compiler> -DOTHER_COMPILERS=<list> -DINCLUDE_DIRECTORIES=<list> -DPRECOMPILED=<folder>
#     -DSOURCE=<case.cpp> -P check.cmake
cmake_minimum_required(VERSION 3.25)

include("${CMAKE_CURRENT_LIST_DIR}/options.cmake")
file(STRINGS "${SOURCE}" includes_search REGEX "^#include <npuzzle/search.hpp>")
function(command_for compiler result)
    set(command "${compiler}" ${options} -fsyntax-only "${SOURCE}")
    if(includes_search)
        precompiled_header("${compiler}" header)
        list(APPEND command -include "${header}")
    endif()
    set(${result} ${command} PARENT_SCOPE)
endfunction()
command_for("${COMPILER}" command)

file(STRINGS "${SOURCE}" expected REGEX "^// expect: ")
list(TRANSFORM expected REPLACE "^// expect: " "")
file(STRINGS "${SOURCE}" mend REGEX "^// mend: ")
if(NOT expected AND NOT mend)
    message(FATAL_ERROR "${SOURCE} does not say what the message must contain (// expect: ..., or // mend: ...)")
endif()

execute_process(
    COMMAND ${command} -DCONTROL
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
)
if(NOT status EQUAL 0)
    message(NOTICE "${output}")
    message(FATAL_ERROR "The control of ${SOURCE} must compile, and does not")
endif()

execute_process(
    COMMAND ${command}
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

# What to write is the end of the first error, which comes soon: no compiler says more than this before it.
set(most_lines 12)
if(mend)
    string(REGEX REPLACE "^// mend: " "; write: " mend "${mend}")
    string(REPLACE "\\;" ";" mend "${mend}") # as a list has it
    foreach(compiler IN LISTS COMPILER OTHER_COMPILERS)
        if(NOT compiler STREQUAL COMPILER) # whose output is there
            command_for("${compiler}" command)
            execute_process(
                COMMAND ${command}
                OUTPUT_VARIABLE output
                ERROR_VARIABLE output
            )
        endif()
        string(FIND "${output}" ": error: " first_error)
        string(SUBSTRING "${output}" 0 ${first_error} before)
        string(REGEX MATCHALL "\n" before "${before}")
        list(LENGTH before before)
        string(SUBSTRING "${output}" ${first_error} -1 error)
        string(REGEX REPLACE "\"?\n.*" "" error "${error}")
        string(FIND "${error}" "${mend}" position REVERSE)
        string(LENGTH "${error}" end)
        string(LENGTH "${mend}" length)
        math(EXPR end "${end} - ${length}")
        if(before GREATER_EQUAL most_lines OR NOT position EQUAL end)
            message(NOTICE "${output}")
            math(EXPR line "${before} + 1")
            message(
                FATAL_ERROR
                "The first error of ${compiler} for ${SOURCE} is in line ${line}, and not by line ${most_lines}, "
                "or does not end in\n${mend}"
            )
        endif()
    endforeach()
endif()

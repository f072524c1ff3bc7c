# cmake -DROOT=<project> -DCOMPILER=<compiler> -DBOOST_INCLUDE_DIRECTORIES=<folders> -DBINARY_DIRECTORY=<folder> -P solver.cmake
# The solver of the examples with the single header in place of the headers it includes, from a folder that holds nothing
# else, prints what it always prints.
cmake_minimum_required(VERSION 3.25)
include("${ROOT}/tests/consumer/run.cmake")

file(REMOVE_RECURSE "${BINARY_DIRECTORY}")
run("${ROOT}/scripts/single_include" "${BINARY_DIRECTORY}/include/npuzzle.hpp")
file(READ "${ROOT}/examples/solver.cpp" text)
string(REGEX REPLACE "(#include <npuzzle/[^>]+>\n)+" "#include <npuzzle.hpp>\n" text "${text}")
if(NOT text MATCHES "#include <npuzzle.hpp>" OR text MATCHES "<npuzzle/")
    message(FATAL_ERROR "The solver does not include what is expected:\n${text}")
endif()
file(WRITE "${BINARY_DIRECTORY}/solver.cpp" "${text}")

# Not optimized: it is about what compiles.
list(TRANSFORM BOOST_INCLUDE_DIRECTORIES PREPEND "-I")
run("${COMPILER}" -std=c++20 -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
    -I "${BINARY_DIRECTORY}/include" ${BOOST_INCLUDE_DIRECTORIES} "${BINARY_DIRECTORY}/solver.cpp" -pthread
    -o "${BINARY_DIRECTORY}/solver"
)

file(STRINGS "${ROOT}/examples/solver.cpp" arguments LIMIT_COUNT 1 REGEX "^// test: ")
string(REGEX REPLACE "^// test: " "" arguments "${arguments}")
separate_arguments(arguments UNIX_COMMAND "${arguments}")
execute_process(
    COMMAND "${BINARY_DIRECTORY}/solver" ${arguments}
    WORKING_DIRECTORY "${ROOT}"
    OUTPUT_VARIABLE actual
    COMMAND_ERROR_IS_FATAL ANY
)
file(READ "${ROOT}/examples/expected/solver.txt" expected)
if(NOT actual STREQUAL expected)
    message(NOTICE "${actual}")
    message(FATAL_ERROR "That is not what examples/expected/solver.txt holds.")
endif()

# cmake -DROOT=<project> -DCOMPILER=<compiler> -DBOOST_INCLUDE_DIRECTORIES=<folders> -DBINARY_DIRECTORY=<folder> -P program.cmake
# A program in one file with what it includes compiles without any header of the library, and prints what it always prints.
cmake_minimum_required(VERSION 3.25)
include("${ROOT}/tests/consumer/run.cmake")

file(REMOVE_RECURSE "${BINARY_DIRECTORY}")
set(source "${BINARY_DIRECTORY}/first_call.cpp")
run("${ROOT}/scripts/single_include" --program "${ROOT}/examples/first_call.cpp" "${source}")
file(STRINGS "${source}" includes REGEX "# *include.*npuzzle")
if(includes)
    message(FATAL_ERROR "${source} still has ${includes}")
endif()

list(TRANSFORM BOOST_INCLUDE_DIRECTORIES PREPEND "-I")
run("${COMPILER}" -std=c++20 -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror ${BOOST_INCLUDE_DIRECTORIES}
    "${source}" -o "${BINARY_DIRECTORY}/first_call"
)
execute_process(COMMAND "${BINARY_DIRECTORY}/first_call" OUTPUT_VARIABLE actual COMMAND_ERROR_IS_FATAL ANY)
file(READ "${ROOT}/examples/expected/first_call.txt" expected)
if(NOT actual STREQUAL expected)
    message(NOTICE "${actual}")
    message(FATAL_ERROR "That is not what examples/expected/first_call.txt holds.")
endif()

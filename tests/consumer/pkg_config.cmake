# No CMake in the user's project: one compiler call with what pkg-config says.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(ENV{PKG_CONFIG_PATH} "${INSTALLED}/${DATA_DIRECTORY}/pkgconfig")
run("${PKG_CONFIG}" --exact-version=${VERSION} npuzzle)
execute_process(
    COMMAND "${PKG_CONFIG}" --cflags npuzzle
    OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY
)
separate_arguments(flags UNIX_COMMAND "${flags}")

# Boost has no pkg-config file: where it is not among the compiler's own folders the user has to say so, and so do we.
list(TRANSFORM BOOST_INCLUDE_DIRECTORIES PREPEND "-I")

file(REMOVE_RECURSE "${BINARY_DIRECTORY}")
file(MAKE_DIRECTORY "${BINARY_DIRECTORY}")
run("${COMPILER}" -std=c++20 ${flags} ${BOOST_INCLUDE_DIRECTORIES} "${CMAKE_CURRENT_LIST_DIR}/project/main.cpp"
    -o "${BINARY_DIRECTORY}/consumer"
)
run("${BINARY_DIRECTORY}/consumer")

# xmake's recipe, with a stand-in for xmake: what it packages is every header, and they compile.
cmake_minimum_required(VERSION 3.25)
include("${ROOT}/tests/consumer/run.cmake")

file(REMOVE_RECURSE "${BINARY_DIRECTORY}")
file(MAKE_DIRECTORY "${BINARY_DIRECTORY}")
run("${LUA}" "${CMAKE_CURRENT_LIST_DIR}/xmake_life.lua" "${ROOT}/packaging/xmake/packages/n/npuzzle" "${BINARY_DIRECTORY}"
    "${COMPILER}" "${BOOST_INCLUDE_DIRECTORIES}"
)

file(GLOB_RECURSE expected RELATIVE "${ROOT}" "${ROOT}/include/*.hpp")
file(GLOB_RECURSE packaged RELATIVE "${BINARY_DIRECTORY}/package" "${BINARY_DIRECTORY}/package/*")
list(SORT expected)
list(SORT packaged)
if(NOT packaged STREQUAL expected)
    message(FATAL_ERROR "The package holds\n${packaged}\nand not\n${expected}")
endif()

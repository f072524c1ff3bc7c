# Conan's recipe, through the steps of its life, with a stand-in for Conan's own module: what it packages is every header and
# the licence.
cmake_minimum_required(VERSION 3.25)
include("${ROOT}/tests/consumer/run.cmake")

file(REMOVE_RECURSE "${BINARY_DIRECTORY}")
file(MAKE_DIRECTORY "${BINARY_DIRECTORY}")
set(ENV{PYTHONDONTWRITEBYTECODE} 1)
run("${PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/conan_life.py" "${ROOT}/packaging/conan" "${BINARY_DIRECTORY}" "${VERSION}")

file(GLOB_RECURSE expected RELATIVE "${ROOT}" "${ROOT}/include/*.hpp")
list(APPEND expected "licenses/LICENSE")
file(GLOB_RECURSE packaged RELATIVE "${BINARY_DIRECTORY}/package" "${BINARY_DIRECTORY}/package/*")
list(SORT expected)
list(SORT packaged)
if(NOT packaged STREQUAL expected)
    message(FATAL_ERROR "The package holds\n${packaged}\nand not\n${expected}")
endif()

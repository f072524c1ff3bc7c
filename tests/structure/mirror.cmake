# cmake -DROOT=<project> -P mirror.cmake
# Every header include/npuzzle/<wing>/<name>.hpp has its test at tests/<wing>/<name>.test.cpp.
# Helpers in a folder called detail are tested through the headers that use them.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE headers RELATIVE "${ROOT}/include/npuzzle" "${ROOT}/include/npuzzle/*.hpp")
list(FILTER headers INCLUDE REGEX "/")
list(FILTER headers EXCLUDE REGEX "(^|/)detail/")
if(NOT headers)
    message(FATAL_ERROR "no headers below ${ROOT}/include/npuzzle")
endif()

set(missing "")
foreach(header IN LISTS headers)
    string(REGEX REPLACE "\\.hpp$" ".test.cpp" test "tests/${header}")
    if(NOT EXISTS "${ROOT}/${test}")
        list(APPEND missing "${test} (for include/npuzzle/${header})")
    endif()
endforeach()

if(missing)
    list(JOIN missing "\n  " missing)
    message(FATAL_ERROR "Headers without their test:\n  ${missing}")
endif()

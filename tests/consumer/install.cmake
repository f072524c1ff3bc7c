# Installs the library, and moves what was installed: whatever is used of it afterwards cannot depend on where it was.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(REMOVE_RECURSE "${BINARY_DIRECTORY}" "${INSTALLED}")
run("${CMAKE_COMMAND}" --install "${NPUZZLE_BINARY_DIRECTORY}" --prefix "${BINARY_DIRECTORY}")

# Every header, the package, the licence, and nothing that we use to build or test with.
file(GLOB_RECURSE headers RELATIVE "${NPUZZLE_SOURCE_DIRECTORY}/include" "${NPUZZLE_SOURCE_DIRECTORY}/include/*.hpp")
list(TRANSFORM headers PREPEND "include/")
set(expected
    ${headers}
    "${DATA_DIRECTORY}/cmake/npuzzle/npuzzle-config-version.cmake"
    "${DATA_DIRECTORY}/cmake/npuzzle/npuzzle-config.cmake"
    "${DATA_DIRECTORY}/cmake/npuzzle/npuzzle-mpi.cmake"
    "${DATA_DIRECTORY}/cmake/npuzzle/npuzzle-targets.cmake"
    "${DATA_DIRECTORY}/licenses/npuzzle/LICENSE"
    "${DATA_DIRECTORY}/pkgconfig/npuzzle.pc"
)
file(GLOB_RECURSE installed RELATIVE "${BINARY_DIRECTORY}" "${BINARY_DIRECTORY}/*")
if(HAS_PROGRAM)
    list(
        APPEND expected
        "bin/npuzzle"
        "${DATA_DIRECTORY}/bash-completion/completions/npuzzle"
        "${DATA_DIRECTORY}/man/man1/npuzzle.1"
        "${DATA_DIRECTORY}/zsh/site-functions/_npuzzle"
    )
endif()
set(missing "${expected}")
list(REMOVE_ITEM missing ${installed})
set(superfluous "${installed}")
list(REMOVE_ITEM superfluous ${expected})
if(missing OR superfluous)
    message(FATAL_ERROR "Not installed, though it should be: ${missing}\nInstalled, though it should not be: ${superfluous}")
endif()

list(REMOVE_ITEM installed "bin/npuzzle") # a program may have paths in it that tell where it was made
foreach(file IN LISTS installed)
    file(READ "${BINARY_DIRECTORY}/${file}" text)
    foreach(trace IN ITEMS "${NPUZZLE_SOURCE_DIRECTORY}" "${NPUZZLE_BINARY_DIRECTORY}" "${BINARY_DIRECTORY}")
        string(FIND "${text}" "${trace}" position)
        if(NOT position EQUAL -1)
            message(FATAL_ERROR "${file} names ${trace}, which the user's machine does not have")
        endif()
    endforeach()
endforeach()

file(RENAME "${BINARY_DIRECTORY}" "${INSTALLED}")

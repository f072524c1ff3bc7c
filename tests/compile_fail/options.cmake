# How the cases are compiled, of INCLUDE_DIRECTORIES and PRECOMPILED.

set(ENV{LC_ALL} C)
set(options -std=c++20)
foreach(directory IN LISTS INCLUDE_DIRECTORIES)
    list(APPEND options "-I${directory}")
endforeach()

# The header of which a compiler has its own compiled form beside it, which it takes for -include.
function(precompiled_header compiler result)
    cmake_path(GET compiler FILENAME name)
    set(${result} "${PRECOMPILED}/${name}/search.hpp" PARENT_SCOPE)
endfunction()

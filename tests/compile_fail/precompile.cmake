# cmake -DCOMPILER=<compiler> -DOTHER_COMPILERS=<list> -DINCLUDE_DIRECTORIES=<list> -DPRECOMPILED=<folder> -P precompile.cmake
cmake_minimum_required(VERSION 3.25)

include("${CMAKE_CURRENT_LIST_DIR}/options.cmake")
foreach(compiler IN LISTS COMPILER OTHER_COMPILERS)
    precompiled_header("${compiler}" header)
    file(CONFIGURE OUTPUT "${header}" CONTENT "#include <npuzzle/search.hpp>\n")
    execute_process(
        COMMAND "${compiler}" ${options} -x c++-header "${header}" -o "${header}.gch" COMMAND_ERROR_IS_FATAL ANY
    )
endforeach()

# cmake -DROOT=<project> -DGENERATOR= -DCOMPILER= -DBOOST_DIRECTORY= -DBINARY_DIRECTORY=<made anew> -P plain_build.cmake
# Configured as docs/program.md says, by whoever wants the programs and no preset, the project is optimized and shows its
# warnings, none of which is an error: other compilers and other flags than ours have false ones.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${BINARY_DIRECTORY}")
execute_process(
    COMMAND
        "${CMAKE_COMMAND}" -S "${ROOT}" -B "${BINARY_DIRECTORY}" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}"
        "-DBoost_DIR=${BOOST_DIRECTORY}" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DNPUZZLE_BUILD_TESTS=OFF
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${output}")
endif()

file(STRINGS "${BINARY_DIRECTORY}/CMakeCache.txt" type REGEX "^CMAKE_BUILD_TYPE:")
if(NOT type MATCHES "=Release$")
    message(FATAL_ERROR "A plain build is not optimized: ${type}")
endif()

file(READ "${BINARY_DIRECTORY}/compile_commands.json" commands)
if(NOT commands MATCHES "solver\\.cpp" OR NOT commands MATCHES " -Wall ")
    message(FATAL_ERROR "A plain build does not compile the examples under our warnings")
elseif(commands MATCHES "-Werror")
    message(FATAL_ERROR "In a plain build warnings are errors")
endif()

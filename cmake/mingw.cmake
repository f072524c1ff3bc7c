# For Windows, by MinGW-w64; tests run under Wine. Of the system's headers, which are not for Windows, it shows those of
# Boost and of Catch2 alone. Debian: scripts/setup build test windows
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
find_program(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix REQUIRED)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

# Objects of many templates have more sections than the usual format counts. Programs need no library beside them. GNU's
# linker takes most of a minute for what lld links in a second, and g++ does not call lld.
set(CMAKE_CXX_FLAGS_INIT "-Wa,-mbig-obj")
execute_process(
    COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libstdc++.a OUTPUT_VARIABLE mingw_library OUTPUT_STRIP_TRAILING_WHITESPACE
)
cmake_path(GET mingw_library PARENT_PATH mingw_library)
set(CMAKE_USER_MAKE_RULES_OVERRIDE_CXX "${CMAKE_CURRENT_LIST_FILE}") # CMake sets the next variable in between
set(
    CMAKE_CXX_LINK_EXECUTABLE
    "clang++-19 --target=x86_64-w64-mingw32 -fuse-ld=lld -static -pthread -L ${mingw_library} <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>"
)

cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_LIST_DIR NORMALIZE OUTPUT_VARIABLE mingw_build)
cmake_path(REPLACE_FILENAME mingw_build build/mingw)
set(mingw_headers "${mingw_build}/shown")
foreach(library IN ITEMS boost catch2)
    if(NOT EXISTS "${mingw_headers}/include/${library}")
        file(MAKE_DIRECTORY "${mingw_headers}/include")
        file(CREATE_LINK "/usr/include/${library}" "${mingw_headers}/include/${library}" SYMBOLIC)
    endif()
endforeach()
set(Boost_INCLUDE_DIR "${mingw_headers}/include")
file(
    CONFIGURE OUTPUT "${mingw_headers}/Catch2Config.cmake"
    CONTENT [[
add_library(Catch2::Catch2 INTERFACE IMPORTED)
target_include_directories(Catch2::Catch2 SYSTEM INTERFACE "${CMAKE_CURRENT_LIST_DIR}/include")
]]
    @ONLY
)
set(Catch2_DIR "${mingw_headers}")

set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 "${mingw_headers}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind IN ITEMS LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()

set(CMAKE_CROSSCOMPILING_EMULATOR env WINEDEBUG=-all "WINEPREFIX=${mingw_build}/wine" wine)

# cmake -DROOT=<project> -P layering.cmake
# Which part of the library may include which, and that the headers need nothing but the standard library, and two of them Boost. A few
# headers of the system are used where it has them, and done without elsewhere.
cmake_minimum_required(VERSION 3.25)

# A header whose path below include/npuzzle matches the left side includes no npuzzle header that matches the right side.
set(rules
    # The rooms of search/, from the ground up: core and memory, then open lists and node tables, which do not know each
    # other, then what engines stand on, then the algorithms, which lie in search/ itself.
    "^search/core/" "^search/(memory|open_list|node_table|engine)/"
    "^search/memory/" "^search/(open_list|node_table|engine)/"
    "^search/open_list/" "^search/(node_table|engine)/"
    "^search/node_table/" "^search/(open_list|engine)/"
    "^search/(core|memory|open_list|node_table|engine)/" "^search/[^/]+$"
    # Searches on several threads stand above those on one, which know nothing of them.
    "^search/([^pd]|part|d[^i]|dij)" "^search/parallel(/|\\.hpp$)"
    # Searches on several machines stand above all others.
    "^(search/([^d]|d[^i]|dij)|puzzle|maps|io|visual)" "^search/distributed(/|\\.hpp$)"
    # Domains, which do not know each other, stand on search/; files and pictures of them stand above.
    "^search(/|\\.hpp$)" "^(puzzle|maps|io|visual)(/|\\.hpp$)"
    "^puzzle(/|\\.hpp$)" "^(maps|io|visual)(/|\\.hpp$)"
    "^maps(/|\\.hpp$)" "^(puzzle|io|visual)(/|\\.hpp$)"
    "." "^npuzzle\\.hpp$"
)

file(GLOB_RECURSE headers RELATIVE "${ROOT}/include/npuzzle" "${ROOT}/include/npuzzle/*.hpp")
if(NOT headers)
    message(FATAL_ERROR "no headers below ${ROOT}/include/npuzzle")
endif()

set(
    where_there
    "macros.hpp <xmmintrin.h>"
    "search/memory/available_memory.hpp <sys/resource.h>"
    "search/memory/available_memory.hpp <unistd.h>"
    "search/memory/spill_file.hpp <fcntl.h>"
    "search/memory/spill_file.hpp <io.h>"
    "search/memory/spill_file.hpp <sys/stat.h>"
    "search/memory/spill_file.hpp <unistd.h>"
    "search/memory/storage.hpp <sys/mman.h>"
    "puzzle/pattern_database/detail/file_bytes.hpp <fcntl.h>"
    "puzzle/pattern_database/detail/file_bytes.hpp <sys/mman.h>"
    "puzzle/pattern_database/detail/file_bytes.hpp <sys/stat.h>"
    "puzzle/pattern_database/detail/file_bytes.hpp <unistd.h>"
)

set(wrong "")
foreach(header IN LISTS headers)
    file(STRINGS "${ROOT}/include/npuzzle/${header}" lines REGEX "^[ \t]*#[ \t]*include")
    # So that it is the first of all, whichever header a program includes: it checks the language.
    if(NOT header STREQUAL "macros.hpp" AND NOT "${lines}" MATCHES "npuzzle/")
        list(APPEND wrong "${header} includes no header of ours, not even npuzzle/macros.hpp")
    endif()
    # What only some compilers know.
    file(
        STRINGS "${ROOT}/include/npuzzle/${header}" special
        REGEX "[[][[](gnu|clang|msvc|no_unique_address)|__attribute__|__declspec[(][^d]|__forceinline|__builtin_|__int128|__extension__|typeof|__(PRETTY_)?FUNCTION__|# *pragma +[^o]|(^|[ \t])asm[ (]"
    )
    if(special AND NOT header STREQUAL "macros.hpp")
        list(APPEND wrong "${header} has an attribute or a function of some compilers, which belongs in macros.hpp")
    endif()
    foreach(line IN LISTS lines)
        if(NOT line MATCHES "[<\"]([^>\"]+)[>\"]")
            list(APPEND wrong "${header}: cannot read: ${line}")
            continue()
        endif()
        set(included "${CMAKE_MATCH_1}")
        if(included MATCHES "^npuzzle/(.+)$")
            set(included "${CMAKE_MATCH_1}")
            set(remaining_rules "${rules}")
            while(remaining_rules)
                list(POP_FRONT remaining_rules who what)
                if(header MATCHES "${who}" AND included MATCHES "${what}")
                    list(APPEND wrong "${header} includes npuzzle/${included}, which stands above it")
                endif()
            endwhile()
        elseif(line MATCHES "\"")
            list(APPEND wrong "${header} includes \"${included}\": our own headers are included as npuzzle/...")
        elseif(included STREQUAL "cmath" AND header MATCHES "^search/" AND NOT header STREQUAL "search/engine/priority.hpp")
            list(APPEND wrong "${header} includes <cmath>, which takes long to compile")
        elseif("${header} <${included}>" IN_LIST where_there)
            continue()
        elseif(included STREQUAL "mpi.h" AND header MATCHES "^search/distributed/")
            continue()
        elseif(included MATCHES "^boost/" AND header MATCHES "^(search/open_list/heap|maps/boost_graph)\\.hpp$")
            continue()
        elseif(NOT included MATCHES "^[a-z0-9_]+$")
            list(APPEND wrong "${header} includes <${included}>, which is not standard")
        endif()
    endforeach()
endforeach()

if(wrong)
    list(JOIN wrong "\n  " wrong)
    message(FATAL_ERROR "The layers are mixed:\n  ${wrong}")
endif()

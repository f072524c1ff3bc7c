# The portfile run as vcpkg runs it, by functions that do what vcpkg's do: what it installs is used by the program that Conan's
# recipe is tested with.
cmake_minimum_required(VERSION 3.25)
include("${ROOT}/tests/consumer/run.cmake")

set(port "${ROOT}/packaging/vcpkg/npuzzle")
file(REMOVE_RECURSE "${BINARY_DIRECTORY}")

file(READ "${port}/vcpkg.json" manifest)
foreach(member IN ITEMS name=npuzzle version=${VERSION} license=BSL-1.0)
    string(REGEX MATCH "^([^=]+)=(.*)$" _ "${member}")
    string(JSON value GET "${manifest}" "${CMAKE_MATCH_1}")
    if(NOT value STREQUAL CMAKE_MATCH_2)
        message(FATAL_ERROR "vcpkg.json: ${CMAKE_MATCH_1} is ${value}, not ${CMAKE_MATCH_2}")
    endif()
endforeach()

# What vcpkg sets for a portfile.
set(CURRENT_PACKAGES_DIR "${BINARY_DIRECTORY}/package")
set(called "")

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    if(arg_UNPARSED_ARGUMENTS OR NOT EXISTS "${arg_SOURCE_PATH}/CMakeLists.txt")
        message(FATAL_ERROR "vcpkg_cmake_configure(${ARGN})")
    endif()
    run("${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${BINARY_DIRECTORY}/build" -G "${GENERATOR}"
        "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DBoost_DIR=${BOOST_DIRECTORY}" -DCMAKE_BUILD_TYPE=Release
        "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" --warn-uninitialized ${arg_OPTIONS}
    )
    set(called "${called};configure" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_install)
    run("${CMAKE_COMMAND}" --build "${BINARY_DIRECTORY}/build" --target install)
    set(called "${called};install" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "PACKAGE_NAME;CONFIG_PATH" "")
    if(arg_UNPARSED_ARGUMENTS OR NOT EXISTS "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/${arg_PACKAGE_NAME}-config.cmake")
        message(FATAL_ERROR "vcpkg_cmake_config_fixup(${ARGN})")
    endif()
    set(called "${called};config" PARENT_SCOPE)
endfunction()

function(vcpkg_fixup_pkgconfig)
    if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/share/pkgconfig/npuzzle.pc")
        message(FATAL_ERROR "vcpkg_fixup_pkgconfig: no npuzzle.pc")
    endif()
    set(called "${called};pkgconfig" PARENT_SCOPE)
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    file(COPY_FILE "${arg_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/npuzzle/copyright")
    set(called "${called};copyright" PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share/npuzzle")
include("${port}/portfile.cmake")
if(NOT called STREQUAL ";configure;install;config;pkgconfig;copyright")
    message(FATAL_ERROR "The portfile called ${called}")
endif()
# vcpkg refuses a package with folders that it has no place for.
file(GLOB folders RELATIVE "${CURRENT_PACKAGES_DIR}" "${CURRENT_PACKAGES_DIR}/*" "${CURRENT_PACKAGES_DIR}/share/*")
if(NOT folders STREQUAL "include;share;share/cmake;share/npuzzle;share/pkgconfig")
    message(FATAL_ERROR "The package holds ${folders}")
endif()

set(program "${BINARY_DIRECTORY}/program")
run("${CMAKE_COMMAND}" -S "${ROOT}/packaging/conan/test_package" -B "${program}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DBoost_DIR=${BOOST_DIRECTORY}" "-DCMAKE_PREFIX_PATH=${CURRENT_PACKAGES_DIR}"
    "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${program}/bin"
)
run("${CMAKE_COMMAND}" --build "${program}")
file(GLOB_RECURSE built "${program}/bin/*test_package*")
list(GET built 0 built)
execute_process(COMMAND "${built}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output STREQUAL "npuzzle ${VERSION}\n3\n 8  1  3 \n 4  0  2 \n 7  6  5 \n")
    message(FATAL_ERROR "The program printed:\n${output}")
endif()

# run(<command> ...): a command that must succeed; what it prints is shown only if it does not.
function(run)
    execute_process(
        COMMAND ${ARGV}
        RESULT_VARIABLE status
        OUTPUT_VARIABLE output
        ERROR_VARIABLE output
    )
    if(NOT status EQUAL 0)
        list(JOIN ARGV " " command)
        message(NOTICE "${output}")
        message(FATAL_ERROR "${command}\nended with status ${status}")
    endif()
endfunction()

# Configures project/ from nothing, in BINARY_DIRECTORY.
function(configure_project)
    file(REMOVE_RECURSE "${BINARY_DIRECTORY}")
    run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/project" -B "${BINARY_DIRECTORY}" -G "${GENERATOR}"
        "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DBoost_DIR=${BOOST_DIRECTORY}" "-DEXPECTED_VERSION=${VERSION}" ${ARGV}
    )
endfunction()

# Configures, builds and runs it.
function(build_and_run_project)
    configure_project(${ARGV})
    run("${CMAKE_COMMAND}" --build "${BINARY_DIRECTORY}")
    run("${CMAKE_CTEST_COMMAND}" --test-dir "${BINARY_DIRECTORY}" --no-tests=error --output-on-failure -C Debug)
endfunction()

cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
build_and_run_project("-DNPUZZLE_FROM=package" "-DCMAKE_PREFIX_PATH=${INSTALLED}" "-DWITH_MPI=${WITH_MPI}")

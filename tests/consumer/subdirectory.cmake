cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
build_and_run_project("-DNPUZZLE_FROM=${NPUZZLE_SOURCE_DIRECTORY}")

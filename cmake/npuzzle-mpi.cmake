# The target npuzzle::mpi: the library, and MPI, for the headers of search/distributed/. Requires that MPI was found.
if(NOT TARGET npuzzle::mpi)
    add_library(npuzzle::mpi INTERFACE IMPORTED GLOBAL)
    target_link_libraries(npuzzle::mpi INTERFACE npuzzle::npuzzle MPI::MPI_CXX)
    # The library calls MPI as C does. The classes for C++ that some versions have would need to be linked, too.
    target_compile_definitions(npuzzle::mpi INTERFACE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
endif()

# An overlay port: it packages the tree it stands in, so that there is nothing to download and no checksum to keep.
#     vcpkg install npuzzle --overlay-ports=<this tree>/packaging/vcpkg
set(VCPKG_BUILD_TYPE release) # headers alone: a debug build has nothing to add

cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../..")

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DNPUZZLE_BUILD_TESTS=OFF
        -DNPUZZLE_BUILD_EXAMPLES=OFF
        -DNPUZZLE_BUILD_PROGRAM=OFF
        -DNPUZZLE_INSTALL=ON
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME npuzzle CONFIG_PATH share/cmake/npuzzle)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/licenses")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")

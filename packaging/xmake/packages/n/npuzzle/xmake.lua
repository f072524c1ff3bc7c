-- It packages the tree it stands in, so that there is nothing to download and no checksum to keep. In your project's xmake.lua:
--     add_repositories("npuzzle <this tree>/packaging/xmake")
--     add_requires("npuzzle")
package("npuzzle")
    set_kind("library", {headeronly = true})
    set_description("Heuristic search for any problem, and the sliding-tile puzzle on top of it")
    set_license("BSL-1.0")
    set_sourcedir(path.join(os.scriptdir(), "..", "..", "..", "..", ".."))

    add_deps("boost >=1.74")
    if is_plat("linux", "bsd") then
        add_syslinks("pthread")
    end

    on_install(function (package)
        os.cp("include/npuzzle", package:installdir("include"))
    end)

    on_test(function (package)
        assert(package:check_cxxsnippets({test = [[
            #include <npuzzle/puzzle/packed_board.hpp>
            void test() {
                const npuzzle::PackedBoard<3> board({8, 1, 3, 4, 0, 2, 7, 6, 5});
                static_cast<void>(board.manhattan());
            }
        ]]}, {configs = {languages = "c++20"}}))
    end)

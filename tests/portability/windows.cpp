// What is special on Windows, for the test of that name: behind <windows.h>, whose macros break no header.
#include <npuzzle/maps/boost_graph.hpp>
#include <npuzzle/npuzzle.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <process.h>
#include <stdexcept>
#include <string>
#include <vector>
#include <windows.h>

namespace fs = std::filesystem;

namespace {

int failures = 0;

void check(bool condition, const char* what) {
    if (!condition) {
        std::printf("wrong: %s\n", what);
        ++failures;
    }
}

void write(const fs::path& file, const std::string& content) {
    std::ofstream(file, std::ios::binary) << content;
}

std::ptrdiff_t files_in(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), {});
}

/// Two states and a step, which ends the process where it is called so.
struct Step {
    using State = int;
    bool kills = false;

    std::vector<int> neighbors(int) const {
        if (kills) TerminateProcess(GetCurrentProcess(), 9);
        return {1};
    }
    bool is_goal(int x) const { return x == 1; }
};

std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "nothing";
}

void memory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof(status);
    check(GlobalMemoryStatusEx(&status) != 0, "the system's own figures");
    const std::uint64_t left = npuzzle::detail::left_in_machine("no such folder");
    check(left > status.ullTotalPhys / 100 && left <= status.ullTotalPhys, "the memory of the machine");
    check(left < 2 * status.ullAvailPhys && status.ullAvailPhys < 2 * left, "the memory that is left");
    check(npuzzle::default_memory_limit() < left, "the limit by default");
}

void files_beyond_memory(const char* program, const fs::path& folder) {
    const std::string name = folder.string();
    npuzzle::MemoryBudget budget;
    const std::vector<char> block(4096, 'x');
    {
        npuzzle::detail::SpillFile one(name, 4096, 1 << 20, budget);
        npuzzle::detail::SpillFile other(name + "\\", 4096, 1 << 20, budget);
        check(one.write(block.data(), 4096) == 0 && other.write(block.data(), 4096) == 0,
              "two files in a folder");
        check(files_in(folder) == 2, "as many names as files");
    }
    check(files_in(folder) == 0, "a file that is closed is deleted");
    check(npuzzle::external_astar(Step{}, 0, npuzzle::Zero{}, {.folder = name}).cost == 1, "external A*");
    // A process that is killed while its file is open.
    check(_spawnl(_P_WAIT, program, "windows", "killed", name.c_str(), nullptr) == 9,
          "the process is killed");
    check(files_in(folder) == 0, "a file is deleted if the process is killed");
    check(refusal([] {
              npuzzle::external_astar(Step{}, 0, npuzzle::Zero{}, {.folder = "no\\folder"});
          }).find("cannot be made in no\\folder: ") != std::string::npos,
          "the error names the folder");
}

/// A line of large states, down which IDA* needs more than 1 MB of stack.
struct Line {
    using State = std::array<int, 16>;

    std::vector<State> neighbors(State at) const {
        ++at[0];
        return {at};
    }
    bool is_goal(const State& at) const { return at[0] == 1999; }
};

void journal(const fs::path& folder) {
    const std::string file = (folder / "a.journal").string();
    const npuzzle::UnitRecord record{.unit = 17};
    npuzzle::IdaStarJournal first(file, "a key");
    first.begin("a search");
    first.append(record);
    check(first.begin("a search").size() == 1, "a journal is read again");
}

void text(const fs::path& folder) {
    const std::string name = folder.string();
    write(folder / "a.map", "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n..@\r\n@..\r\n");
    const npuzzle::GridMap<> map(npuzzle::read_map_file(name + "\\a.map"));
    check(npuzzle::astar(map.with_goal(5), 0, npuzzle::OctileDistance{}).path.size() == 4, "a map");
    write(folder / "a.txt", "\xef\xbb\xbf"
                            "2\r\n0 1\r\n3 2\r\n");
    const std::string moved = (folder / "board.txt").string();
    fs::rename(folder / "a.txt", moved);
    check(moved.find("text\\board") != std::string::npos &&
              npuzzle::read_board_file(moved) == npuzzle::Board({0, 1, 3, 2}),
          "a board, by backslashes");
    const fs::path wide = folder / L"\u5730\u56f3.txt"; // a name that no code page of Europe has
    fs::rename(moved, wide);
    check(npuzzle::read_board_file(wide) == npuzzle::Board({0, 1, 3, 2}), "a board with a name in Japanese");
}

void tables(const fs::path& folder) {
    for (const char* variable : {"NPUZZLE_CACHE", "XDG_CACHE_HOME", "HOME"}) _putenv_s(variable, "");
    _putenv_s("LOCALAPPDATA", "C:\\Local");
    check(npuzzle::cache_folder() == "C:\\Local\\npuzzle", "the folder of tables");
    const npuzzle::TableStore store{.folder = folder / "made" / "tables"};
    const auto shape = npuzzle::normalized_shape(npuzzle::Pattern(3, 0b000'000'111), 8).shape;
    const auto built = npuzzle::load_or_build_table(shape, store);
    check(fs::exists(store.file(shape)), "a table is saved in a folder that is made");
    npuzzle::save_table(*built, store.file(shape)); // in place of the old one
    check(files_in(store.folder) == 1, "nothing is left beside it");
    const npuzzle::PatternTable loaded = npuzzle::load_table(shape, store.file(shape));
    check(loaded.entries().size() == built->entries().size(), "the table comes back");
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "killed") == 0) {
        npuzzle::external_astar(Step{true}, 0, npuzzle::Zero{}, {.folder = argv[2]});
        return 0;
    }
    const fs::path folder = fs::temp_directory_path() / ("npuzzle-windows-" + std::to_string(_getpid()));
    for (const char* theme : {"spill", "journal", "text"}) fs::create_directories(folder / theme);
    memory();
    const auto distance = [](const Line::State& at) { return 1999 - at[0]; };
    check(npuzzle::ida_star(Line{}, Line::State{}, distance).cost == 1999, "a deep path");
    files_beyond_memory(argv[0], folder / "spill");
    journal(folder / "journal");
    text(folder / "text");
    tables(folder);
    fs::remove_all(folder);
    check(!fs::exists(folder), "no file is open any more");
    return failures;
}

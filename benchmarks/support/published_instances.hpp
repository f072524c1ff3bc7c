#pragma once

#include <array>
#include <string>
#include <vector>

namespace benchmarks {

/// A published mean of expansions over the instances of a table.
struct PublishedMean {
    std::string table, heuristic, search;
    double mean;
    double rounding;    ///< half a unit of the last published digit
    std::string source; ///< its first author: docs/published.md has the others
};

// clang-format off

/// Stacks of 14 pancakes, a hexadecimal digit each, from the top; 0 is the smallest. See docs/published.md.
inline constexpr std::array<const char*, 50> pancakes_of_14{
    "29d634a85b71c0", "b901c753846a2d", "91567b803dac24", "da46237c158b09", "0a6c9d285473b1", "c0b2583d9416a7",
    "2768590cb4d13a", "8c6b902a4d7315", "d5291a3b8074c6", "d0967435b182ca", "64acb7219d3580", "736a4920b18dc5",
    "7dc1603842b9a5", "d586a419023cb7", "89146c2da7b053", "40d78659ca213b", "c1b079652a348d", "794b201ac6d358",
    "ac392816705d4b", "d769c4528b301a", "73a19bdc504862", "1cd93287ba5046", "4935c2760abd18", "c9a0d8674b1523",
    "8c61457d2ba093", "2c438bda065791", "09b472d6a358c1", "0b12749cd853a6", "7214095b83c6ad", "8042156adc397b",
    "457ba2d03186c9", "630247ac815bd9", "43a96d81207cb5", "d68504a2c1937b", "a743c61d58b029", "2d97615ab48c30",
    "b9351a28c6d740", "3b8c20645719ad", "bd078321a956c4", "6518a70934d2cb", "4a21d0965b783c", "630c842d97b5a1",
    "d9376254c18ab0", "37d0b51a4298c6", "39cd67a0521b48", "d407586a2c3b91", "c59a8260743b1d", "a1c9b3675280d4",
    "64c29018a73d5b", "08d9732451b6ca",
};

/// 12 disks on four pegs: the peg of each, the smallest disk first. The goal has all on peg 3.
inline constexpr std::array<const char*, 50> towers_of_12{
    "022033123113", "000312133010", "121032121122", "031300203113", "322333113011", "202313012232", "322323121022",
    "313320230300", "002021222222", "312032331110", "223201301011", "320011312323", "221001031233", "300202301032",
    "213312102130", "120132312310", "123010313211", "010110231330", "121000201232", "301111221121", "233310010230",
    "122322222022", "331012010301", "012321201101", "012112022233", "302200112222", "000122301310", "120311312111",
    "102310230101", "200220031110", "311232123231", "021100112232", "000012012300", "323122301231", "212320031120",
    "020310032013", "313312232013", "101202010133", "030330231011", "012020202023", "002013130021", "023032022033",
    "203310313300", "323021232033", "303310222121", "202001110113", "301330232313", "021333302022", "210132112313",
    "212021130203",
};

/// The sources stand in docs/published.md. IDA* is compared board by board.
inline std::vector<PublishedMean> published_means() {
    return {
        {"pancakes", "GAP", "A*", 72, 0.5, "Alcazar"},
        {"pancakes", "GAP", "NBS", 174, 0.5, "Alcazar"},
        {"pancakes", "GAP", "BAE*", 90, 0.5, "Alcazar"},
        {"pancakes", "GAP-1", "A*", 8431, 0.5, "Alcazar"},
        {"pancakes", "GAP-1", "NBS", 7310, 0.5, "Alcazar"},
        {"pancakes", "GAP-1", "BAE*", 654, 0.5, "Alcazar"},
        {"pancakes", "GAP-2", "A*", 352000, 500, "Alcazar"},
        {"pancakes", "GAP-2", "NBS", 150000, 500, "Alcazar"},
        {"pancakes", "GAP-2", "BAE*", 15000, 500, "Alcazar"},
        {"towers", "10+2", "A*", 276000, 500, "Siag"},
        {"towers", "10+2", "NBS", 230000, 500, "Siag"},
        {"towers", "10+2", "BAE*", 47000, 500, "Siag"},
        {"towers", "8+4", "A*", 1926000, 500, "Siag"},
        {"towers", "8+4", "NBS", 647000, 500, "Siag"},
        {"towers", "8+4", "BAE*", 187000, 500, "Siag"},
        {"towers", "6+6", "A*", 3268000, 500, "Siag"},
        {"towers", "6+6", "NBS", 682000, 500, "Siag"},
        {"towers", "6+6", "BAE*", 383000, 500, "Siag"},
        {"15-puzzle", "Manhattan", "IDA*", 0, 0, "Korf"},
        {"15-puzzle", "Manhattan", "BAE*", 2707000, 500, "Alcazar"},
        {"15-puzzle", "Manhattan", "A*", 15549689, 0.5, "Chen"},
        {"15-puzzle", "Manhattan", "NBS", 12851889, 0.5, "Chen"},
        {"15-puzzle", "Manhattan", "NBS", 12556000, 500, "Siag"},
        {"15-puzzle", "Manhattan", "MM", 13162312, 0.5, "Chen"},
    };
}

// clang-format on

} // namespace benchmarks

#include "npuzzle/puzzle/pattern_database/table_file_error.hpp"

#include "support/catch.hpp"

#include <stdexcept>
#include <string>

using npuzzle::TableFileError;

TEST_CASE("the error names the file, says what is wrong and what can be done", "[file]") {
    const TableFileError damaged("/some/table.npdb", "is empty");
    CHECK(damaged.what() == std::string("/some/table.npdb: is empty"));
    CHECK(damaged.file() == "/some/table.npdb");
    CHECK(damaged.kind() == TableFileError::Kind::damaged);
    CHECK(TableFileError("table", "is newer", TableFileError::Kind::newer).kind() ==
          TableFileError::Kind::newer);
    CHECK_THROWS_AS(throw damaged, std::runtime_error);
}

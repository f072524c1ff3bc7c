// The one place where Catch2's main, and with version 2 its whole implementation, is compiled.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_RUNNER
#endif
#include "support/catch.hpp"

int main(int argc, char* argv[]) {
    return Catch::Session().run(argc, argv);
}

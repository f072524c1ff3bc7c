// What happens if a file that is mapped into memory, as tables are, gets shorter.
#pragma once

namespace program {

// From now on it ends the program with one line, and not with a signal.
void tell_truncation();

} // namespace program

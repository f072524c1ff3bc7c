// A library for LD_PRELOAD that makes a call of a program fail. NPUZZLE_FAULT says which, as in
// support/failing_calls.hpp: KIND:NUMBER:WHAT, with a kind (or `any`), the number of the call from 1, and the
// name of an error, `short` or `dies`. If the call came, the file that NPUZZLE_FAULT_HIT names is there
// afterwards.
//
//     NPUZZLE_FAULT=write:2:ENOSPC NPUZZLE_FAULT_HIT=hit LD_PRELOAD=libnpuzzle_faults.so npuzzle ...

#include "support/failing_calls.hpp"

#include <cstdlib>
#include <string>

namespace {

void leave_mark() {
    const char* const file = std::getenv("NPUZZLE_FAULT_HIT");
    if (file == nullptr) return;
    test::calls.is_armed = false;
    ::close(::open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    test::calls.is_armed = true;
}

[[noreturn]] void refuse(const std::string& plan) {
    std::fprintf(stderr, "NPUZZLE_FAULT: \"%s\" is no plan\n", plan.c_str());
    ::_exit(127);
}

__attribute__((constructor)) void arm() {
    const char* const variable = std::getenv("NPUZZLE_FAULT");
    if (variable == nullptr) return;
    const std::string plan = variable;
    const std::size_t first = plan.find(':');
    const std::size_t second = plan.find(':', first + 1);
    if (second == std::string::npos) refuse(plan);
    const std::string kind = plan.substr(0, first);
    const std::string what = plan.substr(second + 1);
    const std::uint64_t number = std::strtoull(plan.c_str() + first + 1, nullptr, 10);
    std::size_t call = 0;
    while (call < test::call_count && kind != test::call_names[call]) ++call;
    if (number == 0 || (call == test::call_count && kind != "any")) refuse(plan);
    const test::Fault fault = what == "dies"    ? test::Fault::dies
                              : what == "short" ? test::Fault::falls_short
                                                : test::Fault::fails;
    const int error = what == "ENOSPC"   ? ENOSPC
                      : what == "EACCES" ? EACCES
                      : what == "ENOMEM" ? ENOMEM
                      : what == "EROFS"  ? EROFS
                      : what == "EINTR"  ? EINTR
                      : what == "EIO"    ? EIO
                                         : 0;
    if (fault == test::Fault::fails && error == 0) refuse(plan);
    test::calls.on_hit = leave_mark;
    if (kind == "any") {
        test::calls.arm_any(number, fault, fault == test::Fault::fails ? error : EIO);
    } else {
        test::calls.arm(static_cast<test::Call>(call), number, fault,
                        fault == test::Fault::fails ? error : EIO);
    }
}

} // namespace

/// @file
/// An environment variable for a test.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace test {

/// Sets or removes an environment variable during its lifetime.
class Environment {
public:
    Environment(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) {
            before_ = before;
        }
        set(value);
    }
    ~Environment() { set(before_ ? before_->c_str() : nullptr); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

private:
    void set(const char* value) const {
#if defined(_WIN32)
        ::_putenv_s(name_, value == nullptr ? "" : value);
#else
        value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1);
#endif
    }

    const char* name_;
    std::optional<std::string> before_;
};

} // namespace test

/// @file
/// The exceptions that a call throws, for tests of error messages.
#pragma once

#include <string>

/// The message of the Error that `call()` throws; "nothing thrown" if it throws nothing.
template <class Error, class Call>
std::string message_of(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing thrown";
}

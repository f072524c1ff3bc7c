#pragma once

#include "interrupt.hpp"

#include <optional>
#include <string>

namespace program {

// Whether a file of this name is an ordinary one, or there is none yet: not a pipe, a device or a directory,
// and not an open file of this process by its name in /dev or /proc.
bool is_replaceable(const std::string& name);

// A file that takes the place of another one, at once, when it is complete. If it never is, nothing of it is
// left, and the other one is as it was; only a program killed just before the last step leaves it, or a part
// of it, beside the other one, under a name that begins with a dot. That one's permissions, and if possible
// its owner, are kept. A symbolic link stays: it is the file behind it that is replaced.
class ReplacementFile {
public:
    // Throws std::system_error if the folder or the file may not be written.
    explicit ReplacementFile(const std::string& name);
    ReplacementFile(const ReplacementFile&) = delete;
    ReplacementFile& operator=(const ReplacementFile&) = delete;
    ~ReplacementFile();

    // Where to write.
    int descriptor() const { return descriptor_; }

    // Replaces the file. What has been written is on the disk before that. Throws std::system_error.
    void commit();

private:
    std::string folder() const;
    // A file that was made with a name, where there are no others, cannot be given one again: it is copied.
    void give_name();

    std::string name_;      // as it was given
    std::string target_;    // behind symbolic links
    std::string temporary_; // between the last byte and its final name
    std::optional<OnSuddenEnd> without_name_;
    int descriptor_ = -1;
};

} // namespace program

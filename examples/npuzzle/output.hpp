// Where answers go.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace program {

class ReplacementFile;

// The format that a file's name asks for: its extension, in lower case, or the first of the formats if it has
// none. Throws if it is none of them.
std::string format_by_name(const std::string& file, const std::vector<std::string_view>& formats);

// The format that was asked for; if that is empty, the one that the file's name asks for, with "text" for
// .txt.
std::string format_of(const std::string& format, const std::string& file,
                      const std::vector<std::string_view>& formats);

// Standard output, or a file. A file keeps its content until `finish`, or does not exist until then.
class Output {
public:
    // Standard output if `file` is empty or -; that of a quiet program takes nothing. Throws if the file
    // cannot be written, so construct it before the work. Pipes and devices, such as /dev/null, are written
    // as the answer comes.
    explicit Output(const std::string& file = {});
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output();

    // Whether it is no standard output.
    bool is_file() const { return file_ || is_own_; }

    // Throws with the reason if it cannot write.
    void write(std::string_view text);

    // Writes what is still buffered. Call it where somebody waits for the output.
    void flush();

    // From now on, a stop does not keep the answer from whoever reads slowly.
    void set_patient() { is_patient_ = true; }

    // The answer is complete: all that was written is in the file, even if the machine loses power next.
    void finish();

private:
    std::string held_back_;
    std::string name_;
    std::unique_ptr<ReplacementFile> file_; // none for standard output, pipes and devices
    int descriptor_;
    bool is_own_ = false; // the descriptor
    bool is_regular_ = false;
    bool is_silent_ = false;
    bool is_patient_ = false;
};

} // namespace program

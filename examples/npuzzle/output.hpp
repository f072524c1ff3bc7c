// Where answers go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace program {

// The format that was asked for; if that is empty, the one that the file's extension asks for, with "text" for
// .txt, or the first of the formats if it has none. Throws if it is none of them.
std::string format_of(const std::string& format, const std::string& file,
                      const std::vector<std::string_view>& formats);

// Standard output, or a file. A file keeps its content until `finish`, or does not exist until then: the
// answer is written to a file beside it, which takes its place when it is complete.
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
    bool is_file() const { return is_own_; }

    // Throws with the reason if it cannot write.
    void write(std::string_view text);

    // Writes what is still buffered. Call it where somebody waits for the output.
    void flush();

    // From now on, a stop does not keep the answer from whoever reads slowly.
    void set_patient() { is_patient_ = true; }

    // The answer is complete: all that was written is in the file.
    void finish();

private:
    void open_replacement();

    std::string held_back_;
    std::string name_;
    std::string target_;    // the file that is replaced, behind symbolic links; none for pipes and devices
    std::string temporary_; // the file beside it, until it takes its place
    int descriptor_;
    bool is_own_ = false; // the descriptor
    bool is_regular_ = false;
    bool is_silent_ = false;
    bool is_patient_ = false;
};

} // namespace program

// needs: mpi.h
// expect: Serializable
// mend: std::string serialize(const State&) const; State deserialize(const std::string&) const;
// A state whose content is its own business, so that nobody knows what of it to send to other processes.
#include <npuzzle/search/distributed.hpp>

#include <cstddef>
#include <string>
#include <vector>

class Text {
public:
    Text() = default;
    explicit Text(const std::string& text) : text_(text) {}
    const std::string& text() const { return text_; }
    bool operator==(const Text&) const = default;
    friend std::size_t hash_value(const Text& text) { return npuzzle::hash_of(text.text_); }

private:
    std::string text_;
};

struct Growing {
    using State = Text;
    std::vector<Text> neighbors(const Text& at) const {
        return {Text(at.text() + "a"), Text(at.text() + "b")};
    }
    bool is_goal(const Text& at) const { return at.text() == "abba"; }
#ifdef CONTROL
    std::string serialize(const Text& at) const { return at.text(); }
    Text deserialize(const std::string& text) const { return Text(text); }
#endif
};

int main() {
    npuzzle::distributed_astar(MPI_COMM_WORLD, Growing{}, Text(), npuzzle::Zero{});
}

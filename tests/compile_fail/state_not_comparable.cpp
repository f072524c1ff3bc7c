// mend: bool operator==(const State&) const = default;
// A state of the user's own that nobody can compare.
#include <npuzzle/search.hpp>

#include <cstddef>
#include <vector>

struct Number {
    int value;
#ifdef CONTROL
    bool operator==(const Number&) const = default;
#endif
    friend std::size_t hash_value(const Number& number) { return static_cast<std::size_t>(number.value); }
};

struct Doubling {
    using State = Number;
    std::vector<Number> neighbors(Number x) const { return {{x.value + 1}, {2 * x.value}}; }
    bool is_goal(Number x) const { return x.value == 97; }
};

int main() {
    npuzzle::iterative_deepening(Doubling{}, Number{1}).path.size();
}

// mend: friend std::size_t hash_value(const State&);
// A state of the user's own, with equality but nothing to hash it by.
#include <npuzzle/search.hpp>

#include <cstddef>
#include <vector>

struct Number {
    explicit Number(int number) : value(number) {} // so its members are nobody's business
    int value;
    bool operator==(const Number&) const = default;
};

struct Doubling {
    using State = Number;
    std::vector<Number> neighbors(Number x) const { return {Number(x.value + 1), Number(2 * x.value)}; }
    bool is_goal(Number x) const { return x.value == 97; }
#ifdef CONTROL
    std::size_t hash(Number x) const { return static_cast<std::size_t>(x.value); }
#endif
};

int main() {
    npuzzle::astar(Doubling{}, Number{1}, npuzzle::Zero{});
}

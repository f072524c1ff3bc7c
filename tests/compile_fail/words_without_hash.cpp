// mend: friend std::size_t hash_value(const State&);
// A search that stores its nodes in the pooled table, whatever the problem could do without a hash.
#include <npuzzle/search.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

struct Number {
    explicit Number(int number) : value(number) {} // so its members are nobody's business
    int value;
    bool operator==(const Number&) const = default;
#ifdef CONTROL
    friend std::size_t hash_value(const Number& number) { return static_cast<std::size_t>(number.value); }
#endif
};

struct Doubling {
    using State = Number;
    std::vector<Number> neighbors(Number x) const { return {Number(x.value + 1), Number(2 * x.value)}; }
    bool is_goal(Number x) const { return x.value == 97; }
    std::uint32_t pack(Number x) const { return static_cast<std::uint32_t>(x.value); }
    Number unpack(std::uint32_t word) const { return Number(static_cast<int>(word)); }
};

int main() {
    npuzzle::count_optimal(Doubling{}, Number{1}, npuzzle::Zero{});
}

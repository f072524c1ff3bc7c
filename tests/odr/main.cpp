#include "searches.hpp"

int main() {
    const Answers expected{8, 4};
    return answers_of_the_first() == expected && answers_of_the_second() == expected ? 0 : 1;
}

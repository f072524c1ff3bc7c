/// @file
/// The searches, in parts that are compiled apart.
#pragma once

#include "problem.hpp"

namespace fuzz {

void run_best_first(const Case<int>& problem);
void run_best_first(const Case<double>& problem);
void run_policies(const Case<int>& problem);
void run_policies(const Case<double>& problem);
void run_depth_first(const Case<int>& problem);
void run_depth_first(const Case<double>& problem);
void run_two_way(const Case<int>& problem);
void run_two_way(const Case<double>& problem);
void run_layers(const Case<int>& problem);

} // namespace fuzz

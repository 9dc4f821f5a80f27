// SPDX-License-Identifier: GPL-3.0-or-later
// Replays a solution with dsa-solver's own library: it must name the problem and keep all constraints.
//
//     replay PROBLEM            prints the fingerprint of the problem
//     replay PROBLEM SOLUTION   validates the solution, and prints its total peak, highest peak and reuse cost
#include <cstdio>
#include <exception>

#include "dsa/model/structured_problem.h"
#include "dsa/model/validator.h"

int main(int count, char **arguments) {
  try {
    if (count < 2) return 2;
    const dsa::StructuredProblemDocument problem =
        dsa::ReadStructuredProblemJsonFile(arguments[1]);
    if (count == 2) {
      std::puts(dsa::FingerprintStructuredProblem(problem).c_str());
      return 0;
    }
    const dsa::DsaSolution solution = dsa::ValidateAndExtractStructuredSolution(
        problem, dsa::ReadStructuredSolutionJsonFile(arguments[2]));
    const dsa::ObjectiveValue value = dsa::EvaluateObjective(problem.problem, solution);
    std::printf("total_peak %llu max_peak %llu reuse_cost %llu\n",
                static_cast<unsigned long long>(value.total_peak),
                static_cast<unsigned long long>(value.max_peak),
                static_cast<unsigned long long>(value.reuse_cost));
    return 0;
  } catch (const std::exception &error) {
    std::printf("%s\n", error.what());
    return 1;
  }
}

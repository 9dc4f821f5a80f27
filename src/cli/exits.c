/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/exits.h"

int exit_of(neap_status status) {
  switch (status) {
  case NEAP_OK:
    return EXIT_DONE;
  case NEAP_ERROR_SYSTEM:
  case NEAP_ERROR_MEMORY:
    return EXIT_SYSTEM;
  case NEAP_ERROR_ARGUMENT:
    return EXIT_USAGE;
  case NEAP_ERROR_INPUT:
  case NEAP_ERROR_FORMAT:
    return EXIT_INPUT;
  case NEAP_INFEASIBLE:
    return EXIT_INFEASIBLE;
  case NEAP_NO_PLAN:
    return EXIT_NO_PLAN;
  case NEAP_ERROR_UNSOUND:
    return EXIT_UNSOUND;
  }
  return EXIT_UNSOUND; /* an unknown status is a bug, too */
}

static const struct exit_meaning meanings[] = {
    {EXIT_DONE, "Success: a verified plan was found, or the checked plan is sound."},
    {EXIT_SYSTEM, "System error: a file cannot be read or written, or memory is exhausted."},
    {EXIT_USAGE, "The command line is invalid."},
    {EXIT_INPUT, "Bad input: a file is malformed, the checked plan is unsound, or the output "
                 "format cannot represent the data."},
    {EXIT_INFEASIBLE, "It is proven that no plan fits the capacity."},
    {EXIT_NO_PLAN,
     "The time or work limit was reached before a plan that fits the capacity, or a proof for "
     "--certificate, was found."},
    {EXIT_UNSOUND, "A plan failed verification: this is a bug in neap."},
    {EXIT_INTERRUPTED,
     "Ctrl-C stopped bench, compare or sweep before all runs were done; the results "
     "so far have been written."},
    {EXIT_TERMINATED, "SIGTERM stopped neap; the best results so far have been written."},
};

const struct exit_meaning *exit_meaning_at(size_t index) {
  return index < sizeof meanings / sizeof *meanings ? &meanings[index] : NULL;
}

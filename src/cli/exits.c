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
  return EXIT_UNSOUND; /* no such status: as much of a bug */
}

static const struct exit_meaning meanings[] = {
    {EXIT_DONE, "Done: there is a verified plan, or the plan checked is sound."},
    {EXIT_SYSTEM, "The system refused: a file cannot be read or written, or memory is short."},
    {EXIT_USAGE, "The command line is wrong."},
    {EXIT_INPUT,
     "The input is malformed, the plan checked is unsound, or the format asked for cannot say "
     "what there is."},
    {EXIT_INFEASIBLE, "No plan keeps to the capacity; this is proven."},
    {EXIT_NO_PLAN, "The budget was spent before a plan was found that keeps to the capacity."},
    {EXIT_UNSOUND, "A plan failed verification: a bug in neap."},
};

const struct exit_meaning *exit_meaning_at(size_t index) {
  return index < sizeof meanings / sizeof *meanings ? &meanings[index] : NULL;
}

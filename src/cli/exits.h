/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exit codes of the program. */
#ifndef CLI_EXITS_H
#define CLI_EXITS_H

#include <neap/neap.h>

enum exits {
  EXIT_DONE = 0,
  EXIT_SYSTEM = 1,
  EXIT_USAGE = 2,
  EXIT_INPUT = 3,
  EXIT_INFEASIBLE = 4,
  EXIT_NO_PLAN = 5,
  EXIT_UNSOUND = 70,
  EXIT_INTERRUPTED = 130, /* 128 + SIGINT */
  EXIT_TERMINATED = 143   /* 128 + SIGTERM, as shells report it */
};

/* The exit code of a status of the library. */
int exit_of(neap_status status);

struct exit_meaning {
  int code;
  const char *meaning;
};

/* Every exit code, ascending; NULL past the last. */
const struct exit_meaning *exit_meaning_at(size_t index);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/completion.h"

#include <string.h>

#include "cli/suggest.h"

#define SHELLS 2
static const char *const shells[SHELLS] = {"bash", "zsh"};
static void (*const scripts[SHELLS])(FILE *stream) = {completion_print_bash,
                                                      completion_print_zsh};

const char *completion_shell_at(size_t index) { return index < SHELLS ? shells[index] : NULL; }

int completion_print(const char *shell) {
  for (size_t i = 0; i < SHELLS; i++)
    if (strcmp(shells[i], shell) == 0) {
      scripts[i](stdout);
      return 0;
    }
  return suggest_value("completion", shell, shells, SHELLS);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/completion.h"

#include <string.h>

#include "cli/suggest.h"

static const struct shell {
  const char *name;
  void (*print)(FILE *stream);
} shells[] = {
    {.name = "bash", .print = completion_print_bash},
    {.name = "zsh", .print = completion_print_zsh},
};
#define SHELLS (sizeof shells / sizeof *shells)

const char *completion_shell_at(size_t index) {
  return index < SHELLS ? shells[index].name : NULL;
}

int completion_print(const char *shell) {
  const char *names[SHELLS];
  for (size_t i = 0; i < SHELLS; i++) {
    names[i] = shells[i].name;
    if (strcmp(names[i], shell) != 0) continue;
    shells[i].print(stdout);
    return 0;
  }
  return suggest_value("completion", shell, names, SHELLS);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/completion.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cli/suggest.h"

static const struct shell {
  const char *name, *template;
  const struct completion_part *parts;
} shells[] = {
    {.name = "bash", .template = completion_bash_template, .parts = completion_bash_parts},
    {.name = "zsh", .template = completion_zsh_template, .parts = completion_zsh_parts},
};
#define SHELLS (sizeof shells / sizeof *shells)

const char *completion_shell_at(size_t index) {
  return index < SHELLS ? shells[index].name : NULL;
}

/* The part whose line begins the text, or NULL. */
static const struct completion_part *find_part(const struct completion_part *parts,
                                               const char *text) {
  for (; parts->name; parts++) {
    size_t length = strlen(parts->name);
    if (strncmp(text + 1, parts->name, length) == 0 && text[1 + length] == '@') return parts;
  }
  return NULL;
}

static void print_script(FILE *stream, const struct shell *shell) {
  const char *end;
  for (const char *line = shell->template; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    const struct completion_part *part = *line == '@' ? find_part(shell->parts, line) : NULL;
    assert(part || *line != '@');
    if (part) part->print(stream);
    else fwrite(line, 1, (size_t)(end + 1 - line), stream);
  }
}

int completion_print(const char *shell) {
  const char *names[SHELLS];
  for (size_t i = 0; i < SHELLS; i++) {
    names[i] = shells[i].name;
    if (strcmp(names[i], shell) != 0) continue;
    print_script(stdout, &shells[i]);
    return 0;
  }
  return suggest_value("completion", shell, names, SHELLS);
}

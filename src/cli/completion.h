/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scripts that complete command lines in a shell: templates filled in from the tables of commands
 * and options with commands, options, the values of options that have choices, and file extensions.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

/* The shells that there are scripts for; NULL past the last. */
const char *completion_shell_at(size_t index);

/* Prints the script for a shell.  Returns 0, or the exit code of the message it has printed. */
int completion_print(const char *shell);

/* A line @name@ of a template, and what to print instead. */
struct completion_part {
  const char *name;
  void (*print)(FILE *stream);
};

/* For each shell: its template, from completion.SHELL, and the parts, the last with no name. */
extern const char completion_bash_template[], completion_zsh_template[];
extern const struct completion_part completion_bash_parts[], completion_zsh_parts[];

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scripts that complete command lines in a shell: templates filled in from the tables of commands
 * and options with commands, options, the values of options that have choices, and file extensions.
 */
#ifndef CLI_HELP_COMPLETION_H
#define CLI_HELP_COMPLETION_H

#include <stddef.h>

/* The shells that there are scripts for; NULL past the last. */
const char *completion_shell_at(size_t index);

/* Prints the script for a shell, which is one of those. */
void completion_print(const char *shell);

/* The template for each shell, from completion.SHELL. */
extern const char completion_bash_template[], completion_zsh_template[];

#endif

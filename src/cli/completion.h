/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scripts that complete command lines in a shell, generated from the tables of commands and
 * options: commands, options, the values of options that have choices, and files by extension.
 */
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

/* The shells that there are scripts for; NULL past the last. */
const char *completion_shell_at(size_t index);

/* Prints the script for a shell.  Returns 0, or the exit code of the message it has printed. */
int completion_print(const char *shell);

/* The scripts of the shells. */
void completion_print_bash(FILE *stream);
void completion_print_zsh(FILE *stream);

#endif

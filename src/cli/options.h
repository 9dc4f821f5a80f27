/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of a command: those in its own table, those of planning (which the library lists)
 * and those that all commands have.  Reading the command line, --help and the manual go by the
 * one list that is made of them here.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <neap/neap.h>
#include <stddef.h>

#include "cli/arguments.h"

enum option_kind {
  OPTION_FLAG,    /* a bool */
  OPTION_TEXT,    /* a const char * */
  OPTION_NUMBER,  /* an int64_t from `low` on */
  OPTION_BYTES,   /* an int64_t from `low` on; a unit may follow, as in the library's options */
  OPTION_ADDRESS, /* a struct address */
  OPTION_FORMAT,  /* a neap_format */
  OPTION_PLAN_FORMAT /* one that can say plans */
};

/* A row of a command's table. */
struct option_row {
  const char *name;
  char letter; /* its short spelling, or '\0' */
  enum option_kind kind;
  size_t field;         /* where in struct arguments it is kept */
  const char *argument; /* what stands for its value; NULL for a flag */
  int64_t low;
  bool required;
  const char *help; /* a phrase without a full stop */
};

enum option_group { OPTION_OWN, OPTION_PLANNING, OPTION_COMMON, OPTION_GROUP_COUNT };

/* The heading of a group. */
const char *option_group_title(enum option_group group);

/* An option of whichever kind. */
struct option_view {
  enum option_group group;
  const struct option_row *row; /* NULL for one of planning */
  neap_option_info planning;
  const char *name, *argument, *help;
  char letter;
};

#define OPTIONS_MAX 64

struct command;

/* Lists the options of a command; returns how many there are. */
size_t options_list(const struct command *command, struct option_view views[OPTIONS_MAX]);

/* The options of planning, for texts about no command in particular. */
size_t options_list_planning(struct option_view views[OPTIONS_MAX]);

/*
 * Puts a value (NULL for a flag) where it belongs.  Returns 0, or the exit code of the message
 * that says what was expected.
 */
int option_set(const struct option_view *view, const char *value, struct arguments *arguments);

#define OPTION_REMARK_SIZE 128

/*
 * What else there is to say of an option's values: "1 to 100, default 10"; "" if nothing.
 * Returns `text`.
 */
const char *option_remark(const struct option_view *view, char text[OPTION_REMARK_SIZE]);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values that an option chooses from, for shell completion. */
#ifndef CLI_CHOICES_H
#define CLI_CHOICES_H

#include "cli/options.h"
#include "cli/topics.h"

/* Fills the term and the text of a value; false past the last, and if any value is allowed. */
bool choice_at(const struct option_view *view, size_t index, struct topic_entry *choice);

/* Whether the option takes a comma-separated list of them. */
bool choices_are_list(const struct option_view *view);

#define CHOICES_SCHEDULES 4

/* The names of the orders that --schedule accepts; NULL past the last.  *schedule may be NULL. */
const char *choices_schedule_at(size_t index, neap_schedule *schedule);

#define CHOICES_VARIABLES 2

/* The values of --variables; NULL past the last.  *variables may be NULL. */
const char *choices_variables_at(size_t index, neap_variables *variables);

#endif

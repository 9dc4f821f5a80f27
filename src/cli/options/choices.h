/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values that an option chooses from. */
#ifndef CLI_OPTIONS_CHOICES_H
#define CLI_OPTIONS_CHOICES_H

#include "cli/help/topics.h"
#include "cli/options/options.h"

/*
 * Fills the term and the text of a value; false past the last, and if any value is allowed.
 * Orders of operators have the indices of neap_schedule, kernels those of neap_kernels, and
 * what becomes of variables those of neap_variables less one.
 */
bool choice_at(const struct option_view *view, size_t index, struct topic_entry *choice);

/* Whether the option takes a comma-separated list of them. */
bool choices_are_list(const struct option_view *view);

#endif

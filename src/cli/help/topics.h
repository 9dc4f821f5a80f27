/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The topics of 'neap help': engines, orders, formats and so on.  Each is a list of terms with
 * an explanation, from which help at the terminal and parts of the manual are generated.
 */
#ifndef CLI_HELP_TOPICS_H
#define CLI_HELP_TOPICS_H

#include <stdbool.h>
#include <stddef.h>

#include "neap/neap-io.h"

#define TOPIC_TERM_SIZE 48

struct topic_entry {
  char term[TOPIC_TERM_SIZE];
  const char *text;    /* a phrase without a full stop */
  const char *remark;  /* what to add in brackets, or NULL */
  const char *heading; /* of this entry and those after it; NULL unless it differs */
  const neap_format_example *examples; /* shown after the list, or NULL */
};

struct topic {
  const char *name;
  const char *summary;
  const char *option;                                     /* the option it explains, or NULL */
  const char *intro;                                      /* before the list, or NULL */
  bool (*entry)(size_t index, struct topic_entry *entry); /* false past the last */
  const char *outro;                                      /* after the list, or NULL */
};

/* The topics in the order in which help lists them; NULL past the last. */
const struct topic *topic_at(size_t index);

/* The topic of that name; NULL if there is none. */
const struct topic *topic_find(const char *name);

/* The topic that lists the values of an option; NULL if there is none. */
const struct topic *topic_of_option(const char *option);

#endif

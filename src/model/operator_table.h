/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators of a problem as a user sees them: the name of each, and the buffers that it
 * reads and makes.  Files keep this table; model/operators, in contrast, serves the planners of
 * runtimes.
 */
#ifndef MODEL_OPERATOR_TABLE_H
#define MODEL_OPERATOR_TABLE_H

#include "core/names.h"
#include "neap/graph.h"

/*
 * An operator's links begin where the previous operator's end; the buffers that it reads come
 * first.
 */
struct operator_entry {
  size_t type;           /* its number */
  size_t name;           /* where its name begins in `texts`; SIZE_MAX: none */
  size_t reads_end, end; /* in `links` */
};

struct operator_table {
  size_t count, capacity;
  struct operator_entry *entries;
  struct names types;
  char *texts; /* names, each with its NUL */
  size_t text_size, text_capacity;
  size_t *links; /* buffers */
  size_t link_count, link_capacity;
  size_t *stamps; /* per buffer: the stamp of the last list that contained it */
  size_t stamp_count, stamp_capacity;
  size_t stamp_next; /* at least as large as every stamp */
};

enum operator_repeats { OPERATOR_REPEATS_REFUSED, OPERATOR_REPEATS_DROPPED };

void operator_table_free(struct operator_table *table);

/* Checks the texts of an operator. */
neap_status operator_table_check(const neap_operator_info *info, neap_error *error);

/*
 * Adds a copy of an operator on buffers with these names.  The errors are those of
 * neap_problem_add_operator, but texts are not checked, because graphs may have types that are not
 * valid UTF-8.  Amortised time linear in the lists and texts.
 */
neap_status operator_table_add(struct operator_table *table, const struct names *names,
                               const neap_operator_info *info, enum operator_repeats repeats,
                               neap_error *error);

/* Fills a description of an operator; false past the last. */
bool operator_table_at(const struct operator_table *table, size_t index,
                       neap_operator_info *info);

#endif

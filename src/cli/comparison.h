/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of all engines for one problem, and how neap compare draws them. */
#ifndef CLI_COMPARISON_H
#define CLI_COMPARISON_H

#include <jansson.h>
#include <neap/neap-io.h>
#include <neap/planner.h>

#include "cli/arguments.h"

/* The result of one engine. */
struct entry {
  neap_engine_info engine;
  neap_status status;
  neap_report report; /* of the plan; without its engine, which belongs to the plan */
  char reason[200];   /* why there is no plan */
  neap_plan *plan;    /* kept if it will be drawn; otherwise NULL */
};

struct comparison {
  const struct arguments *arguments;
  const neap_problem *problem;
  neap_bound bound;
  struct entry *entries; /* best first once all have run */
  size_t count;
};

/*
 * Draws peaks, and each distinct layout once, to the file of --svg if there is one.  Returns 0 or
 * the exit code of the message it has printed.
 */
int comparison_chart(const struct comparison *comparison);

/* Likewise writes all plans to the page of --html; `object` is that of --json, which it takes. */
int comparison_page(const struct comparison *comparison, json_t *object);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of the API that a line of a trace can name, such as "add 0 64 1 3 1 -1".  Words are numbers
 * or texts.  The first ones name slots of objects.  A call is skipped if its object is missing, or
 * if the headers forbid it without naming an error; so every trace may be run, and any line
 * dropped.  src/engine/trace.c writes traces of programs in these words.
 */
#ifndef FUZZ_CALL_TABLE_H
#define FUZZ_CALL_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "neap/graph.h"
#include "neap/neap-io.h"
#include "neap/planner.h"
#include "neap/proof.h"
#include "neap/relations.h"

#define CALL_WORDS 12
#define WORD_SIZE 128
#define SLOTS 8       /* as in src/engine/trace.c */
#define SLOTS_DRAWN 3 /* few, so that calls meet */

/* A word is a number or a text, which may also spell a number.  The call's name comes first. */
struct trace_word {
  char text[WORD_SIZE]; /* empty: the number alone is known */
  int64_t number;
};

struct trace_line {
  struct trace_word words[CALL_WORDS];
  unsigned count;
  const struct call *call; /* NULL: there is no such call */
};

struct problem_slot {
  neap_problem *problem;
  unsigned users; /* planners and plans: while there are any, the problem may not change */
};

struct planner_slot {
  neap_planner *planner;
  struct problem_slot *of;
  unsigned callbacks, cancel_after; /* 0: never */
};

struct plan_slot {
  neap_plan *plan;
  struct problem_slot *of; /* NULL: the plan owns its problem */
  bool is_planned;         /* by neap, so it must be sound */
};

/* The lists that the next buffer of a recorded trace receives. */
struct lists {
  neap_range *ranges;
  size_t *pools;
  size_t range_count, pool_count;
};

/* The objects of a trace. */
struct world {
  struct problem_slot problems[SLOTS];
  neap_options *options[SLOTS];
  struct planner_slot planners[SLOTS];
  struct plan_slot plans[SLOTS];
  neap_graph *graphs[SLOTS];
  struct lists lists;
  FILE *results;    /* where the offsets of plans that are taken go, or NULL */
  uint64_t fail_at; /* of the next call, this allocation fails; 0: none */
  bool all_after;
  uint64_t calls; /* made, not passed over */
  const char *folder;
  char complaint[256]; /* empty unless a call broke a promise of the headers */
};

/*
 * A call and what its words are:
 *   s  a slot         z  a size            c  a capacity, or -1   i  a small index
 *   t  a time         a  an alignment      n  a small count       o  an option and its value
 *   b  0 or 1         k  a kind            f  a format
 */
struct call {
  const char *name;
  const char *words;
  unsigned weight; /* how often it is drawn; 0: only programs that record a trace write it */
  void (*make)(struct world *world, const struct trace_line *line);
};

/* NULL past the last. */
const struct call *call_at(unsigned index);

/* NULL if there is none. */
const struct call *call_named(const char *name);

/* Releases all objects. */
void world_clear(struct world *world);

#endif

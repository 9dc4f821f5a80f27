/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a search for a layout within a capacity. */
#ifndef SEARCH_VERDICT_H
#define SEARCH_VERDICT_H

/*
 * The result of one step of a search, such as placing a rectangle.  Running out of memory
 * proves nothing, so it is never reported as a refutation.
 */
enum search_status {
  SEARCH_OPEN,    /* a layout may follow */
  SEARCH_REFUTED, /* no layout can follow */
  SEARCH_MEMORY   /* memory is short; the state can still be undone */
};

/* The result of a whole search. */
enum verdict {
  VERDICT_OPEN,    /* the allowed failures are used up: nothing is known */
  VERDICT_FOUND,   /* there is a layout */
  VERDICT_REFUTED, /* there is none */
  VERDICT_STOPPED, /* the run's budget is spent */
  VERDICT_MEMORY   /* memory is short: nothing is known */
};

#endif

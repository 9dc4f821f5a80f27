/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules that cut the tree of the cell search; each can be switched off, and none may change
 * what is found to exist.
 */
#ifndef SEARCH_RULES_H
#define SEARCH_RULES_H

#include <stdbool.h>

struct rules {
  bool alone; /* a rectangle that is the last in all of its sections needs no alternative */
  bool components; /* what falls apart during the search is decided apart */
  bool refuted;    /* states refuted before are known again */
  bool spanning; /* what failed on the floor of a valley that it spans fails up to its walls */
  bool twins;    /* equal rectangles are placed in one order only */
  bool weights;  /* sections that fail are preferred */
};

#define RULES_ALL \
  (struct rules) { true, true, true, true, true, true }

#endif

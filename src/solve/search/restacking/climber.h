/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local search over the order in which rectangles are stacked. */
#ifndef SEARCH_RESTACKING_CLIMBER_H
#define SEARCH_RESTACKING_CLIMBER_H

#include "search/method.h"

struct climber;

/* Whether the part is of moderate size and has no fixed or tied rectangles. */
bool climber_suits(const struct part *part);

/*
 * `part` must outlive the climber, and so must `found`, where it keeps its lowest layout so far,
 * whatever the capacity.  The peak includes padding on top.  NULL when memory is short.
 */
struct climber *climber_new(const struct part *part, uint64_t seed, struct findings *found);
void climber_free(struct climber *climber);

/* From now on a layout of at most `capacity` steps is wanted. */
void climber_aim(struct climber *climber, neap_size capacity);

/* Continues from the order of a layout, which may be unsound. */
void climber_begin(struct climber *climber, const neap_offset *offsets);

/* Like climber_begin, but only if that order is at least as good as the current one. */
void climber_adopt(struct climber *climber, const neap_offset *offsets);

/*
 * Tries a number of changes to the order.  VERDICT_FOUND when the capacity is met; otherwise
 * VERDICT_OPEN or VERDICT_STOPPED.
 */
enum verdict climber_run(struct climber *climber, uint64_t changes, struct budget *budget);

/* The number of changes tried since the area last fell to a new minimum. */
uint64_t climber_vain(const struct climber *climber);

#endif

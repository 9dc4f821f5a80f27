/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local search over the order in which rectangles lie over each other. */
#ifndef SEARCH_CLIMBER_H
#define SEARCH_CLIMBER_H

#include "core/budget.h"
#include "search/part.h"
#include "search/verdict.h"

struct climber;

/* It takes parts of moderate size in which nothing is fixed or tied. */
bool climber_suits(const struct part *part);

/* `part` must outlive the climber.  NULL when memory is short. */
struct climber *climber_new(const struct part *part, uint64_t seed);
void climber_free(struct climber *climber);

/* From now on a layout of at most `capacity` steps is wanted. */
void climber_aim(struct climber *climber, neap_size capacity);

/* Goes on from the order of a layout, sound or not. */
void climber_begin(struct climber *climber, const neap_offset *offsets);

/* Does the same if that is better than the current order. */
void climber_adopt(struct climber *climber, const neap_offset *offsets);

/*
 * Tries a number of changes to the order.  VERDICT_FOUND when the capacity is met; otherwise
 * VERDICT_OPEN or VERDICT_STOPPED.
 */
enum verdict climber_run(struct climber *climber, uint64_t changes, struct budget *budget);

/* How many changes have been made since one lowered the area. */
uint64_t climber_vain(const struct climber *climber);

/*
 * The lowest layout so far, whatever the capacity: its peak in steps, where padding on top counts, and
 * the offset of each rectangle.
 */
neap_size climber_peak(const struct climber *climber);
const neap_offset *climber_offsets(const struct climber *climber);

#endif

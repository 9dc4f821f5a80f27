/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The knobs of core/knobs.def.  In most builds, they are constants.  Builds with --enable-checks
 * can set them before they plan, to experiment and to test that knobs affect effort, never
 * correctness:
 *
 *     NEAP_KNOBS=TUNER_REPACK_WORTH=2,BLAME_FADE=0.95 neap plan ...
 */
#ifndef CORE_KNOBS_H
#define CORE_KNOBS_H

#include <stddef.h>
#include <stdint.h>

#ifndef NEAP_CHECKS

#define KNOB(type, name, value, low, high, why) static const type name = value;
#include "core/knobs.def"
#undef KNOB

#else

#define KNOB(type, name, value, low, high, why) extern type name;
#include "core/knobs.def"
#undef KNOB

struct random;

/*
 * Resets all knobs, then sets those in "NAME=value,...".  Returns NULL, or the rest of the text
 * from the first knob that is unknown or whose value is out of range.
 */
const char *knobs_set(const char *text);

/*
 * Sets all knobs at random: half to their usual values, the others within their ranges, often to a
 * limit.
 */
void knobs_draw(struct random *random);

#endif
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed offsets, as readers check them: where in the file the fault lies is theirs to say. */
#ifndef FORMATS_FIXED_H
#define FORMATS_FIXED_H

#include "model/collide.h"

/* Finds two buffers whose fixed offsets collide; *found is false when there are none. */
neap_status fixed_collision(const struct neap_problem *problem, neap_collision *collision,
                            bool *found, neap_error *error);

#endif

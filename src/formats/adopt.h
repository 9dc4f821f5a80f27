/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan that was read: it owns its problem. */
#ifndef FORMATS_ADOPT_H
#define FORMATS_ADOPT_H

#include "neap/neap.h"

/* Makes a plan of a problem and of one offset per buffer, and takes both, on failure too. */
neap_status adopt_plan(neap_problem *problem, neap_offset *offsets, neap_plan **plan,
                       neap_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was read becomes what was asked for, which owns it. */
#ifndef FORMATS_ADOPT_H
#define FORMATS_ADOPT_H

#include "neap/neap.h"

/* Makes a plan of a problem and of one offset per buffer, and takes both, on failure too. */
neap_status adopt_plan(neap_problem *problem, neap_offset *offsets, neap_plan **plan,
                       neap_error *error);

/* Makes a problem of a graph, scheduled and alive as `reading` says, and takes the graph. */
neap_status adopt_graph(neap_graph *graph, const neap_reading *reading, neap_problem **problem,
                        neap_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The relation or buffer that a message of neap_problem_check describes, to report its place. */
#ifndef FILES_ERROR_PLACE_H
#define FILES_ERROR_PLACE_H

#include "model/problem.h"

#define BLAME_NONE SIZE_MAX

/* The first relation that a message describes, or BLAME_NONE.  O(relations). */
size_t blame_relation(const neap_problem *problem, const char *message);

/* The buffer whose name begins a message, or BLAME_NONE.  O(buffers). */
size_t blame_buffer(const neap_problem *problem, const char *message);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators of a problem or a plan, in the order of execution; operator k runs during [k, k
 * + 1).
 *
 *     "operators": [
 *       {
 *         "type": "CONV_2D",      "" if it has none
 *         "name": "conv1",        optional: its own name in the model
 *         "reads": ["x"],         names of buffers, each once
 *         "makes": ["conv1:0"]    its outputs and temporaries, also those made in place
 *       }, ...
 *     ]
 *
 * The horizon must be at least the number of operators.
 */
#ifndef FILES_JSON_OPERATORS_H
#define FILES_JSON_OPERATORS_H

#include "files/json/document.h"
#include "files/text_builder.h"
#include "model/problem.h"

/* Reads the operators, if there are any, of a problem whose buffers and horizon have been read. */
neap_status json_operators_read(const struct json_document *document,
                                struct neap_problem *problem, neap_error *error);

/* Writes a comma and the operators, if there are any. */
neap_status json_operators_write(const struct neap_problem *problem, struct row *row,
                                 FILE *stream, neap_error *error);

/* NEAP_ERROR_FORMAT: a type is not valid UTF-8. */
neap_status json_operators_check_texts(const struct neap_problem *problem, neap_error *error);

/* --------------------------------------------- the order that a graph's operators were put into */

/* Reads the key `schedule` of a root, if it is there. */
neap_status json_schedule_read(const struct json_at *root, struct neap_problem *problem,
                               neap_error *error);

/* Appends the line with the key, if the problem has a schedule. */
void json_schedule_append(const struct neap_problem *problem, struct row *row);

/* ---------------------------------------------------- tensors that the runtime allocates itself */

/* Reads the key `runtime` of a root, if it is there. */
neap_status json_runtime_read(const struct json_at *root, neap_problem *problem,
                              neap_error *error);

/* Appends the list, in brackets. */
void json_runtime_append(const neap_problem *problem, struct row *row);

/* Whether there are such tensors. */
bool json_runtime_has_any(const neap_problem *problem);

#endif

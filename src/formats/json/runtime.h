/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tensors that the runtime allocates itself, in problems and plans as JSON. */
#ifndef FORMATS_JSON_RUNTIME_H
#define FORMATS_JSON_RUNTIME_H

#include "formats/json/json.h"
#include "formats/row.h"

/* Reads the key `runtime` of a root, if it is there. */
neap_status json_runtime_read(const struct json_at *root, neap_problem *problem,
                              neap_error *error);

/* Appends the list, in brackets. */
void json_runtime_append(const neap_problem *problem, struct row *row);

/* Whether there are such tensors. */
bool json_runtime_has_any(const neap_problem *problem);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An explanation for programs, and for the page. */
#ifndef CLI_EXPLANATION_JSON_H
#define CLI_EXPLANATION_JSON_H

#include "cli/explanation_text.h"
#include "cli/summary.h"

/* One object; NULL when memory is short. */
json_t *explanation_json(const struct explained *explained);

#endif

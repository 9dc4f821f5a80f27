/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reason `layout`: a search for a lower layout in which every state is refuted. */
#ifndef CERTIFY_LAYOUT_H
#define CERTIFY_LAYOUT_H

#include "certify/certificate.h"
#include "certify/items.h"

/* Proves task->target and sets task->least, if at most `states` states suffice. */
neap_status layout_prove(struct certify_task *task, const struct items *items, uint64_t states,
                         neap_error *error);

#endif

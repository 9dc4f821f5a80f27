/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reason `column`: buffers that share no byte need that many bytes. */
#ifndef CERTIFY_COLUMN_H
#define CERTIFY_COLUMN_H

#include "certify/certificate.h"
#include "certify/items.h"

/* Proves task->target, and sets task->least, if some column needs as much. */
neap_status column_prove(struct certify_task *task, const struct items *items,
                         neap_error *error);

#endif

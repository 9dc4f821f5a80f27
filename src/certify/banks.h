/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reason `banks`. */
#ifndef CERTIFY_BANKS_H
#define CERTIFY_BANKS_H

#include "certify/certificate.h"
#include "certify/items.h"

/*
 * Proves task->target and sets task->least and task->kind, if buffers that banks of one size separate
 * pairwise need that much; appends the line to task->proof.
 */
neap_status banks_prove(struct certify_task *task, const struct items *items,
                        neap_error *error);

#endif

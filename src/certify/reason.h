/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why no layout of one arena is lower. */
#ifndef CERTIFY_REASON_H
#define CERTIFY_REASON_H

#include "certify/certificate.h"

/*
 * Proves task->target with the shortest reason that is found: sets task->least and task->kind, and
 * appends the lines to task->proof.  task->least stays 0 if none is found, or the target is 0.
 */
neap_status reason_find(struct certify_task *task, neap_error *error);

/* Only looks for a moment at which what is alive needs as much. */
neap_status reason_find_load(struct certify_task *task, neap_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a reason why no layout of one arena is lower. */
#ifndef CERTIFY_REASON_H
#define CERTIFY_REASON_H

#include "certify/certificate.h"

/*
 * Proves task->target with the first reason that succeeds, from the simplest to the longest.
 * Sets task->least and task->kind, and appends the lines to task->proof. task->least is 0 if no
 * reason is found or the target is 0.
 */
neap_status reason_find(struct certify_task *task, neap_error *error);

/* Only tries the reason `load`: a moment at which the buffers alive need the target. */
neap_status reason_find_load(struct certify_task *task, neap_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a reason why no layout of one arena is lower. */
#ifndef CERTIFY_REASONS_H
#define CERTIFY_REASONS_H

#include "certify/certificate.h"
#include "certify/conflicts.h"
#include "model/problem.h"

/*
 * Proves task->target with the first reason that succeeds, from the simplest to the longest.
 * Sets task->least and task->kind, and appends the lines to task->proof. task->least is 0 if no
 * reason is found or the target is 0.
 */
neap_status reason_find(struct certify_task *task, neap_error *error);

/* Tries only the reason `load`: a moment at which the buffers alive need the target. */
neap_status reason_find_load(struct certify_task *task, neap_error *error);

/* ---------------------------------------------------------------- banks */

/* The reason `banks`. */

/*
 * Proves task->target and sets task->least and task->kind, if buffers that banks of one size
 * separate pairwise need that much; appends the line to task->proof.
 */
neap_status banks_prove(struct certify_task *task, const struct items *items,
                        neap_error *error);

/* ---------------------------------------------------------------- load */

/* The reason `load`: the buffers alive at one moment need that many bytes. */

/*
 * Finds the first moment at which the buffers alive need at least `target` (>= 1) bytes, and
 * that number.  *need is 0 if there is none.  O(n log n); with relations that let buffers share
 * bytes, each moment that reaches the target takes time linear in these relations and in the
 * buffers.
 */
neap_status load_find(const struct neap_problem *problem, neap_size target, neap_time *moment,
                      neap_size *need, neap_error *error);

/* Whether a buffer of at least one byte is alive at a moment. */
bool load_has(const struct neap_problem *problem, size_t buffer, neap_time moment);

#endif

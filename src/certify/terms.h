/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proofs of an objective with several terms, or of several pools. */
#ifndef CERTIFY_TERMS_H
#define CERTIFY_TERMS_H

#include "certify/certificate.h"

/* Whether a problem has pools, or plans pay for something besides the peak. */
bool terms_concern(const struct neap_problem *problem);

/*
 * Appends the proofs that no plan is better than task->plan in the first term in which they differ.
 * Sets task->least to the peak if that is done, and task->missing otherwise.
 */
neap_status terms_prove(struct certify_task *task, neap_error *error);

/* Prints what the claim says about the terms of task->plan. */
void terms_print(struct lines *lines, const struct certify_task *task);

/*
 * Proves that the buffers which can be only in one pool do not fit there.  Sets task->pool, and
 * task->least to what they need; 0 if there is no such pool.
 */
neap_status terms_refute_pools(struct certify_task *task, neap_error *error);

#endif

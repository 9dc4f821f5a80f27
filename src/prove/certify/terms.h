/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proofs for objectives with several terms, and for several pools. */
#ifndef CERTIFY_TERMS_H
#define CERTIFY_TERMS_H

#include "certify/certificate.h"

/* Whether a problem has pools, or costs besides the peak. */
bool terms_concern(const struct neap_problem *problem);

/*
 * Appends proofs, term by term, that no plan is better than task->plan in the first term in
 * which it differs.  Sets task->least to the peak on success, otherwise task->missing.
 */
neap_status terms_prove(struct certify_task *task, neap_error *error);

/* Prints the terms of the claim with their values in task->plan. */
void terms_print(struct lines *lines, const struct certify_task *task);

/*
 * Proves for some pool that the buffers which can only be in that pool do not fit.  Sets
 * task->pool, and task->least to the bytes that they need, or to 0 if there is no such pool.
 */
neap_status terms_refute_pools(struct certify_task *task, neap_error *error);

#endif

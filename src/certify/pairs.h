/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reason `pairs`: clauses about which of two buffers lies below, of which no choice keeps all. */
#ifndef CERTIFY_PAIRS_H
#define CERTIFY_PAIRS_H

#include "certify/certificate.h"

/* Proves task->target, and sets task->least and task->kind, if few clauses of a small part suffice. */
neap_status pairs_prove(struct certify_task *task, neap_error *error);

#endif

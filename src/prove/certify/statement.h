/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the lines of a certificate that state a problem and a plan of it. */
#ifndef CERTIFY_STATEMENT_H
#define CERTIFY_STATEMENT_H

#include "certify/certificate.h"

/* Prints the problem of a task, with the offsets and pools of its plan, if it has one. */
neap_status statement_print(struct lines *lines, const struct certify_task *task,
                            neap_error *error);

#endif

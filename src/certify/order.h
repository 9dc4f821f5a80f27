/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part `order` of a certificate: no order of the graph's operators has a lower bound than
 * the present one.
 */
#ifndef CERTIFY_ORDER_H
#define CERTIFY_ORDER_H

#include "certify/certificate.h"

/*
 * Appends the proof to task->proof if the problem was built from a graph whose order is proven
 * optimal; otherwise does nothing.  Sets task->order to the proven bound, or to 0.
 */
neap_status order_prove(struct certify_task *task, neap_error *error);

#endif

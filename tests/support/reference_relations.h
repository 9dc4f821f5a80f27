/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a layout without pools must keep, checked pair by pair through the public interface. */
#ifndef SUPPORT_REFERENCE_RELATIONS_H
#define SUPPORT_REFERENCE_RELATIONS_H

#include "neap/neap.h"

#define REFERENCE_TEXT 128

/*
 * Whether a layout keeps every hard relation and limit; if not, `text` tells what it breaks.  At most
 * REFERENCE_MOST buffers.
 */
#define REFERENCE_MOST 64
bool reference_relations_kept(const neap_problem *problem, const neap_offset *offsets,
                              char text[REFERENCE_TEXT]);

#endif

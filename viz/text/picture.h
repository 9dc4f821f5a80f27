/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan as text, for terminals. */
#ifndef VIZ_TEXT_PICTURE_H
#define VIZ_TEXT_PICTURE_H

#include "neap/neap-io.h"

/* NEAP_ERROR_ARGUMENT: there is no such colouring. */
neap_status text_picture_write(const neap_plan *plan, const neap_writing *writing,
                               const neap_text_style *style, FILE *stream, neap_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of a plan. */
#ifndef VIZ_LAYOUT_PICTURE_H
#define VIZ_LAYOUT_PICTURE_H

#include "neap/neap-io.h"

/* NEAP_ERROR_ARGUMENT: there is no such colouring. */
neap_status picture_write_svg(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                              neap_error *error);
neap_status picture_write_png(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                              neap_error *error);
neap_status picture_write_pdf(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                              neap_error *error);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of viz/page without its data: what viz/page/embed.sh makes of it while building. */
#ifndef VIZ_PAGE_H
#define VIZ_PAGE_H

#include <stddef.h>

extern const unsigned char page_before[]; /* up to where the data block goes */
extern const size_t page_before_size;
extern const unsigned char page_behind[];
extern const size_t page_behind_size;

#endif

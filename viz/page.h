/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of viz/page without its data, which viz/page/embed.sh turns into C during the build. */
#ifndef VIZ_PAGE_H
#define VIZ_PAGE_H

#include <stddef.h>

extern const unsigned char page_before[]; /* up to the place of title and data */
extern const size_t page_before_size;
extern const unsigned char page_behind[];
extern const size_t page_behind_size;

#endif

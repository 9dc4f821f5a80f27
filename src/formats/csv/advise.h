/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to write in place of a number that tables cannot have, such as 1e6, 4096.0, 0x1000 or "4 KB". */
#ifndef FORMATS_CSV_ADVISE_H
#define FORMATS_CSV_ADVISE_H

#include <stdbool.h>

#define CSV_ADVICE 80

/* Writes "4096", or "4000, or 4096 for units of 1024"; false if the text is no such number. */
bool csv_advise(char advice[CSV_ADVICE], const char *found);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as people read them, whatever the locale. */
#ifndef VIZ_NUMBER_H
#define VIZ_NUMBER_H

#include <stdint.h>

#define NUMBER_TEXT 48

/* "1,048,576".  Returns `text`. */
const char *number_grouped(char text[NUMBER_TEXT], int64_t number);

/*
 * number * 10^exponent with so many decimals as `step`, in the same unit, needs: "0.25",
 * "1,200", "3e20".  Returns `text`.
 */
const char *number_scaled(char text[NUMBER_TEXT], int64_t number, int exponent, int64_t step);

/*
 * "0.37 %", "0 %"; "under 0.01 %" where it would look like nothing, "over 1,000,000 %" where
 * nobody cares.  Returns `text`.
 */
const char *number_percent(char text[NUMBER_TEXT], double percent);

#endif

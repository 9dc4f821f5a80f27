/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers for people, independent of the locale. */
#ifndef VIZ_SVG_NUMBER_H
#define VIZ_SVG_NUMBER_H

#include <stdint.h>

#define NUMBER_TEXT 48

/* Writes "1,048,576".  Returns `text`. */
const char *number_grouped(char text[NUMBER_TEXT], int64_t number);

/*
 * Writes number * 10^exponent, with as many decimals as `step`, in the same unit, needs: "0.25",
 * "1,200", "3e20".  Returns `text`.
 */
const char *number_scaled(char text[NUMBER_TEXT], int64_t number, int exponent, int64_t step);

#endif

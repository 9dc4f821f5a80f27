/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and names in a readable form. */
#ifndef CLI_OUTPUT_NUMBER_TEXT_H
#define CLI_OUTPUT_NUMBER_TEXT_H

#include <stdio.h>

#include <neap/neap.h>

/* Enough for any of these, except names. */
#define FIGURE_SIZE 64

/* "1.50 MiB", "512 B".  Returns `text`, as all functions here do. */
const char *figure_unit(char text[FIGURE_SIZE], neap_size bytes);

/* "1572864 bytes (1.50 MiB)" */
const char *figure_bytes(char text[FIGURE_SIZE], neap_size bytes);

/* ", lower bound 1572864 bytes (1.50 MiB)" if that is above the bound, else "". */
const char *figure_lower_bound(char text[FIGURE_SIZE], neap_size bound, neap_size lower_bound);

/* "3 to 5", for a half-open range. */
const char *figure_range(char text[FIGURE_SIZE], neap_time start, neap_time end);

/* "4", or "1 to 8" where the smallest and the largest alignment differ. */
const char *figure_alignment(char text[FIGURE_SIZE], neap_size low, neap_size high);

/* "1 buffer", "2 buffers": appends an s to `noun` unless the count is 1. */
const char *figure_count(char text[FIGURE_SIZE], uint64_t count, const char *noun);

/* A median or a quartile of whole numbers, which may be a fraction: "12", "12.5", "12.75". */
const char *figure_decimal(char text[FIGURE_SIZE], double number);

/* 100 * (peak - lower) / lower; 0 where there is no peak yet. */
double figure_gap(neap_size peak, neap_size lower);

/* Enough for FIGURE_NAME_WIDTH characters of UTF-8. */
#define FIGURE_NAME_WIDTH 40
#define FIGURE_NAME_SIZE (4 * FIGURE_NAME_WIDTH + 4)

/*
 * A name with what must not be shown replaced by '?', and cut with "..." if it is longer than
 * FIGURE_NAME_WIDTH characters.
 */
const char *figure_name(char text[FIGURE_NAME_SIZE], const char *name);

/* Prints a text with what must not be shown escaped. */
void figure_print(FILE *stream, const char *text);

/* The number of characters of a text in UTF-8. */
int figure_width(const char *text);

#endif

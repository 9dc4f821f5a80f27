/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/svg/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

static uint64_t magnitude_of(int64_t number) {
  return number < 0 ? UINT64_C(0) - (uint64_t)number : (uint64_t)number;
}

/* Writes a number with commas; returns the length. */
static int write_grouped(char *text, uint64_t magnitude) {
  return (int)strlen(text_grouped(text, magnitude));
}

const char *number_grouped(char text[NUMBER_TEXT], int64_t number) {
  text[0] = '-';
  write_grouped(text + (number < 0), magnitude_of(number));
  return text;
}

/* The most decimals of a 64-bit number. */
#define MOST_DECIMALS 18

static uint64_t power_of_ten(int exponent) {
  uint64_t power = 1;
  while (exponent-- > 0)
    power *= 10;
  return power;
}

static void with_exponent(char *text, uint64_t magnitude, int exponent) {
  while (magnitude > 0 && magnitude % 10 == 0) {
    magnitude /= 10;
    exponent++;
  }
  int size = write_grouped(text, magnitude);
  if (magnitude > 0) snprintf(text + size, (size_t)(NUMBER_TEXT - 1 - size), "e%d", exponent);
}

static void with_decimals(char *text, uint64_t magnitude, int places, int64_t step) {
  int shown = places;
  for (uint64_t rest = magnitude_of(step); shown > 0 && rest % 10 == 0; rest /= 10)
    shown--;
  uint64_t one = power_of_ten(places);
  int size = write_grouped(text, magnitude / one);
  if (shown == 0) return;
  uint64_t fraction = magnitude % one / power_of_ten(places - shown);
  snprintf(text + size, (size_t)(NUMBER_TEXT - 1 - size), ".%0*" PRIu64, shown, fraction);
}

const char *number_scaled(char text[NUMBER_TEXT], int64_t number, int exponent, int64_t step) {
  uint64_t magnitude = magnitude_of(number);
  text[0] = '-';
  char *digits = text + (number < 0);
  if (exponent <= 0 && exponent >= -MOST_DECIMALS)
    with_decimals(digits, magnitude, -exponent, step);
  else with_exponent(digits, magnitude, exponent);
  return text;
}

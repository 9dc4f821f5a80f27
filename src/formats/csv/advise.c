/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/csv/advise.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/checked.h"
#include "neap/neap.h"

enum { LONGEST = 40 };

/* Copies a text without what separates digits or a unit from them; false if it is too long. */
static bool squeeze(char to[LONGEST], const char *text) {
  size_t length = 0;
  for (; *text && length + 1 < LONGEST; text++)
    if (!strchr(" _'", *text)) to[length++] = *text;
  to[length] = '\0';
  return !*text;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Reads the digits of a number with a point or without; returns what follows, NULL on overflow. */
static const char *read_digits(const char *text, int64_t *number, int *decimals) {
  bool has_point = false;
  *number = *decimals = 0;
  for (; is_digit(*text) || (*text == '.' && !has_point); text++) {
    if (*text == '.') {
      has_point = true;
      continue;
    }
    if (!checked_mul(*number, 10, number) || !checked_add(*number, *text - '0', number))
      return NULL;
    *decimals += has_point;
  }
  return text;
}

/* Reads a whole number that is written with a point or an exponent, such as 4096.0 or 1e6. */
static bool read_scaled(const char *text, int64_t *number) {
  int decimals, none;
  int64_t exponent = 0;
  if (!is_digit(*text) || !(text = read_digits(text, number, &decimals))) return false;
  if (*text == 'e' || *text == 'E') {
    text += text[1] == '+' ? 2 : 1;
    if (!is_digit(*text) || !(text = read_digits(text, &exponent, &none)) || none > 0)
      return false;
  }
  if (*text || exponent > 18) return false;
  for (exponent -= decimals; exponent > 0; exponent--)
    if (!checked_mul(*number, 10, number)) return false;
  for (; exponent < 0; exponent++) {
    if (*number % 10 != 0) return false;
    *number /= 10;
  }
  return true;
}

/* Reads a size in thousands, such as 4KB, as one in units of 1024. */
static bool read_binary(const char *text, neap_size *size) {
  char binary[LONGEST + 2];
  size_t length = strlen(text);
  if (length < 2 || !strchr("kKmMgGtT", text[length - 2]) || !strchr("bB", text[length - 1]))
    return false;
  snprintf(binary, sizeof binary, "%.*siB", (int)length - 1, text);
  return neap_size_read(binary, size);
}

bool csv_advise(char advice[CSV_ADVICE], const char *found) {
  char text[LONGEST];
  neap_size size, binary;
  if (!squeeze(text, found)) return false;
  if (!read_scaled(text, &size) && !neap_size_read(text, &size)) return false;
  int length = snprintf(advice, CSV_ADVICE, "%" PRId64, size);
  if (read_binary(text, &binary))
    snprintf(advice + length, CSV_ADVICE - (size_t)length, ", or %" PRId64 " for units of 1024",
             binary);
  return true;
}

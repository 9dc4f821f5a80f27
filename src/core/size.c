/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses sizes: 65536, 0x10000, 64K, 64KiB or 65kB.  As in the GNU core utilities, but in upper
 * or lower case, K, M, G and T are powers of 1024, alone or with iB, and powers of 1000 with B.
 */
#include <string.h>

#include "core/checked.h"
#include "core/text.h"
#include "neap-tool.h"

/* ASCII only, whatever the locale. */
static char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool is_word(const char *text, const char *word) {
  while (*word && ascii_lower(*text) == *word) {
    text++;
    word++;
  }
  return !*text && !*word;
}

/* The bytes that a unit stands for; 0 for an unknown unit. */
static int64_t unit_bytes(const char *unit) {
  static const char letters[] = "kmgt";
  if (!*unit || is_word(unit, "b")) return 1;
  const char *letter = strchr(letters, ascii_lower(*unit));
  int64_t base = is_word(unit + 1, "b") ? 1000 : 1024, bytes = 1;
  if (!letter || (base == 1024 && unit[1] && !is_word(unit + 1, "ib"))) return 0;
  for (const char *at = letters; at <= letter; at++)
    bytes *= base;
  return bytes;
}

static bool read_hexadecimal(const char *text, int64_t *number) {
  static const char digits[] = "0123456789abcdef";
  int64_t value = 0;
  if (!*text) return false;
  for (; *text; text++) {
    const char *digit = strchr(digits, ascii_lower(*text));
    if (!digit || !checked_mul(value, 16, &value) ||
        !checked_add(value, digit - digits, &value))
      return false;
  }
  *number = value;
  return true;
}

bool neap_size_read(const char *text, neap_size *size) {
  if (text[0] == '0' && ascii_lower(text[1]) == 'x') return read_hexadecimal(text + 2, size);
  size_t digits = strspn(text, "0123456789");
  int64_t unit = unit_bytes(text + digits), count;
  return unit != 0 && text_number(text, digits, &count) == TEXT_NUMBER_OK &&
         checked_mul(count, unit, size);
}

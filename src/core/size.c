/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses sizes: 65536, 0x10000, 64K, 64KiB, 65kB or 1.5M.  As in the GNU core utilities, but in
 * upper or lower case, K, M, G and T are powers of 1024, alone or with iB, and powers of 1000
 * with B.  A fraction must make whole bytes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/text.h"
#include "neap-tool.h"

#define DIGITS "0123456789"

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
  if (!*text || text[strspn(text, "0123456789abcdefABCDEF")]) return false;
  errno = 0;
  long long value = strtoll(text, NULL, 16);
  if (errno == 0) *number = value;
  return errno == 0;
}

bool neap_size_read(const char *text, neap_size *size) {
  if (text[0] == '0' && ascii_lower(text[1]) == 'x') return read_hexadecimal(text + 2, size);
  const char *rest = text + strspn(text, DIGITS);
  int64_t number, parts = 1; /* the size is number / parts units */
  if (text_number(text, (size_t)(rest - text), &number) != TEXT_NUMBER_OK) return false;
  if (*rest == '.' && strspn(rest + 1, DIGITS) > 0)
    for (rest++; *rest && strchr(DIGITS, *rest); rest++)
      if (!checked_mul(number, 10, &number) || !checked_add(number, *rest - '0', &number) ||
          !checked_mul(parts, 10, &parts))
        return false;
  int64_t unit = parts > 1 && !*rest ? 0 : unit_bytes(rest);
  if (unit == 0 || !checked_mul(number, unit, &number) || number % parts != 0) return false;
  *size = number / parts;
  return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/svg/glyph.h"

#include <stdbool.h>
#include <string.h>

#include "neap-tool.h"

size_t glyph_encode(uint32_t code, char bytes[GLYPH_BYTES]) {
  static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = size - 1; i > 0; i--, code >>= 6)
    bytes[i] = (char)(0x80 | (code & 0x3f));
  bytes[0] = (char)(lead[size] | code);
  return size;
}

static int ascii_width(char c) {
  if (strchr("ijl.,:;'|!", c)) return 330;
  if (strchr("ftrI()[]{}/\\- ", c)) return 410;
  if (strchr("mw%@MW", c)) return 980;
  if (strchr("+<=>~", c)) return 840;
  return c >= 'A' && c <= 'Z' ? 740 : 640;
}

/* Scripts whose characters fill a square, and pictures. */
static bool is_square(uint32_t code) {
  return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
         (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
         (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
         (code >= 0x1f000 && code <= 0x3fffd) || code == NEAP_REPLACEMENT;
}

static bool is_combining(uint32_t code) {
  return (code >= 0x300 && code <= 0x36f) || (code >= 0x200b && code <= 0x200f) ||
         (code >= 0xfe00 && code <= 0xfe0f);
}

int glyph_width(uint32_t code) {
  if (code < 0x80) return ascii_width((char)code);
  if (is_combining(code)) return 0;
  return is_square(code) ? 1050 : 720;
}

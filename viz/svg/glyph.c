/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/svg/glyph.h"

#include <stdbool.h>
#include <string.h>

#include "core/text.h"

static bool is_control(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/* Embeddings, overrides and isolates would also affect the text after a name. */
static bool turns_direction(uint32_t code) {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

static bool is_noncharacter(uint32_t code) {
  return (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
}

static uint32_t decode_character(const unsigned char *bytes, size_t size) {
  static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = bytes[0] & lead[size];
  for (size_t i = 1; i < size; i++)
    code = code << 6 | (bytes[i] & 0x3f);
  return code;
}

size_t glyph_next(const char *text, uint32_t *code) {
  const unsigned char *bytes = (const unsigned char *)text;
  size_t size = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : bytes[0] >= 0x80 ? 2 : 1;
  *code = GLYPH_REPLACEMENT;
  if (strnlen(text, size) < size || text_utf8_prefix(text, size) < size) return 1;
  uint32_t found = decode_character(bytes, size);
  if (!is_control(found) && !turns_direction(found) && !is_noncharacter(found)) *code = found;
  return size;
}

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
         (code >= 0x1f000 && code <= 0x3fffd) || code == GLYPH_REPLACEMENT;
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/dtype.h"

#include <string.h>
#include <strings.h>

#include "core/checked.h"
#include "core/text.h"

struct word {
  const char *text;
  int64_t bits;
};

/* What comes before the number of bits, and the largest such number. */
static const struct word prefixes[] = {
    {"bf", 64},  {"i", 64},    {"u", 64},     {"f", 64},      {"c", 128},
    {"int", 64}, {"uint", 64}, {"float", 64}, {"bfloat", 64}, {"complex", 128}};

/* Names without a number, as frameworks use them: an int has 32 bits. */
static const struct word words[] = {{"bool", 8},    {"boolean", 8}, {"char", 8}, {"byte", 8},
                                    {"half", 16},   {"short", 16},  {"int", 32}, {"float", 32},
                                    {"double", 64}, {"long", 64}};

int64_t dtype_bits(const char *name) {
  for (size_t w = 0; w < sizeof words / sizeof *words; w++)
    if (strcasecmp(words[w].text, name) == 0) return words[w].bits;
  for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
    size_t length = strlen(prefixes[p].text);
    int64_t bits;
    if (strncasecmp(name, prefixes[p].text, length) != 0) continue;
    if (text_number(name + length, strlen(name + length), &bits) == TEXT_NUMBER_OK &&
        bits >= 1 && bits <= prefixes[p].bits)
      return bits;
  }
  return 0;
}

neap_size dtype_alignment(int64_t bits) {
  neap_size alignment = 1;
  while (alignment < 8 && bits % (16 * alignment) == 0)
    alignment *= 2;
  return alignment;
}

bool dtype_bytes(int64_t elements, int64_t bits, neap_size *bytes) {
  int64_t all;
  if (!checked_mul(elements, bits, &all)) return false;
  *bytes = all / 8 + (all % 8 != 0);
  return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/number_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "neap-tool.h"

const char *figure_unit(char text[FIGURE_SIZE], neap_size bytes) {
  static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) {
    snprintf(text, FIGURE_SIZE, "%" PRId64 " B", bytes);
    return text;
  }
  double value = (double)bytes / 1024;
  size_t unit = 0;
  while (value >= 1023.995) { /* would print as 1024.00 */
    value /= 1024;
    unit++;
  }
  snprintf(text, FIGURE_SIZE, "%.2f %s", value, units[unit]);
  return text;
}

const char *figure_bytes(char text[FIGURE_SIZE], neap_size bytes) {
  char unit[FIGURE_SIZE];
  if (bytes < 1024) return figure_count(text, (uint64_t)bytes, "byte");
  snprintf(text, FIGURE_SIZE, "%" PRId64 " bytes (%.20s)", bytes, figure_unit(unit, bytes));
  return text;
}

const char *figure_lower_bound(char text[FIGURE_SIZE], neap_size bound, neap_size lower_bound) {
  char bytes[FIGURE_SIZE];
  text[0] = '\0';
  if (lower_bound == NEAP_MAX) snprintf(text, FIGURE_SIZE, ", but no plan exists");
  else if (lower_bound > bound)
    snprintf(text, FIGURE_SIZE, ", lower bound %.40s", figure_bytes(bytes, lower_bound));
  return text;
}

const char *figure_range(char text[FIGURE_SIZE], neap_time start, neap_time end) {
  snprintf(text, FIGURE_SIZE, "%" PRId64 " to %" PRId64, start, end);
  return text;
}

const char *figure_alignment(char text[FIGURE_SIZE], neap_size low, neap_size high) {
  if (low < high) return figure_range(text, low, high);
  snprintf(text, FIGURE_SIZE, "%" PRId64, high);
  return text;
}

const char *figure_count(char text[FIGURE_SIZE], uint64_t count, const char *noun) {
  snprintf(text, FIGURE_SIZE, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
  return text;
}

const char *figure_decimal(char text[FIGURE_SIZE], double number) {
  int length = snprintf(text, FIGURE_SIZE, "%.2f", number);
  while (text[length - 1] == '0')
    text[--length] = '\0';
  if (text[length - 1] == '.') text[length - 1] = '\0';
  return text;
}

double figure_gap(neap_size peak, neap_size lower) {
  if (peak <= lower) return 0;
  return lower > 0 ? 100 * ((double)peak - (double)lower) / (double)lower : 0;
}

static bool continues(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

int figure_width(const char *text) {
  int width = 0;
  for (; *text; text++)
    width += !continues(*text);
  return width;
}

void figure_print(FILE *stream, const char *text) {
  char shown[NEAP_TEXT_ESCAPED];
  while (*text) {
    neap_text_escape(shown, &text);
    fputs(shown, stream);
  }
}

const char *figure_name(char text[FIGURE_NAME_SIZE], const char *name) {
  char *out = text, *cut = text;
  for (int width = 0; *name && width < FIGURE_NAME_WIDTH; width++) {
    uint32_t code;
    size_t size = neap_text_next(name, &code);
    bool is_shown = code != NEAP_REPLACEMENT;
    if (width == FIGURE_NAME_WIDTH - 3) cut = out;
    memcpy(out, is_shown ? name : "?", is_shown ? size : 1);
    out += is_shown ? size : 1;
    name += size;
  }
  strcpy(*name ? cut : out, *name ? "..." : "");
  return text;
}

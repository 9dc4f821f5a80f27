/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/csv/problem.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"

/* One gap's text within its field. */
struct piece {
  const struct csv *csv;
  size_t column;
  const char *text;
  size_t length;
};

static neap_status blame(const struct piece *piece, const char *expected, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  return error_at(error, NEAP_ERROR_INPUT, piece->csv->line, piece->column,
                  "expected %s, found %s", expected,
                  text_excerpt(excerpt, piece->text, piece->length));
}

static neap_status parse_gap(const struct piece *piece, bool inclusive, neap_range *gap,
                             neap_error *error) {
  if (memchr(piece->text, '@', piece->length)) {
    char excerpt[TEXT_EXCERPT];
    return error_at(error, NEAP_ERROR_INPUT, piece->csv->line, piece->column,
                    "windowed gap %s is not supported; a gap a-b applies to the whole buffer",
                    text_excerpt(excerpt, piece->text, piece->length));
  }
  const char *dash = memchr(piece->text, '-', piece->length);
  size_t before = dash ? (size_t)(dash - piece->text) : 0;
  if (!dash || text_number(piece->text, before, &gap->start) != TEXT_NUMBER_OK ||
      text_number(dash + 1, piece->length - before - 1, &gap->end) != TEXT_NUMBER_OK ||
      (inclusive && gap->end == NEAP_MAX))
    return blame(piece, "gaps such as 3-5 8-9, in whole numbers", error);
  gap->end += inclusive;
  if (gap->end > gap->start) return NEAP_OK;
  return blame(piece,
               inclusive ? "a gap that does not end before it starts"
                         : "a gap that ends after it starts",
               error);
}

static neap_status add_range(struct gaps *gaps, neap_time start, neap_time end,
                             neap_error *error) {
  if (start == end)
    return NEAP_OK; /* the gap is at the edge of the lifetime, or next to another */
  if (!memory_reserve(&gaps->ranges, &gaps->capacity, gaps->count + 1, sizeof *gaps->ranges))
    return error_memory(error);
  gaps->ranges[gaps->count++] = (neap_range){start, end};
  return NEAP_OK;
}

/* The gap must be inside the lifetime and after the gaps before it. */
static neap_status cut(struct gaps *gaps, const struct piece *piece, bool inclusive,
                       const neap_range *life, neap_time *alive_from, neap_error *error) {
  neap_range gap;
  neap_status status = parse_gap(piece, inclusive, &gap, error);
  if (status != NEAP_OK) return status;
  if (gap.start < life->start || gap.end > life->end) {
    char excerpt[TEXT_EXCERPT];
    return error_at(error, NEAP_ERROR_INPUT, piece->csv->line, piece->column,
                    "expected a gap within the lifetime [%" PRId64 ", %" PRId64 "), found %s",
                    life->start, life->end, text_excerpt(excerpt, piece->text, piece->length));
  }
  if (gap.start < *alive_from)
    return blame(piece, "gaps in ascending order that do not overlap", error);
  status = add_range(gaps, *alive_from, gap.start, error);
  *alive_from = gap.end;
  return status;
}

neap_status gaps_read(struct gaps *gaps, const struct csv *csv, size_t field, neap_range life,
                      bool inclusive, neap_error *error) {
  const char *text = csv->fields[field].text;
  neap_time alive_from = life.start;
  gaps->count = 0;
  for (size_t at = 0; text[at];) {
    struct piece piece = {csv, csv->fields[field].column + at, text + at,
                          strcspn(text + at, " ")};
    at += piece.length;
    while (text[at] == ' ')
      at++;
    if (piece.length == 0) continue; /* spaces before the first gap */
    neap_status status = cut(gaps, &piece, inclusive, &life, &alive_from, error);
    if (status != NEAP_OK) return status;
  }
  neap_status status = add_range(gaps, alive_from, life.end, error);
  if (status != NEAP_OK || gaps->count > 0) return status;
  return csv_blame(csv, field, error,
                   "the gaps cover the whole lifetime [%" PRId64 ", %" PRId64 ")", life.start,
                   life.end);
}

void gaps_write(struct row *row, const neap_range *ranges, size_t count, bool inclusive) {
  for (size_t i = 1; i < count; i++) {
    assert(ranges[i - 1].end < ranges[i].start);
    if (i > 1) row_char(row, ' ');
    row_number(row, ranges[i - 1].end);
    row_char(row, '-');
    row_number(row, ranges[i].start - inclusive);
  }
}

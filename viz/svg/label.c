/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/svg/label.h"

#include <string.h>

#include "neap-tool.h"
#include "viz/svg/glyph.h"

#define ELLIPSIS 0x2026u
#define LEAST 4 /* characters beside an ellipsis: fewer mean nothing */

static int scale_width(int thousandths, int font_size) {
  return (int)((int64_t)thousandths * font_size / 1000);
}

int label_width(const char *text, int font_size) {
  int64_t width = 0;
  uint32_t code;
  while (*text && width < INT32_MAX / 2) {
    text += neap_text_next(text, &code);
    width += scale_width(glyph_width(code), font_size);
  }
  return (int)width;
}

/*
 * The characters of a text that a label may keep: all of a short text; of a long one, the first and
 * the last.
 */
struct excerpt {
  uint32_t head[LABEL_CHARACTERS]; /* the first */
  uint32_t
      tail[LABEL_CHARACTERS]; /* the last, as a ring: character i is at i % LABEL_CHARACTERS */
  size_t count;               /* of all characters */
};

static void excerpt_take(struct excerpt *excerpt, const char *text) {
  excerpt->count = 0;
  uint32_t code;
  while (*text) {
    text += neap_text_next(text, &code);
    if (excerpt->count < LABEL_CHARACTERS) excerpt->head[excerpt->count] = code;
    excerpt->tail[excerpt->count++ % LABEL_CHARACTERS] = code;
  }
}

static uint32_t from_end(const struct excerpt *excerpt, size_t back) {
  return excerpt->tail[(excerpt->count - 1 - back) % LABEL_CHARACTERS];
}

/*
 * Writes the first `head` and the last `tail` characters, with an ellipsis for those left out.
 */
static void write_excerpt(const struct excerpt *excerpt, size_t head, size_t tail,
                          char label[LABEL_BYTES]) {
  char *out = label;
  for (size_t i = 0; i < head; i++)
    out += glyph_encode(excerpt->head[i], out);
  if (head + tail < excerpt->count) out += glyph_encode(ELLIPSIS, out);
  for (size_t i = tail; i > 0; i--)
    out += glyph_encode(from_end(excerpt, i - 1), out);
  *out = '\0';
}

const char *label_clean(const char *text, char label[LABEL_BYTES]) {
  struct excerpt excerpt;
  excerpt_take(&excerpt, text ? text : "");
  if (excerpt.count <= LABEL_CHARACTERS) write_excerpt(&excerpt, excerpt.count, 0, label);
  else write_excerpt(&excerpt, LABEL_CHARACTERS / 2, LABEL_CHARACTERS / 2 - 1, label);
  return label;
}

static bool is_digit(uint32_t code) { return code >= '0' && code <= '9'; }

static bool is_border(uint32_t code) {
  return code == '_' || code == '-' || code == '/' || code == '.' || code == ':' || code == ' ';
}

/* Whether a cut between two characters would leave part of a number. */
static bool splits_number(uint32_t before, uint32_t after) {
  return (is_digit(before) || before == '.') && (is_digit(after) || after == '.');
}

#define BACK 3 /* characters given up for a cut at the border of a word */

/*
 * Moves a cut back to the border of a word if one is near, and out of numbers.  The head may end
 * with a border; the tail may begin with one.
 */
static void trim_head(const struct excerpt *excerpt, size_t *head) {
  for (size_t k = 0; k <= BACK && k + 1 < *head; k++)
    if (is_border(excerpt->head[*head - 1 - k])) {
      *head -= k;
      break;
    }
  while (*head > 0 && splits_number(excerpt->head[*head - 1], excerpt->head[*head]))
    --*head;
}

static void trim_tail(const struct excerpt *excerpt, size_t *tail) {
  for (size_t k = 0; k <= BACK && k + 1 < *tail; k++)
    if (is_border(from_end(excerpt, *tail - 1 - k))) {
      *tail -= k;
      break;
    }
  while (*tail > 0 && splits_number(from_end(excerpt, *tail), from_end(excerpt, *tail - 1)))
    --*tail;
}

/* Takes characters from both ends in turn while there is room, as names mostly differ at an end. */
static bool fit_excerpt(const struct excerpt *excerpt, int font_size, int room, char *label) {
  size_t head = 0, tail = 0;
  int width = scale_width(glyph_width(ELLIPSIS), font_size);
  while (head + tail < excerpt->count && head + tail < LABEL_CHARACTERS - 1) {
    uint32_t code = head <= tail ? excerpt->head[head] : from_end(excerpt, tail);
    width += scale_width(glyph_width(code), font_size);
    if (width > room) break;
    if (head <= tail) head++;
    else tail++;
  }
  if (head + tail < excerpt->count) {
    trim_head(excerpt, &head);
    trim_tail(excerpt, &tail);
  }
  if (head + tail < LEAST) return false;
  write_excerpt(excerpt, head, tail, label);
  return true;
}

bool label_fit(const char *text, int font_size, int room, char label[LABEL_BYTES]) {
  struct excerpt excerpt;
  label[0] = '\0';
  if (!text) return false;
  if (strnlen(text, LABEL_BYTES) < LABEL_BYTES && label_width(text, font_size) <= room) {
    label_clean(text, label);
    return true;
  }
  excerpt_take(&excerpt, text);
  return fit_excerpt(&excerpt, font_size, room, label);
}

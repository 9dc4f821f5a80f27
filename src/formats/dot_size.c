/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/dot_size.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/text.h"
#include "formats/dtype.h"

#define DEFAULT_BITS 32
#define WORD_MAX 32

/* A run of characters. */
struct span {
  const char *text;
  size_t length;
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* ---------------------------------------------------------------- shapes */

/* What is between the first brackets, or NULL. */
static bool find_list(const char *text, struct span *list) {
  const char *open = text + strcspn(text, "[(");
  if (!*open) return false;
  const char *close = strchr(open, *open == '[' ? ']' : ')');
  if (!close) return false;
  *list = (struct span){open + 1, (size_t)(close - open - 1)};
  return true;
}

static neap_status named_dimension(const struct span *word, const neap_reading *reading,
                                   neap_size *value, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  for (size_t d = 0; d < reading->dimension_count; d++)
    if (strlen(reading->dimensions[d].name) == word->length &&
        memcmp(reading->dimensions[d].name, word->text, word->length) == 0) {
      *value = reading->dimensions[d].value;
      return NEAP_OK;
    }
  text_excerpt(excerpt, word->text, word->length);
  return error_set(error, NEAP_ERROR_INPUT,
                   "expected a fixed shape, found the dimension %s (--dim NAME=N gives one a "
                   "value)",
                   excerpt);
}

static neap_status multiply(const struct span *word, const neap_reading *reading,
                            int64_t *elements, neap_error *error) {
  int64_t dimension;
  if (text_number(word->text, word->length, &dimension) != TEXT_NUMBER_OK) {
    neap_status status = named_dimension(word, reading, &dimension, error);
    if (status != NEAP_OK) return status;
  }
  return checked_mul(*elements, dimension, elements)
             ? NEAP_OK
             : error_set(error, NEAP_ERROR_INPUT, "the elements are more than %" PRId64,
                         NEAP_MAX);
}

/* The product of a list's dimensions: "1, 3, 64" or "64,"; the empty list's is 1. */
static neap_status count_elements(struct span list, const neap_reading *reading,
                                  int64_t *elements, neap_error *error) {
  const char *at = list.text, *end = list.text + list.length;
  neap_status status = NEAP_OK;
  *elements = 1;
  while (at < end && status == NEAP_OK) {
    struct span word = {at, 0};
    while (at + word.length < end && word.text[word.length] != ',')
      word.length++;
    at += word.length + 1;
    while (word.length > 0 && is_blank(word.text[0])) {
      word.text++;
      word.length--;
    }
    while (word.length > 0 && is_blank(word.text[word.length - 1]))
      word.length--;
    if (word.length > 0) status = multiply(&word, reading, elements, error);
  }
  return status;
}

/* The first word that is a type's name; 0 where there is none. */
static int64_t bits_in(const char *text) {
  while (*text) {
    char word[WORD_MAX];
    size_t length = 0;
    while (isalnum((unsigned char)text[length]))
      length++;
    if (length > 0 && length < sizeof word) {
      memcpy(word, text, length);
      word[length] = '\0';
      int64_t bits = dtype_bits(word);
      if (bits > 0) return bits;
    }
    text += length > 0 ? length : 1;
  }
  return 0;
}

/* "1x3x224x224", whole or before another x and a type; false where it is none. */
static bool count_crosses(const char *text, int64_t *elements, const char **rest) {
  size_t numbers = 0;
  bool is_open = false; /* behind an x */
  *elements = 1;
  for (;;) {
    size_t digits = strspn(text, "0123456789");
    int64_t dimension;
    if (digits == 0) break;
    if (text_number(text, digits, &dimension) != TEXT_NUMBER_OK ||
        !checked_mul(*elements, dimension, elements))
      return false;
    numbers++;
    text += digits;
    is_open = *text == 'x';
    if (!is_open) break;
    text++;
  }
  *rest = text;
  if (is_open) return bits_in(text) > 0;
  return numbers > 1 || (numbers == 1 && !*text);
}

static neap_status find_bits(void *object, const char *text, int64_t *bits, neap_error *error) {
  const char *type = dot_attribute(object, "dtype");
  char excerpt[TEXT_EXCERPT];
  *bits = type ? dtype_bits(type) : bits_in(text);
  if (type && *bits == 0)
    return error_set(error, NEAP_ERROR_INPUT, "expected a type such as float32, found %s",
                     text_excerpt(excerpt, type, strlen(type)));
  if (*bits == 0) *bits = DEFAULT_BITS;
  return NEAP_OK;
}

/* *found is false where the text has no shape in it. */
static neap_status size_of_shape(void *object, const char *text, const neap_reading *reading,
                                 bool *found, neap_size *bytes, neap_error *error) {
  struct span list;
  const char *rest = text;
  int64_t elements, bits;
  neap_status status = NEAP_OK;
  *found = true;
  if (find_list(text, &list)) status = count_elements(list, reading, &elements, error);
  else *found = count_crosses(text, &elements, &rest);
  if (status != NEAP_OK || !*found) return status;
  status = find_bits(object, rest, &bits, error);
  if (status != NEAP_OK) return status;
  return dtype_bytes(elements, bits, bytes)
             ? NEAP_OK
             : error_set(error, NEAP_ERROR_INPUT, "the bits are more than %" PRId64, NEAP_MAX);
}

/* ---------------------------------------------------------------- attributes */

/* Bytes, or a shape. */
static neap_status size_of(void *object, const char *name, const char *text,
                           const neap_reading *reading, neap_size *bytes, neap_error *error) {
  bool found;
  char excerpt[TEXT_EXCERPT];
  if (text_number(text, strlen(text), bytes) == TEXT_NUMBER_OK) return NEAP_OK;
  neap_status status = size_of_shape(object, text, reading, &found, bytes, error);
  if (status != NEAP_OK || found) return status;
  return error_set(error, NEAP_ERROR_INPUT, "expected bytes or a shape in %s, found %s", name,
                   text_excerpt(excerpt, text, strlen(text)));
}

/* What `shape` says: of nodes that may be how they are drawn. */
static neap_status try_shape(void *object, const neap_reading *reading, bool *found,
                             neap_size *bytes, neap_error *error) {
  const char *text = dot_attribute(object, "shape");
  *found = false;
  return text ? size_of_shape(object, text, reading, found, bytes, error) : NEAP_OK;
}

/* A label is anything; a list in it is a shape if a number is among what could be dimensions. */
static bool is_shape(struct span list) {
  bool has_number = list.length == 0;
  for (size_t i = 0; i < list.length; i++) {
    unsigned char c = (unsigned char)list.text[i];
    if (!isalnum(c) && !strchr("_?-, ", c)) return false;
    bool begins = i == 0 || list.text[i - 1] == ' ' || list.text[i - 1] == ',';
    size_t digits = strspn(list.text + i, "0123456789");
    if (begins && digits > 0 && (i + digits == list.length || list.text[i + digits] == ','))
      has_number = true;
  }
  return has_number;
}

static neap_status try_label(void *object, const neap_reading *reading, neap_size *bytes,
                             neap_error *error) {
  const char *text = dot_attribute(object, "label");
  struct span list;
  bool found;
  if (!text) return NEAP_OK;
  if (find_list(text, &list) ? !is_shape(list) : !strchr(text, 'x')) return NEAP_OK;
  return size_of_shape(object, text, reading, &found, bytes, error);
}

static neap_status size_by_default(void *object, const neap_reading *reading, neap_size *bytes,
                                   neap_error *error) {
  static const char *const names[] = {"bytes", "size"};
  bool found;
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    const char *text = dot_attribute(object, names[n]);
    if (text) return size_of(object, names[n], text, reading, bytes, error);
  }
  neap_status status = try_shape(object, reading, &found, bytes, error);
  if (status != NEAP_OK || found || agobjkind(object) != AGOUTEDGE) return status;
  return try_label(object, reading, bytes, error);
}

neap_status dot_size(void *object, const neap_reading *reading, neap_size *bytes,
                     neap_error *error) {
  *bytes = NEAP_UNPLACED;
  if (!reading->dot_size) return size_by_default(object, reading, bytes, error);
  const char *text = dot_attribute(object, reading->dot_size);
  return text ? size_of(object, reading->dot_size, text, reading, bytes, error) : NEAP_OK;
}

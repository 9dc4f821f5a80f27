/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/dot/size.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/text.h"
#include "files/dtype.h"

#define DEFAULT_BITS 32
#define WORD_MAX 32

/* A run of characters. */
struct span {
  const char *text;
  size_t length;
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* ---------------------------------------------------------------- shapes */

/* Finds the text between the first brackets. */
static bool find_list(const char *text, struct span *list) {
  const char *open = text + strcspn(text, "[(");
  if (!*open) return false;
  const char *close = strchr(open, *open == '[' ? ']' : ')');
  if (!close) return false;
  *list = (struct span){open + 1, (size_t)(close - open - 1)};
  return true;
}

static neap_status named_dimension(const struct span *word, const struct dot_reading *reading,
                                   neap_size *value, neap_error *error) {
  for (size_t d = 0; d < reading->asked->model.dimension_count; d++)
    if (strlen(reading->asked->model.dimensions[d].name) == word->length &&
        memcmp(reading->asked->model.dimensions[d].name, word->text, word->length) == 0) {
      *value = reading->asked->model.dimensions[d].value;
      reading->used[d] = true;
      return NEAP_OK;
    }
  *value = 1;
  return names_include(reading->open, word->text, word->length) ? NEAP_OK : error_memory(error);
}

static neap_status multiply(const struct span *word, const struct dot_reading *reading,
                            int64_t *elements, neap_error *error) {
  int64_t dimension;
  if (text_number(word->text, word->length, &dimension) != TEXT_NUMBER_OK) {
    neap_status status = named_dimension(word, reading, &dimension, error);
    if (status != NEAP_OK) return status;
  }
  return checked_mul(*elements, dimension, elements)
             ? NEAP_OK
             : error_set(error, NEAP_ERROR_INPUT, "the shape has more elements than 2^63 - 1");
}

/* The product of the dimensions in a list such as "1, 3, 64" or "64,"; 1 if it is empty. */
static neap_status count_elements(struct span list, const struct dot_reading *reading,
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

/* Bits of the first type that is named; 0 if there is none. */
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

/* Reads "1x3x224x224", followed by nothing or by x and a type; false for anything else. */
static bool count_crosses(const char *text, int64_t *elements, const char **rest) {
  size_t numbers = 0;
  bool is_open = false; /* after an x */
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
  const char *type = dot_library_attribute(object, "dtype");
  char excerpt[TEXT_EXCERPT];
  *bits = type ? dtype_bits(type) : bits_in(text);
  if (type && *bits == 0)
    return error_set(error, NEAP_ERROR_INPUT, "expected a type such as float32, found %s",
                     text_excerpt(excerpt, type, strlen(type)));
  if (*bits == 0) *bits = DEFAULT_BITS;
  return NEAP_OK;
}

/* *found is false if the text has no shape in it. */
static neap_status size_of_shape(void *object, const char *text,
                                 const struct dot_reading *reading, bool *found,
                                 struct dot_size *size, neap_error *error) {
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
  size->alignment = dtype_alignment(bits);
  return dtype_bytes(elements, bits, &size->bytes)
             ? NEAP_OK
             : error_set(error, NEAP_ERROR_INPUT, "the tensor has more bits than 2^63 - 1");
}

/* ---------------------------------------------------------------- attributes */

/* Reads bytes, or a shape. */
static neap_status size_of(void *object, const char *name, const char *text,
                           const struct dot_reading *reading, struct dot_size *size,
                           neap_error *error) {
  bool found;
  char excerpt[TEXT_EXCERPT];
  if (text_number(text, strlen(text), &size->bytes) == TEXT_NUMBER_OK) return NEAP_OK;
  neap_status status = size_of_shape(object, text, reading, &found, size, error);
  if (status != NEAP_OK || found) return status;
  return error_set(error, NEAP_ERROR_INPUT, "expected bytes or a shape in %s, found %s", name,
                   text_excerpt(excerpt, text, strlen(text)));
}

/* For nodes, `shape` may be how Graphviz draws them. */
static neap_status try_shape(void *object, const struct dot_reading *reading, bool *found,
                             struct dot_size *size, neap_error *error) {
  const char *text = dot_library_attribute(object, "shape");
  *found = false;
  return text ? size_of_shape(object, text, reading, found, size, error) : NEAP_OK;
}

/* A list in a label is a shape if it could be dimensions and one of them is a number. */
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

static neap_status try_label(void *object, const struct dot_reading *reading,
                             struct dot_size *size, neap_error *error) {
  const char *text = dot_library_attribute(object, "label");
  struct span list;
  bool found;
  if (!text) return NEAP_OK;
  if (find_list(text, &list) ? !is_shape(list) : !strchr(text, 'x')) return NEAP_OK;
  return size_of_shape(object, text, reading, &found, size, error);
}

static neap_status size_by_default(void *object, const struct dot_reading *reading,
                                   struct dot_size *size, neap_error *error) {
  static const char *const names[] = {"bytes", "size"};
  bool found;
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    const char *text = dot_library_attribute(object, names[n]);
    if (text) return size_of(object, names[n], text, reading, size, error);
  }
  neap_status status = try_shape(object, reading, &found, size, error);
  if (status != NEAP_OK || found || agobjkind(object) != AGOUTEDGE) return status;
  return try_label(object, reading, size, error);
}

neap_status dot_size(void *object, const struct dot_reading *reading, struct dot_size *size,
                     neap_error *error) {
  *size = (struct dot_size){NEAP_UNPLACED, 1};
  if (!reading->asked->dot.size) return size_by_default(object, reading, size, error);
  const char *text = dot_library_attribute(object, reading->asked->dot.size);
  return text ? size_of(object, reading->asked->dot.size, text, reading, size, error) : NEAP_OK;
}

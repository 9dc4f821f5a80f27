/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Einsum. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "models/onnx/infer.h"
#include "models/onnx/rules/rules.h"

/*
 * "bij,bjk->bik": letters stand for dimensions, and "..." for dimensions that broadcast.
 * Without an arrow, the output has the letters that occur once, in alphabetical order.
 */
struct letters {
  const char *at, *end;
  int64_t dims[256]; /* by letter; -1: not seen */
  int uses[256];
  struct onnx_shape rest; /* of the dots */
};

static const char dots[] = "...";

static void skip_blanks(struct letters *letters) {
  while (letters->at < letters->end && *letters->at == ' ')
    letters->at++;
}

static bool take(struct letters *letters, const char *word) {
  size_t length = strlen(word);
  skip_blanks(letters);
  if ((size_t)(letters->end - letters->at) < length || memcmp(letters->at, word, length) != 0)
    return false;
  letters->at += length;
  return true;
}

static bool take_letter(struct letters *letters, unsigned char *letter) {
  skip_blanks(letters);
  if (letters->at == letters->end || !isalpha((unsigned char)*letters->at)) return false;
  *letter = (unsigned char)*letters->at++;
  return true;
}

/* Counts the letters of the next term. */
static size_t count_letters(struct letters ahead) {
  size_t count = 0;
  unsigned char letter;
  while (take_letter(&ahead, &letter) || take(&ahead, dots))
    count += ahead.at[-1] != '.';
  return count;
}

static bool meet(struct onnx_infer *infer, struct letters *letters, unsigned char letter,
                 int64_t dimension) {
  int64_t *known = &letters->dims[letter];
  if (*known < 0 || *known == 1) *known = dimension;
  else if (dimension != 1 && dimension != *known)
    return onnx_fail(infer, "%c is %" PRId64 " and %" PRId64, letter, *known, dimension);
  letters->uses[letter]++;
  return true;
}

static bool read_term(struct onnx_infer *infer, struct letters *letters,
                      const struct onnx_shape *input) {
  size_t named = count_letters(*letters), at = 0;
  unsigned char letter;
  if (named > input->rank)
    return onnx_fail(infer, "a term has more letters than its input has dimensions");
  for (;;) {
    if (take(letters, dots)) {
      struct onnx_shape rest = {.rank = input->rank - named};
      if (at + rest.rank > input->rank) return onnx_fail(infer, "two ellipses in a term");
      memcpy(rest.dims, input->dims + at, rest.rank * sizeof *rest.dims);
      at += rest.rank;
      if (!onnx_broadcast(infer, &letters->rest, &rest, &letters->rest)) return false;
    } else if (take_letter(letters, &letter)) {
      if (at == input->rank)
        return onnx_fail(infer, "a term has more letters than its input has dimensions");
      if (!meet(infer, letters, letter, input->dims[at++])) return false;
    } else {
      return at == input->rank ||
             onnx_fail(infer, "a term has fewer letters than its input has dimensions");
    }
  }
}

static bool push_rest(struct onnx_infer *infer, const struct letters *letters,
                      struct onnx_shape *output) {
  for (size_t d = 0; d < letters->rest.rank; d++)
    if (!onnx_push(infer, output, letters->rest.dims[d])) return false;
  return true;
}

static bool write_term(struct onnx_infer *infer, struct letters *letters,
                       struct onnx_shape *output) {
  unsigned char letter;
  for (;;) {
    if (take(letters, dots)) {
      if (!push_rest(infer, letters, output)) return false;
    } else if (take_letter(letters, &letter)) {
      if (letters->dims[letter] < 0) return onnx_fail(infer, "%c is in no input", letter);
      if (!onnx_push(infer, output, letters->dims[letter])) return false;
    } else {
      return letters->at == letters->end || onnx_fail(infer, "malformed equation");
    }
  }
}

static bool write_implied(struct onnx_infer *infer, struct letters *letters,
                          struct onnx_shape *output) {
  if (letters->at != letters->end) return onnx_fail(infer, "malformed equation");
  if (!push_rest(infer, letters, output)) return false;
  for (size_t letter = 0; letter < 256; letter++)
    if (letters->uses[letter] == 1 && !onnx_push(infer, output, letters->dims[letter]))
      return false;
  return true;
}

static bool einsum(struct onnx_infer *infer) {
  const Onnx__Attribute *equation = onnx_attribute(infer, "equation");
  if (!equation || !equation->s.len) return onnx_fail(infer, "the equation is missing");
  struct letters letters = {.at = (const char *)equation->s.data};
  letters.end = letters.at + equation->s.len;
  memset(letters.dims, -1, sizeof letters.dims);
  for (size_t i = 0; i < infer->input_count; i++) {
    const struct onnx_shape *input = onnx_input(infer, i);
    if (!input || !read_term(infer, &letters, input)) return false;
    if (i + 1 < infer->input_count && !take(&letters, ","))
      return onnx_fail(infer, "the equation has fewer terms than there are inputs");
  }
  struct onnx_shape *output = onnx_output(infer, 0, onnx_input_type(infer, 0));
  return take(&letters, "->") ? write_term(infer, &letters, output)
                              : write_implied(infer, &letters, output);
}

const struct onnx_rule onnx_rules_einsum[] = {
    {.name = "Einsum", .shape = einsum},
    {.name = NULL},
};

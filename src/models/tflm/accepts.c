/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflm/kernel_memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/tflm/element_types.h"
#include "models/tflm/requests.h"

struct word {
  const char *letters;
  int count;        /* of letters */
  size_t low, high; /* ranks */
  bool is_constant, is_whole, may_be_absent, may_be_missing, is_repeated;
  bool has_scale, has_no_scale, is_below_one;
  bool is_as_large, has_options, is_flat;
  size_t most;      /* is_repeated: at most so many; 0: any number */
  const char *like; /* after '&', or NULL */
  const char *zero; /* after '#', or NULL */
};

static size_t read_number(const char **text) {
  size_t number = 0;
  while (**text >= '0' && **text <= '9')
    number = 10 * number + (size_t)(*(*text)++ - '0');
  return number;
}

/* Reads the next word of an alternative's inputs or outputs; false at their end. */
static bool next_word(const char **text, struct word *word) {
  *text += strspn(*text, " ");
  if (!**text || **text == '|' || **text == '>') return false;
  *word = (struct word){.letters = *text, .high = SIZE_MAX};
  word->count = (int)strcspn(*text, " :!@$^<#&.%?~+");
  *text += word->count;
  for (; **text && **text != ' ';)
    switch (*(*text)++) {
    case ':':
      word->low = read_number(text);
      ++*text; /* - */
      if (**text >= '0' && **text <= '9') word->high = read_number(text);
      break;
    case '!':
      word->is_constant = true;
      break;
    case '@':
      word->is_whole = true;
      break;
    case '$':
      word->has_scale = true;
      break;
    case '^':
      word->has_no_scale = true;
      break;
    case '<':
      word->has_scale = word->is_below_one = true;
      break;
    case '#':
      word->zero = *text;
      *text += strspn(*text, "-0123456789/");
      break;
    case '&':
      word->like = *text;
      *text += strspn(*text, "abcdeA");
      *text += strspn(*text, "56");
      break;
    case '%':
      word->is_as_large = true;
      break;
    case '.':
      word->has_options = true;
      word->is_flat = **text == '1';
      *text += word->is_flat;
      break;
    case '?':
      word->may_be_absent = word->may_be_missing = true;
      break;
    case '~':
      word->may_be_missing = true;
      break;
    default:
      word->is_repeated = true;
      word->most = read_number(text);
    }
  return true;
}

static char letter_of(const struct footprint_tensor *tensor) {
  const struct element_type *type = element_type_find(tensor->type);
  return type ? type->letter : '?';
}

static const char *name_of(const struct footprint_tensor *tensor) {
  const struct element_type *type = element_type_find(tensor->type);
  return type ? type->name : "of an unknown type";
}

static bool has_type(const struct word *word, const struct footprint_call *call,
                     const struct footprint_tensor *tensor) {
  if (*word->letters == '*') return true;
  if (*word->letters == '=') return tensor->type == input(call, 0)->type;
  return memchr(word->letters, letter_of(tensor), (size_t)word->count) != NULL;
}

/* Writes "float32 or int8". */
static void list_types(const struct word *word, const struct footprint_call *call,
                       char text[ACCEPTS_REASON / 2]) {
  size_t used = 0;
  text[0] = '\0';
  if (*word->letters == '=') snprintf(text, ACCEPTS_REASON / 2, "%s", name_of(input(call, 0)));
  for (int i = 0; i < word->count && *word->letters != '='; i++)
    for (uint64_t number = 0; element_type_find(number); number++) {
      const struct element_type *type = element_type_find(number);
      if (type->letter == word->letters[i] && used < ACCEPTS_REASON / 2)
        used += (size_t)snprintf(text + used, ACCEPTS_REASON / 2 - used, "%s%s",
                                 i > 0 ? " or " : "", type->name);
    }
}

/* Writes "2 to 5", "4", "1 or more". */
static void describe_ranks(const struct word *word, char text[ACCEPTS_REASON / 2]) {
  int used = snprintf(text, ACCEPTS_REASON / 2, "%zu", word->low);
  if (word->high == SIZE_MAX)
    snprintf(text + used, ACCEPTS_REASON / 2 - (size_t)used, " or more");
  else if (word->high > word->low)
    snprintf(text + used, ACCEPTS_REASON / 2 - (size_t)used, " to %zu", word->high);
}

/* Whether all options are dimensions of a tensor; negative ones count from the last dimension. */
static bool are_dimensions(const struct word *word, const struct footprint_call *call,
                           const struct footprint_tensor *tensor, const char *name,
                           char reason[ACCEPTS_REASON]) {
  int64_t rank = (int64_t)tensor->rank;
  for (size_t i = 0; i < call->number_count; i++) {
    int64_t chosen = call->numbers[i], place = chosen < 0 ? chosen + rank : chosen;
    bool is_there = place >= 0 && place < rank;
    snprintf(reason, ACCEPTS_REASON, "its options name dimension %" PRId64 " of %s, which %s",
             chosen, name, is_there ? "is not 1" : "does not exist");
    if (!is_there || (word->is_flat && tensor->dimension(tensor, (size_t)place) != 1))
      return false;
  }
  return true;
}

static bool has_shape(const struct word *word, const struct footprint_call *call,
                      const struct footprint_tensor *tensor, const char *name,
                      char reason[ACCEPTS_REASON]) {
  char ranks[ACCEPTS_REASON / 2];
  if (tensor->rank < word->low || tensor->rank > word->high) {
    describe_ranks(word, ranks);
    snprintf(reason, ACCEPTS_REASON, "%s has %zu dimension%s, not %s", name, tensor->rank,
             tensor->rank == 1 ? "" : "s", ranks);
    return false;
  }
  snprintf(reason, ACCEPTS_REASON, "%s has not as many elements as input 0", name);
  if (word->is_as_large && tensor->elements != input(call, 0)->elements &&
      tensor->elements > 0 && tensor->elements < NEAP_MAX)
    return false;
  return !word->has_options || are_dimensions(word, call, tensor, name, reason);
}

/* ---------------------------------------------------------------- quantisation */

/* The tensor that a letter means, and its name. */
static const struct footprint_tensor *named(const struct footprint_call *call, char letter,
                                            char name[16]) {
  bool is_input = letter >= 'a';
  size_t index = (size_t)(letter - (is_input ? 'a' : 'A'));
  snprintf(name, 16, "%s %zu", is_input ? "input" : "output", index);
  return is_input ? input(call, index) : output(call, index);
}

/* How far a scale may be from another one; -1: no scale is close enough. */
static double slack_of(const struct word *word, const struct footprint_call *call) {
  const char *digit = word->like + strspn(word->like, "abcdeA");
  if (*digit == '5' || *digit == '6') return *digit == '5' ? 1e-5 : 1e-6;
  if (digit - word->like < 2) return 0;
  return output(call, 0)->scale > 0 ? 0.02 * (double)output(call, 0)->scale : -1;
}

static bool is_like(const struct word *word, const struct footprint_call *call,
                    const struct footprint_tensor *tensor, const char *name,
                    char reason[ACCEPTS_REASON]) {
  char first[16], second[16];
  const struct footprint_tensor *one = named(call, word->like[0], first), *other = NULL;
  double scale = (double)one->scale;
  if (word->like[1] >= 'a' && word->like[1] <= 'e') {
    other = named(call, word->like[1], second);
    if (other->channels > 1) return true;
    scale *= (double)other->scale;
    snprintf(reason, ACCEPTS_REASON, "the scale of %s is not the product of those of %s and %s",
             name, first, second);
  } else
    snprintf(reason, ACCEPTS_REASON, "%s has another scale or zero point than %s", name, first);
  return fabs((double)tensor->scale - scale) <= slack_of(word, call) &&
         (other || tensor->zero_point == one->zero_point);
}

/* Some kernels for 16-bit numbers compare with a tolerance. */
static bool has_zero(const struct word *word, const struct footprint_tensor *tensor,
                     const char *name, char reason[ACCEPTS_REASON]) {
  char *end;
  long zero = strtol(word->zero, &end, 10);
  if (tensor->zero_point != zero) {
    snprintf(reason, ACCEPTS_REASON, "%s has the zero point %d, not %ld", name,
             (int)tensor->zero_point, zero);
    return false;
  }
  if (*end != '/') return true;
  int halves = atoi(end + 1);
  snprintf(reason, ACCEPTS_REASON, "%s has the scale %g, not 2^-%d", name,
           (double)tensor->scale, halves);
  return fabs(ldexp((double)tensor->scale, halves) - 1) <= (tensor->type == INT16 ? 1e-3 : 0);
}

static bool is_quantised_so(const struct word *word, const struct footprint_call *call,
                            const struct footprint_tensor *tensor, const char *name,
                            char reason[ACCEPTS_REASON]) {
  if (word->has_scale && tensor->channels == 0) {
    snprintf(reason, ACCEPTS_REASON, "%s is %s, without a scale and a zero point", name,
             name_of(tensor));
    return false;
  }
  if (word->has_no_scale && tensor->channels > 0) {
    snprintf(reason, ACCEPTS_REASON, "%s is %s, with a scale", name, name_of(tensor));
    return false;
  }
  if (word->is_below_one && tensor->scale >= 1) {
    snprintf(reason, ACCEPTS_REASON, "%s has the scale %g, not one below 1", name,
             (double)tensor->scale);
    return false;
  }
  if (word->is_whole && tensor->channels > 1) {
    snprintf(reason, ACCEPTS_REASON, "%s is %s, quantised by channels", name, name_of(tensor));
    return false;
  }
  return (!word->like || is_like(word, call, tensor, name, reason)) &&
         (!word->zero || has_zero(word, tensor, name, reason));
}

/* ---------------------------------------------------------------- tensors */

/* Whether a word fits a tensor; otherwise writes the reason. */
static bool fits(const struct word *word, const struct footprint_call *call, bool is_input,
                 size_t index, char reason[ACCEPTS_REASON]) {
  const struct footprint_tensor *tensor = is_input ? input(call, index) : output(call, index);
  const char *end = is_input ? "input" : "output";
  char types[ACCEPTS_REASON / 2], name[32];
  if (!tensor->is_present) {
    snprintf(reason, ACCEPTS_REASON, "%s %zu is absent", end, index);
    return index < (is_input ? call->input_count : call->output_count) ? word->may_be_absent
                                                                       : word->may_be_missing;
  }
  if (!has_type(word, call, tensor)) {
    list_types(word, call, types);
    snprintf(reason, ACCEPTS_REASON, "%s %zu is %s, not %s", end, index, name_of(tensor),
             types);
    return false;
  }
  snprintf(name, sizeof name, "%s %zu", end, index);
  if (word->is_constant && !tensor->is_constant) {
    snprintf(reason, ACCEPTS_REASON, "%s is not constant", name);
    return false;
  }
  return has_shape(word, call, tensor, name, reason) &&
         is_quantised_so(word, call, tensor, name, reason);
}

/*
 * Whether the words fit the inputs or the outputs, with the first reason if they do not.  Adds to
 * *types the number of words with the right type.
 */
static bool fit_all(const char **text, const struct footprint_call *call, bool is_input,
                    size_t *types, char reason[ACCEPTS_REASON]) {
  const size_t count = is_input ? call->input_count : call->output_count;
  struct word word = {.letters = ""};
  char other[ACCEPTS_REASON];
  size_t index = 0;
  bool is_fit = true;
  while (next_word(text, &word)) {
    const size_t end = word.is_repeated && count > index ? count : index + 1;
    if (is_fit && word.is_repeated && word.most > 0 && count > word.most) {
      snprintf(reason, ACCEPTS_REASON, "it has %zu inputs, more than %zu", count, word.most);
      is_fit = false;
    }
    for (; index < end; index++) {
      *types += has_type(&word, call, is_input ? input(call, index) : output(call, index));
      if (!fits(&word, call, is_input, index, is_fit ? reason : other)) is_fit = false;
    }
  }
  return is_fit;
}

/* If no alternative fits, the reason is from the one whose types fit best. */
bool accepts_call(const char *rule, const struct footprint_call *call,
                  char reason[ACCEPTS_REASON]) {
  size_t most = 0;
  for (const char *text = rule;; text++) {
    char found[2][ACCEPTS_REASON] = {"", ""};
    size_t types = 0;
    const char *at = text;
    bool fits_inputs = fit_all(&at, call, true, &types, found[0]), fits_outputs = true;
    if (*at == '>') at++, fits_outputs = fit_all(&at, call, false, &types, found[1]);
    if (fits_inputs && fits_outputs) return true;
    if (text == rule || types > most) {
      most = types;
      snprintf(reason, ACCEPTS_REASON, "%s", found[fits_inputs]);
    }
    text = strchr(text, '|');
    if (!text) return false;
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/accepts.h"

#include <stdio.h>
#include <string.h>

#include "kernels/element_types.h"
#include "kernels/requests.h"

struct word {
  const char *letters;
  int count; /* of letters */
  size_t low, high; /* ranks */
  bool is_constant, is_whole, may_be_absent, may_be_missing, is_repeated;
  size_t most; /* is_repeated: how many; 0: any number */
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
  word->count = (int)strcspn(*text, " :!@?~+");
  *text += word->count;
  for (; **text && **text != ' ';)
    switch (*(*text)++) {
    case ':':
      word->low = read_number(text);
      ++*text; /* - */
      word->high = read_number(text);
      break;
    case '!':
      word->is_constant = true;
      break;
    case '@':
      word->is_whole = true;
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

/* Whether a word fits a tensor; otherwise writes the reason. */
static bool fits(const struct word *word, const struct footprint_call *call, bool is_input,
                 size_t index, char reason[ACCEPTS_REASON]) {
  const struct footprint_tensor *tensor = is_input ? input(call, index) : output(call, index);
  const char *end = is_input ? "input" : "output";
  char types[ACCEPTS_REASON / 2];
  if (!tensor->is_present) {
    snprintf(reason, ACCEPTS_REASON, "%s %zu is absent", end, index);
    return index < (is_input ? call->input_count : call->output_count) ? word->may_be_absent
                                                                       : word->may_be_missing;
  }
  if (!has_type(word, call, tensor)) {
    list_types(word, call, types);
    snprintf(reason, ACCEPTS_REASON, "%s %zu is %s, not %s", end, index, name_of(tensor), types);
    return false;
  }
  if (tensor->rank < word->low || tensor->rank > word->high) {
    snprintf(reason, ACCEPTS_REASON, "%s %zu has %zu dimensions, not %zu to %zu", end, index,
             tensor->rank, word->low, word->high);
    return false;
  }
  if (word->is_whole && tensor->channels > 1) {
    snprintf(reason, ACCEPTS_REASON, "%s %zu is %s, quantised by channels", end, index,
             name_of(tensor));
    return false;
  }
  snprintf(reason, ACCEPTS_REASON, "%s %zu is not constant", end, index);
  return !word->is_constant || tensor->is_constant;
}

/* Whether the words fit the inputs or the outputs; *position counts those that do. */
static bool fit_all(const char **text, const struct footprint_call *call, bool is_input,
                    size_t *position, char reason[ACCEPTS_REASON]) {
  const size_t count = is_input ? call->input_count : call->output_count;
  struct word word;
  size_t index = 0;
  while (next_word(text, &word)) {
    const size_t end = word.is_repeated && count > index ? count : index + 1;
    if (word.is_repeated && word.most > 0 && count > word.most) {
      snprintf(reason, ACCEPTS_REASON, "it has %zu inputs, more than %zu", count, word.most);
      return false;
    }
    for (; index < end; index++, ++*position)
      if (!fits(&word, call, is_input, index, reason)) return false;
  }
  return true;
}

bool accepts_call(const char *rule, const struct footprint_call *call,
                  char reason[ACCEPTS_REASON]) {
  size_t farthest = 0;
  for (const char *text = rule;; text++) {
    char found[ACCEPTS_REASON] = "";
    size_t position = 0;
    const char *at = text;
    bool is_accepted = fit_all(&at, call, true, &position, found);
    if (is_accepted && *at == '>') at++, is_accepted = fit_all(&at, call, false, &position, found);
    if (is_accepted) return true;
    if (text == rule || position > farthest) {
      farthest = position;
      snprintf(reason, ACCEPTS_REASON, "%s", found);
    }
    text = strchr(text, '|');
    if (!text) return false;
  }
}

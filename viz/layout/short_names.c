/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Editors that show two files of the same name add the folder in which they differ.  Short
 * names do the same.  A name has parts; a number belongs to the part before it:
 *
 *      features/10/conv/0/1/batch_norm/0      [features/10] [conv/0/1] [batch_norm/0]
 *
 * Each buffer takes the part that the fewest buffers have.  Then, among the buffers that took the
 * same part, it takes the part that the fewest of them have, and so on, until no other buffer has
 * all of its parts: here features/10 and conv/0/1.  A part that is twice in a name, as in names
 * of fused operators, counts once.  Beginnings and ends that most names share, such as
 * "_Output_0", are dropped.  Names that this would make alike keep more of their text.
 *
 * A round of choices sorts all parts, O(p log p), and few rounds are needed.
 */
#include "viz/layout/short_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"

#define MOST 20000       /* buffers; a picture has no room for the names of more */
#define LOOKED_AT 400    /* bytes of a name */
#define PARTS_MOST 48    /* of a name */
#define ROUNDS_MOST 8    /* of choices */
#define AFFIX_LEAST 3    /* names, before what most of them share is dropped */
#define ELISION "\u2026" /* in place of parts left out between others */

/* A part of the name of a buffer. */
struct part {
  size_t buffer, text; /* the number of its text */
  size_t at, length;   /* in the name */
  size_t group;        /* of the part's buffer */
  size_t run;          /* the same for all parts of one text in one group */
  size_t shared;       /* the number of parts in the run */
  bool taken;
};

struct chooser {
  const struct neap_problem *problem;
  struct names texts;
  struct part *parts; /* by buffer, then by place */
  size_t *begin;      /* the first part of each buffer; one more at the end */
  size_t count, capacity;
  size_t *group;       /* of each buffer */
  bool *done;          /* no other buffer has the same parts, or all are taken */
  struct part **order; /* parts of the buffers not done, by group and text */
};

/* ---------------------------------------------------------------- parts */

static bool is_separator(char c) { return c && strchr("/;:., |", c); }

static size_t word_length(const char *text) {
  size_t length = 0;
  while (text[length] && !is_separator(text[length]))
    length++;
  return length;
}

static size_t digits_length(const char *text) {
  size_t length = 0;
  while (isdigit((unsigned char)text[length]))
    length++;
  return length;
}

/* The length of a word and of the numbers after it. */
static size_t part_length(const char *text) {
  size_t length = word_length(text), digits;
  while (text[length] && (digits = digits_length(text + length + 1)) > 0 &&
         digits == word_length(text + length + 1))
    length += 1 + digits;
  return length;
}

static bool has_part(const struct chooser *chooser, size_t from, size_t text) {
  for (size_t p = from; p < chooser->count; p++)
    if (chooser->parts[p].text == text) return true;
  return false;
}

/* Adds a part of a name unless the name already has it; false if memory runs out. */
static bool add_part(struct chooser *chooser, size_t buffer, size_t at, size_t length) {
  const char *text = problem_name(chooser->problem, buffer) + at;
  size_t number = names_find(&chooser->texts, text, length);
  if (number == NAMES_NONE) {
    number = chooser->texts.count;
    if (!names_add(&chooser->texts, text, length)) return false;
  } else if (has_part(chooser, chooser->begin[buffer], number)) {
    return true;
  }
  if (!memory_reserve(&chooser->parts, &chooser->capacity, chooser->count + 1,
                      sizeof *chooser->parts))
    return false;
  chooser->parts[chooser->count++] =
      (struct part){.buffer = buffer, .text = number, .at = at, .length = length};
  return true;
}

static bool add_parts(struct chooser *chooser, size_t buffer) {
  const char *name = problem_name(chooser->problem, buffer);
  chooser->begin[buffer] = chooser->count;
  for (size_t at = 0; name[at] && at < LOOKED_AT;) {
    size_t length = part_length(name + at);
    if (length > 0 && !add_part(chooser, buffer, at, length)) return false;
    at += length;
    if (name[at]) at++;
    if (chooser->count - chooser->begin[buffer] == PARTS_MOST) break;
  }
  return true;
}

static bool chooser_init(struct chooser *chooser, const struct neap_problem *problem) {
  *chooser = (struct chooser){.problem = problem};
  chooser->begin = memory_array(problem->count + 1, sizeof *chooser->begin);
  chooser->group = memory_array(problem->count, sizeof *chooser->group);
  chooser->done = memory_array(problem->count, sizeof *chooser->done);
  if (!chooser->begin || !chooser->group || !chooser->done) return false;
  for (size_t i = 0; i < problem->count; i++)
    if (!add_parts(chooser, i)) return false;
  chooser->begin[problem->count] = chooser->count;
  chooser->order = memory_array(chooser->count, sizeof *chooser->order);
  return chooser->order != NULL;
}

static void chooser_clear(struct chooser *chooser) {
  names_clear(&chooser->texts);
  free(chooser->parts);
  free(chooser->begin);
  free(chooser->group);
  free(chooser->done);
  free(chooser->order);
}

/* ---------------------------------------------------------------- choices */

static int by_group(const void *left, const void *right) {
  const struct part *a = *(struct part *const *)left, *b = *(struct part *const *)right;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  return a->text < b->text ? -1 : a->text > b->text;
}

/* Counts how many buffers of each group have each part that is still to be taken. */
static void count_shared(struct chooser *chooser) {
  size_t count = 0;
  for (size_t p = 0; p < chooser->count; p++) {
    struct part *part = &chooser->parts[p];
    part->group = chooser->group[part->buffer];
    if (!chooser->done[part->buffer] && !part->taken) chooser->order[count++] = part;
  }
  if (count > 0) qsort(chooser->order, count, sizeof(struct part *), by_group);
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1;
         end < count && by_group(&chooser->order[begin], &chooser->order[end]) == 0;)
      end++;
    for (size_t p = begin; p < end; p++) {
      chooser->order[p]->run = begin;
      chooser->order[p]->shared = end - begin;
    }
  }
}

/*
 * The untaken part of a buffer that the fewest others have; of several the shortest, then the last.
 * NULL: none is left.
 */
static struct part *best_part(const struct chooser *chooser, size_t buffer) {
  struct part *best = NULL;
  for (size_t p = chooser->begin[buffer]; p < chooser->begin[buffer + 1]; p++) {
    struct part *part = &chooser->parts[p];
    if (part->taken) continue;
    if (!best || part->shared < best->shared ||
        (part->shared == best->shared && part->length <= best->length))
      best = part;
  }
  return best;
}

/* Every buffer takes one more part, and those that took the same are a group; false if none did. */
static bool choose_once(struct chooser *chooser) {
  bool any = false;
  count_shared(chooser);
  for (size_t i = 0; i < chooser->problem->count; i++) {
    if (chooser->done[i]) continue;
    struct part *best = best_part(chooser, i);
    chooser->done[i] = !best || best->shared == 1;
    if (!best) continue;
    best->taken = any = true;
    chooser->group[i] = best->run;
  }
  return any;
}

/* ---------------------------------------------------------------- texts */

/* A possible short name of a buffer. */
struct text {
  char *bytes;     /* the parts taken, joined */
  size_t from, to; /* the rest without the ends that most texts share */
  int stage;       /* the text is 0: that rest, 1: all of `bytes`, 2: the name */
};

static size_t joined_length(const struct chooser *chooser, size_t buffer) {
  size_t length = 0;
  for (size_t p = chooser->begin[buffer]; p < chooser->begin[buffer + 1]; p++)
    if (chooser->parts[p].taken) length += chooser->parts[p].length + strlen(ELISION);
  return length;
}

static void join_parts(const struct chooser *chooser, size_t buffer, char *text) {
  const char *name = problem_name(chooser->problem, buffer);
  const struct part *last = NULL;
  for (size_t p = chooser->begin[buffer]; p < chooser->begin[buffer + 1]; p++) {
    const struct part *part = &chooser->parts[p];
    if (!part->taken) continue;
    if (last && part == last + 1) *text++ = name[part->at - 1];
    else if (last) text = stpcpy(text, ELISION);
    text = mempcpy(text, name + part->at, part->length);
    last = part;
  }
  *text = '\0';
}

static bool make_texts(const struct chooser *chooser, struct text *texts) {
  for (size_t i = 0; i < chooser->problem->count; i++) {
    texts[i].bytes = memory_array(joined_length(chooser, i) + 1, 1);
    if (!texts[i].bytes) return false;
    join_parts(chooser, i, texts[i].bytes);
    texts[i].to = strlen(texts[i].bytes);
  }
  return true;
}

/* How often texts occur. */
struct tally {
  struct names texts;
  size_t *counts, capacity;
};

static bool tally_add(struct tally *tally, const char *text, size_t length) {
  size_t number = names_find(&tally->texts, text, length);
  if (number == NAMES_NONE) {
    number = tally->texts.count;
    if (!memory_reserve(&tally->counts, &tally->capacity, number + 1, sizeof *tally->counts) ||
        !names_add(&tally->texts, text, length))
      return false;
    tally->counts[number] = 0;
  }
  tally->counts[number]++;
  return true;
}

static void tally_clear(struct tally *tally) {
  names_clear(&tally->texts);
  free(tally->counts);
}

/* The length of the longest text that occurs in more than half of `count` cases. */
static size_t tally_longest(const struct tally *tally, size_t count) {
  size_t longest = 0;
  for (size_t k = 0; k < tally->texts.count; k++) {
    size_t length = strlen(names_text(&tally->texts, k));
    if (tally->counts[k] > count / 2 && length > longest) longest = length;
  }
  return longest;
}

/* ---------------------------------------------------------------- shared beginnings and ends */

static bool is_border(char c) { return c && strchr("_-/.:", c); }

/* A number stays with the word before it. */
static bool starts_suffix(const char *text, size_t at) {
  return at > 0 && is_border(text[at]) && text[at + 1] && !isdigit((unsigned char)text[at + 1]);
}

static bool ends_prefix(const char *text, size_t end) {
  return end > 0 && text[end] && is_border(text[end - 1]);
}

/* A number alone says too little. */
static bool has_letter(const char *text, size_t from, size_t to) {
  for (; from < to; from++)
    if ((unsigned char)text[from] >= 128 || isalpha((unsigned char)text[from])) return true;
  return false;
}

static bool count_affixes(const struct text *texts, size_t count, struct tally *prefixes,
                          struct tally *suffixes) {
  for (size_t i = 0; i < count; i++) {
    const char *text = texts[i].bytes;
    for (size_t at = 1; at < texts[i].to && at < LOOKED_AT; at++)
      if ((ends_prefix(text, at) && !tally_add(prefixes, text, at)) ||
          (starts_suffix(text, at) && !tally_add(suffixes, text + at, texts[i].to - at)))
        return false;
  }
  return true;
}

static bool has_affix(const struct tally *tally, size_t count, const char *text,
                      size_t length) {
  size_t number = names_find(&tally->texts, text, length);
  return number != NAMES_NONE && tally->counts[number] > count / 2;
}

static bool drop_affixes(struct text *texts, size_t count) {
  struct tally prefixes = {0}, suffixes = {0};
  if (count < AFFIX_LEAST) return true;
  bool good = count_affixes(texts, count, &prefixes, &suffixes);
  size_t before = tally_longest(&prefixes, count), after = tally_longest(&suffixes, count);
  for (size_t i = 0; good && i < count; i++) {
    struct text *text = &texts[i];
    if (before > 0 && has_letter(text->bytes, before, text->to) &&
        has_affix(&prefixes, count, text->bytes, before))
      text->from = before;
    if (after > 0 && text->from + after < text->to &&
        has_affix(&suffixes, count, text->bytes + text->to - after, after))
      text->to -= after;
  }
  tally_clear(&prefixes);
  tally_clear(&suffixes);
  return good;
}

/* ---------------------------------------------------------------- no two alike */

#define STAGE_LAST 2

static const char *text_of(const struct neap_problem *problem, const struct text *text,
                           size_t buffer, size_t *length) {
  const char *name = problem_name(problem, buffer);
  *length = text->stage == 0   ? text->to - text->from
            : text->stage == 1 ? strlen(text->bytes)
                               : strlen(name);
  return text->stage == 0 ? text->bytes + text->from : text->stage == 1 ? text->bytes : name;
}

/* Lengthens each text that two buffers have, or that is the name of another buffer. */
static bool move_on(const struct neap_problem *problem, struct text *texts) {
  struct tally tally = {0};
  size_t length;
  bool good = true;
  for (size_t i = 0; i < problem->count && good; i++) {
    const char *text = text_of(problem, &texts[i], i, &length);
    good = tally_add(&tally, text, length);
  }
  for (size_t i = 0; i < problem->count && good; i++) {
    const char *text = text_of(problem, &texts[i], i, &length);
    size_t other = names_find(&problem->names, text, length);
    bool is_taken = length == 0 || (other != NAMES_NONE && other != i) ||
                    tally.counts[names_find(&tally.texts, text, length)] > 1;
    if (is_taken && texts[i].stage < STAGE_LAST) texts[i].stage++;
  }
  tally_clear(&tally);
  return good;
}

static bool keep_texts(struct short_names *names, const struct text *texts) {
  for (size_t i = 0; i < names->problem->count; i++) {
    size_t length;
    const char *text = text_of(names->problem, &texts[i], i, &length);
    if (!memory_reserve(&names->text, &names->capacity, names->used + length + 1, 1))
      return false;
    names->start[i] = names->used;
    memcpy(names->text + names->used, text, length);
    names->text[names->used + length] = '\0';
    names->used += length + 1;
  }
  return true;
}

static bool shorten(struct short_names *names, struct chooser *chooser, struct text *texts) {
  size_t count = names->problem->count;
  for (int round = 0; round < ROUNDS_MOST && choose_once(chooser);)
    round++;
  if (!make_texts(chooser, texts) || !drop_affixes(texts, count)) return false;
  for (int stage = 0; stage < 2 * STAGE_LAST; stage++)
    if (!move_on(names->problem, texts)) return false;
  return keep_texts(names, texts);
}

neap_status short_names_init(struct short_names *names, const struct neap_problem *problem,
                             neap_error *error) {
  *names = (struct short_names){.problem = problem};
  if (problem->count > MOST || problem->count == 0) return NEAP_OK;
  struct chooser chooser;
  struct text *texts = memory_array(problem->count, sizeof *texts);
  names->start = memory_array(problem->count, sizeof *names->start);
  bool good = chooser_init(&chooser, problem) && texts && names->start &&
              shorten(names, &chooser, texts);
  for (size_t i = 0; texts && i < problem->count; i++)
    free(texts[i].bytes);
  free(texts);
  chooser_clear(&chooser);
  return good ? NEAP_OK : error_memory(error);
}

void short_names_clear(struct short_names *names) {
  free(names->text);
  free(names->start);
  *names = (struct short_names){0};
}

const char *short_names_of(const struct short_names *names, size_t buffer) {
  return names->start ? names->text + names->start[buffer]
                      : problem_name(names->problem, buffer);
}

/* ---------------------------------------------------------------- forms */

/* Whether `text` contains the letters of `word`, in any case. */
static bool mentions(const char *text, const char *word) {
  for (; *text; text++) {
    const char *at = text, *wanted = word;
    for (;;) {
      while (*wanted && !isalpha((unsigned char)*wanted))
        wanted++;
      while (*at && !isalpha((unsigned char)*at))
        at++;
      if (!*wanted) return true;
      if (tolower((unsigned char)*at) != tolower((unsigned char)*wanted)) break;
      at++;
      wanted++;
    }
  }
  return false;
}

/* The length of a text without its last word: "DEPTHWISE_CONV" of "DEPTHWISE_CONV_2D". */
static size_t drop_word(const char *text, size_t length) {
  while (
      length > 1 && !is_border(text[length - 1]) &&
      !(isupper((unsigned char)text[length - 1]) && islower((unsigned char)text[length - 2])))
    length--;
  if (length > 0) length--;
  while (length > 0 && is_border(text[length - 1]))
    length--;
  return length;
}

#define TYPE_MOST 100 /* bytes of an operator's type in a label */

void short_names_forms(const struct short_names *names, size_t buffer,
                       struct short_forms *forms) {
  const char *name = short_names_of(names, buffer);
  const char *type = problem_hint(names->problem, buffer);
  char text[LABEL_BYTES];
  size_t length = type ? strnlen(type, TYPE_MOST) : 0;
  forms->count = 0;
  if (length > 0 && !mentions(name, type)) {
    snprintf(text, sizeof text, "%.*s %s", (int)length, type, name);
    label_clean(text, forms->text[forms->count++]);
  }
  label_clean(name, forms->text[forms->count++]);
  forms->named = forms->count;
  for (; length > 0 && forms->count < SHORT_NAMES_FORMS - 1; length = drop_word(type, length)) {
    snprintf(text, sizeof text, "%.*s #%zu", (int)length, type, buffer);
    label_clean(text, forms->text[forms->count++]);
  }
  snprintf(forms->text[forms->count++], LABEL_BYTES, "#%zu", buffer);
}

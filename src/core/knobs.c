/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variables of builds with --enable-checks.  Other builds have constants, and nothing here. */
#include "core/knobs.h"

#ifdef NEAP_CHECKS

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"

#define KNOB(type, name, value, low, high, why) type name = value;
#include "core/knobs.def"
#undef KNOB

enum knob_type {
  KNOB_int,
  KNOB_unsigned,
  KNOB_long,
  KNOB_int64_t,
  KNOB_uint32_t,
  KNOB_uint64_t,
  KNOB_size_t,
  KNOB_double
};

static const struct knob {
  const char *name;
  void *variable;
  enum knob_type type;
  double usual, low, high;
} knobs[] = {
#define KNOB(type, name, value, low, high, why) {#name, &name, KNOB_##type, value, low, high},
#include "core/knobs.def"
#undef KNOB
};

static const size_t knob_count = sizeof knobs / sizeof *knobs;

static void set(const struct knob *knob, double value) {
  assert(value >= knob->low && value <= knob->high);
  switch (knob->type) {
  case KNOB_int:
    *(int *)knob->variable = (int)value;
    return;
  case KNOB_unsigned:
    *(unsigned *)knob->variable = (unsigned)value;
    return;
  case KNOB_long:
    *(long *)knob->variable = (long)value;
    return;
  case KNOB_int64_t:
    *(int64_t *)knob->variable = (int64_t)value;
    return;
  case KNOB_uint32_t:
    *(uint32_t *)knob->variable = (uint32_t)value;
    return;
  case KNOB_uint64_t:
    *(uint64_t *)knob->variable = (uint64_t)value;
    return;
  case KNOB_size_t:
    *(size_t *)knob->variable = (size_t)value;
    return;
  case KNOB_double:
    *(double *)knob->variable = value;
    return;
  }
}

/* The knob with the name of `length` characters, or NULL. */
static const struct knob *knob_named(const char *name, size_t length) {
  for (size_t i = 0; i < knob_count; i++)
    if (strncmp(knobs[i].name, name, length) == 0 && knobs[i].name[length] == '\0')
      return &knobs[i];
  return NULL;
}

const char *knobs_set(const char *text) {
  for (size_t i = 0; i < knob_count; i++)
    set(&knobs[i], knobs[i].usual);
  for (const char *at = text; *at != '\0';) {
    const char *begin = at;
    size_t length = strcspn(at, "=,");
    const struct knob *knob = knob_named(at, length);
    if (!knob || at[length] != '=') return begin;
    char *end;
    double value = strtod(at + length + 1, &end);
    bool is_number = end > at + length + 1 && (*end == '\0' || *end == ',');
    if (!is_number || !(value >= knob->low && value <= knob->high)) return begin;
    set(knob, value);
    at = *end == ',' ? end + 1 : end;
  }
  return NULL;
}

static double draw_value(const struct knob *knob, struct random *random) {
  double share = random_share(random);
  switch (random_below(random, 8)) {
  case 0:
    return knob->low;
  case 1:
    return knob->high;
  case 2:
    return knob->low + share * (knob->usual - knob->low);
  case 3:
    return knob->usual + share * (knob->high - knob->usual);
  default:
    return knob->usual;
  }
}

void knobs_draw(struct random *random) {
  for (size_t i = 0; i < knob_count; i++)
    set(&knobs[i], draw_value(&knobs[i], random));
}

__attribute__((constructor)) static void take_environment(void) {
  const char *text = getenv("NEAP_KNOBS"), *wrong = text ? knobs_set(text) : NULL;
  if (!wrong) return;
  fprintf(stderr, "NEAP_KNOBS: no knob, or a value out of its range: %s\n", wrong);
  exit(2);
}

#endif

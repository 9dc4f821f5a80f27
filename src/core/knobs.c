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

#define KNOB(type, name, value, low, high, why) \
  static void set_##name(double to) { name = (type)to; }
#include "core/knobs.def"
#undef KNOB

static const struct knob {
  const char *name;
  void (*set)(double to);
  double usual, low, high;
} knobs[] = {
#define KNOB(type, name, value, low, high, why) {#name, set_##name, value, low, high},
#include "core/knobs.def"
#undef KNOB
};

static const size_t knob_count = sizeof knobs / sizeof *knobs;

static void set(const struct knob *knob, double value) {
  assert(value >= knob->low && value <= knob->high);
  knob->set(value);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The design of a sweep: which options it varies, the values of each, and the seeds.  A setting is
 * one value of each; settings are numbered so that the last option varies fastest.
 */
#ifndef CLI_EXPERIMENT_DESIGN_H
#define CLI_EXPERIMENT_DESIGN_H

#include <assert.h>
#include <neap/neap.h>

#include "cli/options/arguments.h"

#define DESIGN_FACTORS_MAX 2
#define DESIGN_RUNS_MAX 100000

enum factor_kind { FACTOR_WHOLE, FACTOR_DECIMAL, FACTOR_NAMES };

/* An option and its values. */
struct factor {
  const char *name; /* of the option, without dashes */
  enum factor_kind kind;
  int place;       /* among the lists on the command line */
  char **texts;    /* the values as the option takes them, each once */
  double *numbers; /* the values; 0, 1, 2, ... for names */
  size_t count;
};

struct design {
  struct factor factors[DESIGN_FACTORS_MAX];
  size_t factor_count; /* >= 1 */
  uint64_t *seeds;
  size_t seed_count;    /* >= 1 */
  size_t setting_count; /* the product of the factors' counts */
};

/*
 * Reads and checks the lists; options with a single value are set.  Returns 0, or the exit code
 * of the message it has printed.  The caller calls design_clear in both cases.
 */
int design_read(const struct arguments *arguments, struct design *design);
void design_clear(struct design *design);

/* Which of its values a factor has in a setting. */
static inline size_t design_value(const struct design *design, size_t setting, size_t factor) {
  assert(setting < design->setting_count && factor < design->factor_count);
  size_t inner = 1;
  for (size_t i = factor + 1; i < DESIGN_FACTORS_MAX && i < design->factor_count; i++)
    inner *= design->factors[i].count;
  return setting / inner % design->factors[factor].count;
}

/* Sets the planning options to those of a setting and a seed; returns like option_set. */
int design_apply(const struct design *design, const struct arguments *arguments, size_t setting,
                 uint64_t seed);

#define DESIGN_TEXT 256

/*
 * A setting in words, "max-rounds 5, rearrange top", or with before = "--" and between = " " as
 * options, "--max-rounds 5 --rearrange top".  Returns `text`.
 */
const char *design_text(const struct design *design, size_t setting, const char *before,
                        const char *between, char text[DESIGN_TEXT]);

#endif

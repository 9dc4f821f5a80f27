/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names that the schema lists. */
#ifndef FORMATS_DSA_NAMES_H
#define FORMATS_DSA_NAMES_H

enum profile {
  PROFILE_STANDARD,
  PROFILE_REUSE,
  PROFILE_STRUCTURED,
  PROFILE_HARD,
  PROFILE_RESEARCH,
  PROFILE_RELAXATION,
  PROFILE_COUNT
};

enum metric {
  METRIC_OVERFLOW,
  METRIC_TOTAL,
  METRIC_MAX,
  METRIC_REUSE,
  METRIC_BANK,
  METRIC_COUNT
};

/* Each ends in NULL.  The first reason of each kind says nothing. */
extern const char *const profile_names[PROFILE_COUNT + 1];
extern const char *const metric_names[METRIC_COUNT + 1];
extern const char *const separation_reasons[];
extern const char *const penalty_reasons[];

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether everyone can tell the colours of drawings apart and read what is written on them, in the
 * light and in the dark theme.
 *
 * Contrast is that of the Web Content Accessibility Guidelines 2.2.  Distances are Euclidean in
 * OKLab (Ottosson 2020), between the colours as they are and as people without red, green or blue
 * cones see them, by the matrices of Machado, Oliveira and Fernandes, "A Physiologically-based
 * Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009, for severity 1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap/planner.h"
#include "tests/support/picture.h"
#include "tests/support/sample.h"
#include "viz/page.h"

enum theme { LIGHT, DARK, THEMES };

/* ---------------------------------------------------------------- colours */

struct colour {
  double part[3]; /* linear red, green, blue: 0 .. 1 */
};

static double linear(double part) {
  return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
}

static struct colour colour_of(unsigned long rgb) {
  return (struct colour){{linear((double)(rgb >> 16 & 255) / 255),
                          linear((double)(rgb >> 8 & 255) / 255),
                          linear((double)(rgb & 255) / 255)}};
}

static struct colour times(const double matrix[3][3], struct colour c) {
  struct colour product;
  for (int i = 0; i < 3; i++)
    product.part[i] =
        matrix[i][0] * c.part[0] + matrix[i][1] * c.part[1] + matrix[i][2] * c.part[2];
  return product;
}

static double contrast(struct colour a, struct colour b) {
  static const double luminance[3][3] = {{0.2126, 0.7152, 0.0722}};
  double x = times(luminance, a).part[0], y = times(luminance, b).part[0];
  return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static struct colour oklab(struct colour c) {
  static const double cones[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                     {0.2119034982, 0.6806995451, 0.1073969566},
                                     {0.0883024619, 0.2817188376, 0.6299787005}};
  static const double axes[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                    {1.9779984951, -2.4285922050, 0.4505937099},
                                    {0.0259040371, 0.7827717662, -0.8086757660}};
  struct colour lms = times(cones, c);
  for (int i = 0; i < 3; i++)
    lms.part[i] = cbrt(lms.part[i]);
  return times(axes, lms);
}

static double distance(struct colour a, struct colour b) {
  struct colour x = oklab(a), y = oklab(b);
  return sqrt(pow(x.part[0] - y.part[0], 2) + pow(x.part[1] - y.part[1], 2) +
              pow(x.part[2] - y.part[2], 2));
}

/* How people see, and the smallest distance of two categories for them. */
static const struct eye {
  const char *name;
  double least;
  double matrix[3][3];
} eyes[] = {
    {"normal vision", 0.07, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {"protanopia",
     0.05,
     {{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {"deuteranopia",
     0.05,
     {{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {"tritanopia",
     0.05,
     {{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
};

static struct colour seen_by(const struct eye *eye, struct colour c) {
  c = times(eye->matrix, c);
  for (int i = 0; i < 3; i++)
    c.part[i] = fmin(1, fmax(0, c.part[i]));
  return c;
}

/* ---------------------------------------------------------------- the page's variables */

static char *page; /* without its data */

/* The part of the page's style sheet with the variables of a theme. */
static const char *sheet(enum theme theme, size_t *length) {
  static const char dark[] = ":root[data-theme=\"dark\"]", rest[] = "box-sizing";
  const char *from = strstr(page, ":root {"), *middle = strstr(page, dark), *end;
  assert_non_null(from);
  assert_non_null(middle);
  end = strstr(middle, rest);
  assert_non_null(end);
  *length = (size_t)(theme == LIGHT ? middle - from : end - middle);
  return theme == LIGHT ? from : middle;
}

static bool find_variable(enum theme theme, const char *name, unsigned long *rgb) {
  size_t length;
  const char *text = sheet(theme, &length);
  char start[64];
  int size = snprintf(start, sizeof start, "--%s: #", name);
  const char *at = strstr(text, start);
  if (!at || at >= text + length) return false;
  *rgb = strtoul(at + size, NULL, 16);
  return true;
}

static struct colour variable(enum theme theme, const char *name) {
  unsigned long rgb;
  if (!find_variable(theme, name, &rgb)) fail_msg("no variable --%s", name);
  return colour_of(rgb);
}

/* The faces that may be on screen together. */
static const char *const sets[][12] = {
    {"group-0", "group-1", "group-2", "group-3", "group-4", "group-5", "group-6", "group-7",
     "group-8", "group-9"},
    {"ramp-0", "ramp-1", "ramp-2", "ramp-3", "ramp-4", "rest-0", "rest-1"},
    {"risk-none", "risk-low", "risk-medium", "risk-high"},
    {"moved", "still", "alone"},
};

#define EACH_FACE(set, k)                               \
  for (size_t set = 0; set < SAMPLE_COUNT(sets); set++) \
    for (size_t k = 0; k < 12 && sets[set][k]; k++)

/* ---------------------------------------------------------------- cases */

static void expect_distance(enum theme theme, const char *a, const char *b) {
  for (size_t i = 0; i < SAMPLE_COUNT(eyes); i++) {
    double found =
        distance(seen_by(&eyes[i], variable(theme, a)), seen_by(&eyes[i], variable(theme, b)));
    if (found < eyes[i].least)
      fail_msg("%s and %s: %.4f for %s, theme %d", a, b, found, eyes[i].name, theme);
  }
}

TEST(categories_can_be_told_apart) {
  for (enum theme theme = LIGHT; theme < THEMES; theme++)
    EACH_FACE(set, k) {
      expect_distance(theme, sets[set][k], "panel");
      for (size_t i = 0; i < k; i++)
        expect_distance(theme, sets[set][i], sets[set][k]);
    }
}

static void expect_contrast(enum theme theme, const char *a, const char *b, double least) {
  double found = contrast(variable(theme, a), variable(theme, b));
  if (found < least) fail_msg("%s and %s: contrast %.2f, theme %d", a, b, found, theme);
}

TEST(text_can_be_read) {
  static const char *const texts[] = {"ink", "muted", "link"}, *const grounds[] = {
                                                                   "page", "panel", "raised",
                                                                   "sunk"};
  for (enum theme theme = LIGHT; theme < THEMES; theme++) {
    EACH_FACE(set, k) expect_contrast(theme, "on-face", sets[set][k], 4.5);
    for (size_t i = 0; i < SAMPLE_COUNT(texts); i++)
      for (size_t k = 0; k < SAMPLE_COUNT(grounds); k++)
        expect_contrast(theme, texts[i], grounds[k], 4.5);
    expect_contrast(theme, "bad", "bad-page", 4.5);
    expect_contrast(theme, "page", "select", 4.5); /* the label of a button that is pressed */
  }
}

TEST(faces_stand_out_in_the_dark) {
  EACH_FACE(set, k) expect_contrast(DARK, sets[set][k], "panel", 3);
}

static const char *const lines[] = {"bound",  "critical", "carrier", "select", "cursor",
                                    "shared", "capacity", "bad",     "taken"};

TEST(lines_can_be_seen_on_every_face) {
  for (enum theme theme = LIGHT; theme < THEMES; theme++)
    for (size_t i = 0; i < SAMPLE_COUNT(lines); i++) {
      expect_contrast(theme, lines[i], "panel", 4.5); /* most also have a label */
      EACH_FACE(set, k) expect_contrast(theme, lines[i], sets[set][k], 3);
    }
}

/* ---------------------------------------------------------------- pictures */

static const char *find_rule(const struct picture *picture, enum theme theme,
                             const char *rule) {
  const char *media = strstr(picture->text, "@media (prefers-color-scheme:dark)");
  assert_non_null(media);
  const char *at = strstr(theme == DARK ? media : picture->text, rule);
  if (!at || (theme == LIGHT && at > media)) fail_msg("no rule %s in theme %d", rule, theme);
  return at;
}

/* The colour of a rule such as ".group0{fill:#8fcffb}". */
static void expect_rule(const struct picture *picture, enum theme theme, const char *rule,
                        const char *name) {
  unsigned long wanted = 0;
  assert_true(find_variable(theme, name, &wanted));
  const char *at = find_rule(picture, theme, rule), *end = strchr(at, '}');
  const char *property = strstr(at + strlen(rule), "stroke:#");
  if (!property || property > end) property = strstr(at, "fill:#");
  assert_non_null(property);
  unsigned long found = strtoul(strchr(property, '#') + 1, NULL, 16);
  if (found != wanted)
    fail_msg("%s has #%06lx, the page #%06lx, theme %d", rule, found, wanted, theme);
}

/* ".group0{" of "group-0", ".none{" of "risk-none". */
static void rule_of(const char *name, char rule[32]) {
  const char *dash = strchr(name, '-');
  if (strncmp(name, "risk", 4) == 0) snprintf(rule, 32, ".%s{", dash + 1);
  else snprintf(rule, 32, ".%.*s%s{", (int)(dash - name), name, dash + 1);
}

TEST(pictures_have_the_colours_of_the_page) {
  static const char *const rules[][2] = {{".bound{", "bound"},
                                         {".capacity{", "capacity"},
                                         {".clash{", "bad"},
                                         {".stack{", "critical"}};
  static const struct sample samples[] = {{0, 10, 1000, 1}};
  neap_problem *problem = sample_problem(samples, 1);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0});
  struct picture picture = picture_of_plan(plan);
  for (enum theme theme = LIGHT; theme < THEMES; theme++) {
    EACH_FACE(set, k) {
      char rule[32];
      if (!strchr(sets[set][k], '-')) continue;
      rule_of(sets[set][k], rule);
      expect_rule(&picture, theme, rule, sets[set][k]);
    }
    for (size_t i = 0; i < SAMPLE_COUNT(rules); i++)
      expect_rule(&picture, theme, rules[i][0], rules[i][1]);
  }
  picture_clear(&picture);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static int read_page(void **state) {
  (void)state;
  page = calloc(page_before_size + page_behind_size + 1, 1);
  if (!page) return -1;
  memcpy(page, page_before, page_before_size);
  memcpy(page + page_before_size, page_behind, page_behind_size);
  return 0;
}

static int forget_page(void **state) {
  (void)state;
  free(page);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(categories_can_be_told_apart),
      cmocka_unit_test(text_can_be_read),
      cmocka_unit_test(faces_stand_out_in_the_dark),
      cmocka_unit_test(lines_can_be_seen_on_every_face),
      cmocka_unit_test(pictures_have_the_colours_of_the_page),
  };
  return cmocka_run_group_tests_name("palette", tests, read_page, forget_page);
}

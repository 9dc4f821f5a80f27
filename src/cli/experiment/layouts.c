/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory is bounded by LAYOUTS_MAX plans, however many settings there are. */
#include "cli/experiment/layouts.h"

#include <stdio.h>
#include <string.h>

/* Characters of a name that fit above a panel. */
#define NAME_FITS 28
#define VALUES_FIT 16 /* beside ", ... (12 runs)" */

bool layout_is_same(const neap_plan *one, const neap_plan *other) {
  size_t count = neap_problem_count(neap_plan_problem(one));
  for (size_t i = 0; i < count; i++)
    if (neap_plan_offset(one, i) != neap_plan_offset(other, i)) return false;
  return true;
}

/* ---------------------------------------------------------------- settings */

/* Only numbers have ranges. */
static bool has_ranges(const struct design *design) {
  return design->factor_count == 1 && design->factors[0].kind != FACTOR_NAMES;
}

/* Adds a setting after all that the layout has. */
static void add_setting(struct layout *layout, const struct design *design, size_t setting) {
  struct layout_span *last =
      layout->span_count > 0 ? &layout->spans[layout->span_count - 1] : NULL;
  layout->runs++;
  if (last && has_ranges(design) && last->last + 1 == setting) last->last = setting;
  else if (layout->span_count < LAYOUT_SPANS)
    layout->spans[layout->span_count++] = (struct layout_span){setting, setting};
}

/* ---------------------------------------------------------------- names */

static void append(char name[LAYOUT_NAME], const char *before, const char *text) {
  size_t used = strlen(name);
  snprintf(name + used, LAYOUT_NAME - used, "%s%.140s", before, text);
}

/* The values of a setting: "5", or "5 · top". */
static void append_values(const struct design *design, size_t setting, const char *before,
                          char name[LAYOUT_NAME]) {
  for (size_t i = 0; i < design->factor_count; i++)
    append(name, i > 0 ? " \xc2\xb7 " : before,
           design->factors[i].texts[design_value(design, setting, i)]);
}

/* Appends the first span, and others while they fit.  Returns the number of their settings. */
static size_t append_spans(const struct layout *layout, const struct design *design,
                           char values[LAYOUT_NAME]) {
  size_t count = 0;
  for (size_t i = 0; i < layout->span_count; i++) {
    const struct layout_span *span = &layout->spans[i];
    char text[LAYOUT_NAME] = "";
    append_values(design, span->first, i > 0 ? ", " : "", text);
    if (span->last > span->first) append_values(design, span->last, "-", text);
    if (i > 0 && strlen(values) + strlen(text) > VALUES_FIT) break;
    append(values, "", text);
    count += span->last - span->first + 1;
  }
  return count;
}

/* "4-10 (7 runs)", "1, 3, ... (9 runs)" */
static void write_name(struct layout *layout, const struct design *design) {
  const char *option = design->factors[0].name;
  char values[LAYOUT_NAME] = "", runs[32] = "";
  size_t named = append_spans(layout, design, values);
  if (named < layout->runs) append(values, ", ", "...");
  if (layout->runs > 1) snprintf(runs, sizeof runs, " (%zu runs)", layout->runs);
  append(values, runs, "");
  layout->name[0] = '\0';
  if (design->factor_count == 1 && strlen(option) + strlen(values) < NAME_FITS)
    append(layout->name, option, " ");
  append(layout->name, "", values);
}

/* ---------------------------------------------------------------- layouts */

/* Drops every other layout, but not the first. */
static void thin_out(struct layouts *layouts) {
  size_t kept = 0;
  for (size_t i = 0; i < layouts->count; i++)
    if (i % 2 == 0) layouts->list[kept++] = layouts->list[i];
    else neap_plan_free(layouts->list[i].plan);
  layouts->count = kept;
}

void layouts_add(struct layouts *layouts, const struct design *design, size_t setting,
                 neap_plan *plan) {
  for (size_t i = 0; i < layouts->count; i++)
    if (layout_is_same(layouts->list[i].plan, plan)) {
      add_setting(&layouts->list[i], design, setting);
      neap_plan_free(plan);
      return;
    }
  if (layouts->count == LAYOUTS_MAX) thin_out(layouts);
  struct layout *layout = &layouts->list[layouts->count++];
  *layout = (struct layout){.plan = plan};
  add_setting(layout, design, setting);
}

void layouts_clear(struct layouts *layouts) {
  for (size_t i = 0; i < layouts->count; i++)
    neap_plan_free(layouts->list[i].plan);
  layouts->count = 0;
}

size_t layouts_panels(struct layouts *layouts, const struct design *design,
                      neap_panel panels[NEAP_PANELS_MAX]) {
  size_t all = layouts->count;
  size_t count = all < NEAP_PANELS_MAX ? all : NEAP_PANELS_MAX;
  for (size_t i = 0; i < count; i++) {
    struct layout *layout = &layouts->list[count > 1 ? i * (all - 1) / (count - 1) : 0];
    write_name(layout, design);
    panels[i] = (neap_panel){layout->plan, layout->name};
  }
  return count;
}

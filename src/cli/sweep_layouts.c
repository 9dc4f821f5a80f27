/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory is bounded by LAYOUTS_MAX plans, however many settings there are. */
#include "cli/sweep_layouts.h"

#include <stdio.h>
#include <string.h>

/* Characters of a name that fit above a panel beside "+12 more". */
#define NAME_FITS 20

static bool is_same_layout(const neap_plan *one, const neap_plan *other) {
  size_t count = neap_problem_count(neap_plan_problem(one));
  for (size_t i = 0; i < count; i++)
    if (neap_plan_offset(one, i) != neap_plan_offset(other, i)) return false;
  return true;
}

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

/* Names one more setting with this layout, or counts it if there is no room. */
static void name_setting(struct layout *layout, const struct design *design, size_t setting) {
  char values[LAYOUT_NAME] = "";
  append_values(design, setting, ", ", values);
  if (layout->more > 0 || strlen(layout->name) + strlen(values) > NAME_FITS) layout->more++;
  else strcat(layout->name, values);
}

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
    if (is_same_layout(layouts->list[i].plan, plan)) {
      name_setting(&layouts->list[i], design, setting);
      neap_plan_free(plan);
      return;
    }
  if (layouts->count == LAYOUTS_MAX) thin_out(layouts);
  struct layout *layout = &layouts->list[layouts->count++];
  *layout = (struct layout){.plan = plan};
  const char *option = design->factors[0].name;
  char values[LAYOUT_NAME] = "";
  append_values(design, setting, "", values);
  if (design->factor_count == 1 && strlen(option) + strlen(values) <= NAME_FITS)
    append(layout->name, option, " ");
  strcat(layout->name, values);
}

void layouts_clear(struct layouts *layouts) {
  for (size_t i = 0; i < layouts->count; i++)
    neap_plan_free(layouts->list[i].plan);
  layouts->count = 0;
}

size_t layouts_panels(struct layouts *layouts, neap_panel panels[NEAP_PANELS_MAX]) {
  size_t all = layouts->count;
  size_t count = all < NEAP_PANELS_MAX ? all : NEAP_PANELS_MAX;
  for (size_t i = 0; i < count; i++) {
    char more[32];
    struct layout *layout = &layouts->list[count > 1 ? i * (all - 1) / (count - 1) : 0];
    snprintf(more, sizeof more, " +%zu more", layout->more);
    if (layout->more > 0) append(layout->name, more, "");
    panels[i] = (neap_panel){layout->plan, layout->name};
  }
  return count;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/layout/signs.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "facts/relation_text.h"
#include "facts/shared_bytes.h"
#include "viz/svg/label.h"
#include "viz/svg/style.h"

#define SIGNS_MOST 2000 /* of each kind; more would only make the picture large */

/* ---------------------------------------------------------------- finding signs */

static neap_status list_shares(struct signs *signs, const struct placement *placement,
                               const struct shared_bytes *sharing, neap_error *error) {
  size_t most = sharing->count / 2 < SIGNS_MOST ? sharing->count / 2 : SIGNS_MOST;
  signs->shares = memory_array(most, sizeof *signs->shares);
  if (!signs->shares) return error_memory(error);
  for (size_t i = 0; i < sharing->count && signs->share_count < most; i++) {
    const struct sharing_pair *pair = &sharing->pairs[i];
    struct signs_share share = {
        .first = pair->buffer, .second = pair->partner, .by_overlap = pair->by_overlap};
    if (pair->buffer > pair->partner ||
        !placement_together(placement, pair->buffer, pair->partner, &share.when) ||
        !placement_shared(placement, pair->buffer, pair->partner, &share.low, &share.high))
      continue;
    signs->shares[signs->share_count++] = share;
    if (pair->by_overlap) signs->has_overlaps = true;
    else signs->has_exclusions = true;
  }
  if (!signs->has_exclusions) return NEAP_OK;
  signs->is_unnamed = memory_array(signs->plan->problem->count, sizeof *signs->is_unnamed);
  if (!signs->is_unnamed) return error_memory(error);
  for (size_t i = 0; i < signs->share_count; i++)
    if (!signs->shares[i].by_overlap)
      signs->is_unnamed[signs->shares[i].first] = signs->is_unnamed[signs->shares[i].second] =
          true;
  return NEAP_OK;
}

static void widen_body(struct signs_body *body, const struct neap_plan *plan, size_t buffer) {
  neap_range hull = problem_hull(plan->problem, buffer);
  neap_offset low = plan->offsets[buffer], high = plan_end(plan, buffer);
  if (body->count == 0)
    *body = (struct signs_body){.first = buffer, .low = low, .high = high, .when = hull};
  if (low < body->low) body->low = low;
  if (high > body->high) body->high = high;
  if (hull.start < body->when.start) body->when.start = hull.start;
  if (hull.end > body->when.end) body->when.end = hull.end;
  body->count++;
}

static neap_status list_bodies(struct signs *signs, const size_t *of, neap_error *error) {
  size_t count = of ? signs->plan->problem->count : 0;
  signs->bodies = memory_array(count, sizeof *signs->bodies);
  if (!signs->bodies) return error_memory(error);
  for (size_t i = 0; i < count; i++)
    if (of[i] != SHARING_ALONE) widen_body(&signs->bodies[of[i]], signs->plan, i);
  for (size_t i = 0; i < count && signs->body_count < SIGNS_MOST; i++)
    if (signs->bodies[i].count > 1) signs->bodies[signs->body_count++] = signs->bodies[i];
  return NEAP_OK;
}

static void find_bank(struct signs *signs) {
  const struct neap_problem *problem = signs->plan->problem;
  for (size_t i = 0; i < problem->count; i++) {
    neap_size bank = problem_limits(problem, i)->bank;
    if (bank > 0 && (signs->bank == 0 || bank < signs->bank)) signs->bank = bank;
  }
  const neap_relation *relation = NULL;
  while ((relation = problem_next_relation(problem, RELATION_BANKS, relation)))
    if (signs->bank == 0 || relation->bytes < signs->bank) signs->bank = relation->bytes;
}

neap_status signs_init(struct signs *signs, const struct neap_plan *plan,
                       const struct soundness *soundness, neap_error *error) {
  *signs = (struct signs){.plan = plan, .broken = &soundness->broken};
  for (size_t i = 0; i < plan->problem->count && !signs->has_fixed; i++)
    signs->has_fixed = plan->problem->buffers[i].fixed_offset != NEAP_UNPLACED;
  if (!plan->problem->relations) return NEAP_OK;
  const struct placement placement = {plan->problem, plan->offsets, plan->pools};
  struct shared_bytes sharing;
  neap_status status = shared_bytes_init(&sharing, &placement, error);
  if (status != NEAP_OK) return status;
  status = list_shares(signs, &placement, &sharing, error);
  if (status == NEAP_OK) status = list_bodies(signs, sharing.bodies, error);
  shared_bytes_clear(&sharing);
  find_bank(signs);
  if (status == NEAP_OK && !relation_index_init(&signs->bonds, plan->problem, RELATION_ANY))
    status = error_memory(error);
  return status;
}

void signs_clear(struct signs *signs) {
  relation_index_clear(&signs->bonds);
  free(signs->shares);
  free(signs->is_unnamed);
  free(signs->bodies);
  *signs = (struct signs){0};
}

bool signs_any(const struct signs *signs) {
  const struct relations *relations = signs->plan->problem->relations;
  return signs->has_fixed || (relations && (relations->reserved_count > 0 || signs->bank > 0 ||
                                            signs->share_count > 0 || signs->body_count > 0 ||
                                            signs->broken->count > 0));
}

neap_offset signs_reserved_top(const struct signs *signs, size_t pool) {
  neap_offset top = 0;
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  for (size_t i = 0; neap_problem_reserved_at(signs->plan->problem, i, &reserved); i++)
    if (reserved.pool == pool && reserved.high > top) top = reserved.high;
  return top;
}

/* ---------------------------------------------------------------- rectangles */

static int64_t clamp(int64_t value, const struct axis *axis) {
  return value < axis->low ? axis->low : value > axis->high ? axis->high : value;
}

/* Starts a rectangle, to which a title can be added; false if it is out of sight. */
static bool start_mark(const struct surface *surface, const char *class, neap_range when,
                       neap_offset low, neap_offset high) {
  int left = axis_at(surface->across, clamp(when.start, surface->across)),
      right = axis_at(surface->across, clamp(when.end, surface->across));
  int bottom = axis_at(surface->up, clamp(low, surface->up)),
      top = axis_at(surface->up, clamp(high, surface->up));
  if (left >= right || top >= bottom) return false;
  svg_rectangle_start(surface->svg, class, left, top, right - left, bottom - top);
  return true;
}

static void end_mark(struct svg *svg, const char *title) {
  svg_title(svg, title);
  svg_end(svg);
}

/* Writes words in the middle of an area; false, with nothing written, if the area is too small. */
static bool name_area(const struct surface *surface, const char *class, neap_range when,
                      neap_offset low, neap_offset high, const char *words) {
  int left = axis_at(surface->across, clamp(when.start, surface->across)),
      right = axis_at(surface->across, clamp(when.end, surface->across));
  int bottom = axis_at(surface->up, clamp(low, surface->up)),
      top = axis_at(surface->up, clamp(high, surface->up));
  int x = left + (right - left) / 2, y = top + (bottom - top) / 2 + 4 * SVG_PIXEL;
  int width = label_width(words, STYLE_SMALL);
  char style[64];
  if (bottom - top < 14 * SVG_PIXEL || width > right - left) return false;
  snprintf(style, sizeof style, "%s middle outlined", class);
  svg_label(surface->svg, style, x, y, words);
  if (surface->keepouts) avoid_add_words(surface->keepouts, x, y, width, STYLE_SMALL);
  return true;
}

/* ---------------------------------------------------------------- below the buffers */

static void draw_reserved(const struct signs *signs, const struct surface *surface) {
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  for (size_t i = 0;
       i < SIGNS_MOST && neap_problem_reserved_at(signs->plan->problem, i, &reserved); i++) {
    bool always = reserved.when.start == 0 && reserved.when.end == NEAP_MAX;
    char text[128];
    if (reserved.pool != surface->pool ||
        !start_mark(surface, "reserved", reserved.when, reserved.low, reserved.high))
      continue;
    int used = snprintf(text, sizeof text, "reserved bytes [%" PRId64 ", %" PRId64 ")%s",
                        reserved.low, reserved.high, always ? ", always" : "");
    if (!always)
      snprintf(text + used, sizeof text - (size_t)used, ", at times [%" PRId64 ", %" PRId64 ")",
               reserved.when.start, reserved.when.end);
    end_mark(surface->svg, text);
    name_area(surface, "note", reserved.when, reserved.low, reserved.high, "reserved");
  }
}

#define BANKS_MOST 64 /* lines; more would be a grey area */

bool signs_show_banks(const struct signs *signs, const struct axis *up) {
  return signs->bank > 0 && signs->bank <= up->high && up->high / signs->bank <= BANKS_MOST;
}

static void draw_banks(const struct signs *signs, const struct surface *surface,
                       const struct frame *frame) {
  if (!signs_show_banks(signs, surface->up)) return;
  for (neap_offset at = signs->bank; at <= surface->up->high; at += signs->bank) {
    int y = axis_at(surface->up, at);
    svg_line(surface->svg, "bank", frame->left, y, frame->right, y);
    if (at > surface->up->high - signs->bank) break;
  }
}

void signs_draw_ground(const struct signs *signs, const struct surface *surface,
                       const struct frame *frame) {
  if (!signs_any(signs)) return;
  svg_group(surface->svg, "ground");
  draw_reserved(signs, surface);
  draw_banks(signs, surface, frame);
  svg_end(surface->svg);
}

/* ---------------------------------------------------------------- above the buffers */

/* The first relation with one of the effects between the buffers of a share; NULL: none. */
static const neap_relation *find_bond(const struct signs *signs, unsigned effects,
                                      const struct signs_share *share) {
  const struct related related = relation_index_of(&signs->bonds, share->first);
  for (size_t r = 0; r < related.count; r++)
    if (relation_has(related.items[r], effects) &&
        relation_other(related.items[r], share->first) == share->second)
      return related.items[r];
  return NULL;
}

/* The relation that allows two buffers to share bytes. */
static void describe_share(const struct signs *signs, const struct signs_share *share,
                           char text[RELATION_TEXT + 64]) {
  const struct neap_problem *problem = signs->plan->problem;
  char bytes[TEXT_BYTES];
  int used = snprintf(text, 64, "%s shared", text_bytes(bytes, share->high - share->low));
  const neap_relation *relation =
      find_bond(signs, share->by_overlap ? RELATION_GAP : RELATION_FREES, share);
  char words[RELATION_TEXT];
  if (relation)
    snprintf(text + used, RELATION_TEXT + 64 - (size_t)used, ", as allowed by %s",
             relation_text(problem, relation, words));
}

/*
 * Names the bytes of two buffers: "then / else: 600 B".  With less room, the bytes of an exclusion
 * get "#3 / #4", as nothing else names them, and those of an overlap only their number.
 */
static void name_share(const struct signs *signs, const struct surface *surface,
                       const struct signs_share *share) {
  char first[LABEL_BYTES], second[LABEL_BYTES], bytes[TEXT_BYTES],
      text[2 * LABEL_BYTES + TEXT_BYTES + 8], less[2 * TEXT_DECIMAL + 8];
  const struct neap_problem *problem = signs->plan->problem;
  text_bytes(bytes, share->high - share->low);
  snprintf(text, sizeof text, "%s / %s: %s",
           label_clean(problem_name(problem, share->first), first),
           label_clean(problem_name(problem, share->second), second), bytes);
  snprintf(less, sizeof less, "#%zu / #%zu", share->first, share->second);
  if (!name_area(surface, "name", share->when, share->low, share->high, text))
    name_area(surface, "name", share->when, share->low, share->high,
              share->by_overlap ? bytes : less);
}

static void draw_shares(const struct signs *signs, const struct surface *surface) {
  for (size_t i = 0; i < signs->share_count; i++) {
    const struct signs_share *share = &signs->shares[i];
    char text[RELATION_TEXT + 64];
    if (neap_plan_pool(signs->plan, share->first) != surface->pool ||
        !start_mark(surface, share->by_overlap ? "shared" : "excluded", share->when, share->low,
                    share->high))
      continue;
    describe_share(signs, share, text);
    end_mark(surface->svg, text);
    name_share(signs, surface, share);
  }
}

static void draw_bodies(const struct signs *signs, const struct surface *surface) {
  for (size_t i = 0; i < signs->body_count; i++) {
    const struct signs_body *body = &signs->bodies[i];
    const char *name = problem_name(signs->plan->problem, body->first);
    char text[2 * TEXT_EXCERPT + 64], excerpt[TEXT_EXCERPT];
    if (neap_plan_pool(signs->plan, body->first) != surface->pool ||
        !start_mark(surface, "body", body->when, body->low, body->high))
      continue;
    snprintf(text, sizeof text, "%zu colocated buffers, %s and others", body->count,
             text_excerpt(excerpt, name, strlen(name)));
    end_mark(surface->svg, text);
  }
}

static void draw_broken(const struct signs *signs, const struct surface *surface, size_t buffer,
                        const struct relation_fault *fault) {
  const struct neap_problem *problem = signs->plan->problem;
  neap_range when = problem_hull(problem, buffer);
  neap_offset low = signs->plan->offsets[buffer], high = plan_end(signs->plan, buffer);
  if (!start_mark(surface, "broken", when, low, high)) return;
  end_mark(surface->svg, fault->text);
  int x = axis_at(surface->across, when.start) + 4 * SVG_PIXEL,
      y = axis_at(surface->up, clamp(high, surface->up)) + 11 * SVG_PIXEL;
  int width = label_width(fault->name, STYLE_SMALL);
  svg_label(surface->svg, "note fault outlined", x, y, fault->name);
  avoid_add_words(surface->keepouts, x + width / 2, y, width, STYLE_SMALL);
}

static void draw_faults(const struct signs *signs, const struct surface *surface) {
  for (size_t i = 0; i < signs->broken->count; i++) {
    const struct relation_fault *fault = &signs->broken->items[i];
    if (neap_plan_pool(signs->plan, fault->first) == surface->pool)
      draw_broken(signs, surface, fault->first, fault);
    if (fault->second != SIZE_MAX &&
        neap_plan_pool(signs->plan, fault->second) == surface->pool)
      draw_broken(signs, surface, fault->second, fault);
  }
}

/* Draws a pin in the lower left corner of each buffer with a fixed offset, if there is room. */
static void draw_pins(const struct signs *signs, const struct surface *surface) {
  const struct neap_plan *plan = signs->plan;
  size_t drawn = 0;
  for (size_t i = 0; signs->has_fixed && i < plan->problem->count && drawn < SIGNS_MOST; i++) {
    if (plan->problem->buffers[i].fixed_offset == NEAP_UNPLACED ||
        neap_plan_pool(plan, i) != surface->pool)
      continue;
    neap_range when = plan->problem->ranges[problem_ranges_begin(plan->problem, i)];
    int left = axis_at(surface->across, when.start), right = axis_at(surface->across, when.end);
    int bottom = axis_at(surface->up, clamp(plan->offsets[i], surface->up)),
        top = axis_at(surface->up, clamp(plan_end(plan, i), surface->up));
    if (right - left < 2 * SIGNS_PIN || bottom - top < SIGNS_PIN * 3 / 2) continue;
    int x = left + 300, y = bottom - 300 - SIGNS_PIN;
    svg_rectangle(surface->svg, "fixed", x, y, SIGNS_PIN, SIGNS_PIN);
    avoid_add(surface->keepouts, &(struct frame){x, y, x + SIGNS_PIN, y + SIGNS_PIN});
    drawn++;
  }
}

void signs_draw(const struct signs *signs, const struct surface *surface) {
  if (!signs_any(signs)) return;
  svg_group(surface->svg, "signs");
  draw_shares(signs, surface);
  draw_bodies(signs, surface);
  draw_pins(signs, surface);
  draw_faults(signs, surface);
  svg_end(surface->svg);
}

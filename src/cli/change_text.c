/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/change_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/figures.h"
#include "neap-tool.h"
#include "neap/relations.h"

#define QUOTED_SIZE (FIGURE_NAME_SIZE + 2)
#define MOMENT_SIZE 128

struct names {
  char buffer[QUOTED_SIZE], other[QUOTED_SIZE];
};

static void quote(char text[QUOTED_SIZE], const neap_problem *problem, size_t index) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  char name[FIGURE_NAME_SIZE];
  text[0] = '\0';
  if (index != NEAP_NO_BUFFER && neap_problem_buffer_at(problem, index, &buffer))
    snprintf(text, QUOTED_SIZE, "'%s'", figure_name(name, buffer.name));
}

/* "12", or "12 (after CONV_2D)" with an operator that runs then or ends then. */
static const char *describe_moment(char text[MOMENT_SIZE], const neap_problem *problem,
                                   neap_time moment, const char *word, neap_time operator) {
  const char *name = operator>= 0 ? neap_problem_operator_type(problem, operator) : "";
  if (*name) snprintf(text, MOMENT_SIZE, "%" PRId64 " (%s %.60s)", moment, word, name);
  else snprintf(text, MOMENT_SIZE, "%" PRId64, moment);
  return text;
}

static void describe_lifetime(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                              const neap_change *change, const char *buffer) {
  char to[MOMENT_SIZE], from[MOMENT_SIZE];
  if (change->kind == NEAP_CHANGE_END)
    snprintf(text, CHANGE_TEXT_SIZE, "free %s at %s instead of at %s", buffer,
             describe_moment(to, problem, change->time, "after", change->time - 1),
             describe_moment(from, problem, change->was, "after", change->was - 1));
  else
    snprintf(text, CHANGE_TEXT_SIZE, "allocate %s at %s instead of at %s", buffer,
             describe_moment(to, problem, change->time, "for", change->time),
             describe_moment(from, problem, change->was, "for", change->was));
}

static void describe_size(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                          const neap_change *change, const char *name) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  char less[FIGURE_SIZE];
  neap_problem_buffer_at(problem, change->buffer, &buffer);
  figure_count(less, (uint64_t)change->bytes, "byte");
  if (change->bytes == buffer.size)
    snprintf(text, CHANGE_TEXT_SIZE, "remove %s (%s)", name, less);
  else
    snprintf(text, CHANGE_TEXT_SIZE, "make %s %s smaller: %" PRId64 " instead of %" PRId64,
             name, less, buffer.size - change->bytes, buffer.size);
}

static void describe_relation(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                              const neap_change *change, const struct names *names) {
  neap_relation relation = NEAP_INIT(neap_relation);
  char kind[64] = "relation";
  if (neap_problem_relation_at(problem, change->index, &relation))
    snprintf(kind, sizeof kind, "%s", neap_relation_kind_name(relation.kind));
  for (char *at = kind; (at = strchr(at, '_')) != NULL;)
    *at = ' ';
  snprintf(text, CHANGE_TEXT_SIZE, "drop the %s of %s and %s", kind, names->buffer,
           names->other);
}

static void describe_reserved(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                              const neap_change *change) {
  neap_reserved reserved = {.struct_size = sizeof(neap_reserved), .pool = 0};
  neap_problem_reserved_at(problem, change->index, &reserved);
  snprintf(text, CHANGE_TEXT_SIZE, "free the reserved bytes %" PRId64 " to %" PRId64,
           reserved.low, reserved.high);
}

static void describe_capacity(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                              const neap_change *change) {
  neap_pool pool = NEAP_INIT(neap_pool);
  char name[FIGURE_NAME_SIZE], more[FIGURE_SIZE];
  figure_count(more, (uint64_t)change->bytes, "byte");
  if (neap_problem_pool_at(problem, change->index, &pool))
    snprintf(text, CHANGE_TEXT_SIZE, "make pool '%s' %s larger", figure_name(name, pool.name),
             more);
  else snprintf(text, CHANGE_TEXT_SIZE, "make the capacity %s larger", more);
}

static void describe_overlap(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                             const neap_change *change, const struct names *names) {
  neap_buffer output = NEAP_INIT(neap_buffer);
  char shared[FIGURE_SIZE];
  figure_count(shared, (uint64_t)change->bytes, "byte");
  neap_problem_buffer_at(problem, change->buffer, &output);
  const char *operator= neap_problem_operator_type(problem, output.ranges[0].start);
  snprintf(text, CHANGE_TEXT_SIZE, "let %s overlap %s by %s%s%.60s", names->buffer,
           names->other, shared, *operator? " in " : "", operator);
}

const char *change_text(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                        const neap_change *change) {
  struct names names;
  neap_buffer buffer = NEAP_BUFFER_INIT;
  quote(names.buffer, problem, change->buffer);
  quote(names.other, problem, change->other);
  if (change->buffer != NEAP_NO_BUFFER)
    neap_problem_buffer_at(problem, change->buffer, &buffer);
  switch (change->kind) {
  case NEAP_CHANGE_ALIGNMENT:
    snprintf(text, CHANGE_TEXT_SIZE, "align %s to %" PRId64 " instead of %" PRId64,
             names.buffer, change->bytes, buffer.alignment);
    break;
  case NEAP_CHANGE_FIXED:
    snprintf(text, CHANGE_TEXT_SIZE, "let %s leave its fixed offset %" PRId64, names.buffer,
             buffer.fixed_offset);
    break;
  case NEAP_CHANGE_WINDOW:
    snprintf(text, CHANGE_TEXT_SIZE, "drop the window of %s", names.buffer);
    break;
  case NEAP_CHANGE_BANK:
    snprintf(text, CHANGE_TEXT_SIZE, "drop the bank of %s", names.buffer);
    break;
  case NEAP_CHANGE_RELATION:
    describe_relation(text, problem, change, &names);
    break;
  case NEAP_CHANGE_RESERVED:
    describe_reserved(text, problem, change);
    break;
  case NEAP_CHANGE_OVERLAP:
    describe_overlap(text, problem, change, &names);
    break;
  case NEAP_CHANGE_SIZE:
    describe_size(text, problem, change, names.buffer);
    break;
  case NEAP_CHANGE_END:
  case NEAP_CHANGE_START:
    describe_lifetime(text, problem, change, names.buffer);
    break;
  case NEAP_CHANGE_CAPACITY:
    describe_capacity(text, problem, change);
    break;
  }
  return text;
}

const char *change_text_fix(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                            const neap_fix *fix) {
  change_text(text, problem, &fix->changes[0]);
  for (size_t c = 1; c < fix->change_count; c++) {
    char next[CHANGE_TEXT_SIZE];
    size_t used = strlen(text);
    change_text(next, problem, &fix->changes[c]);
    snprintf(text + used, CHANGE_TEXT_SIZE - used, " and %s", next);
  }
  return text;
}

bool change_needs_kernels(const neap_fix *fix) {
  return fix->changes[0].kind == NEAP_CHANGE_OVERLAP;
}

const char *change_text_cost(char text[CHANGE_TEXT_SIZE], const neap_fix *fix) {
  char bytes[FIGURE_SIZE];
  if (change_needs_kernels(fix)) snprintf(text, CHANGE_TEXT_SIZE, "other kernels");
  else if (fix->cost == 0) snprintf(text, CHANGE_TEXT_SIZE, "a constraint");
  else
    snprintf(text, CHANGE_TEXT_SIZE, "%s%s", figure_unit(bytes, fix->cost),
             fix->is_area ? " x steps" : "");
  return text;
}

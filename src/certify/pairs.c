/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clauses that search/orienter learns on the way to a contradiction are the proof: a program that
 * draws the same conclusions can follow them one after another.
 */
#include "certify/pairs.h"

#include "core/checked.h"
#include "core/error.h"
#include "search/orienter.h"

/* The most words of clauses. */
#define WORDS_MOST 1000000

/* Offsets of all buffers are multiples of this. */
static neap_size common_alignment(const struct certify_task *task, const struct part *part) {
  neap_size common = 0;
  for (size_t i = 0; i < part->count; i++)
    common = common_divisor(task->problem->buffers[part->buffer[i]].alignment, common);
  return common;
}

/* Whether the part rounds sizes up to the common alignment, as the proof does, and not further. */
static bool rounds_alike(const struct certify_task *task, const struct part *part) {
  neap_size common = common_alignment(task, part);
  for (size_t i = 0; i < part->count; i++) {
    neap_size size = task->problem->buffers[part->buffer[i]].size;
    if (round_up(size, common) != part->size[i] * part->unit) return false;
  }
  return true;
}

static void print_columns(const struct certify_task *task, const struct part *part) {
  for (uint32_t c = 0; c < part->column_count; c++) {
    lines_word(task->proof, "clique");
    for (size_t i = 0; i < part->count; i++)
      if (part_is_in(part, i, c)) lines_number(task->proof, certify_number(task, part->buffer[i]));
    lines_end(task->proof);
  }
}

static void print_clauses(const struct certify_task *task, const struct part *part,
                          const uint32_t *words, size_t count) {
  for (size_t at = 0; at < count; at += 1 + 2 * words[at]) {
    lines_word(task->proof, "below");
    for (uint32_t i = 1; i <= 2 * words[at]; i++)
      lines_number(task->proof, certify_number(task, part->buffer[words[at + i]]));
    lines_end(task->proof);
  }
}

static void print_proof(const struct certify_task *task, const struct part *part,
                        const struct orienter *orienter) {
  size_t count, clauses = 0;
  const uint32_t *words = orienter_clauses(orienter, &count);
  for (size_t at = 0; at < count; at += 1 + 2 * words[at])
    clauses++;
  lines_word(task->proof, "pairs");
  lines_number(task->proof, (int64_t)clauses);
  lines_end(task->proof);
  print_columns(task, part);
  print_clauses(task, part, words, count);
}

/* Restarts until the capacity is refuted, there is a layout, or a limit is reached. */
static enum verdict search(struct orienter *orienter, neap_size capacity,
                           struct budget *budget) {
  enum verdict verdict = VERDICT_OPEN;
  for (size_t count = 0; verdict == VERDICT_OPEN && count < WORDS_MOST;) {
    verdict = orienter_restart(orienter, capacity, budget);
    orienter_clauses(orienter, &count);
  }
  return verdict;
}

static neap_status prove_part(struct certify_task *task, const struct part *part,
                              neap_error *error) {
  struct rules rules = RULES_ALL;
  struct orienter *orienter;
  neap_size step = part_step(part), target = round_up(task->target, step) / step;
  rules.twins = false; /* conclusions alone do not break symmetries */
  if (!rounds_alike(task, part)) return NEAP_OK;
  if (!orienter_new(&orienter, part, rules)) return error_memory(error);
  if (!orienter) return NEAP_OK;
  orienter_record(orienter, target);
  enum verdict verdict = search(orienter, target - 1, task->budget);
  if (verdict == VERDICT_REFUTED) {
    task->least = task->target;
    task->kind = NEAP_CERTIFICATE_PAIRS;
    print_proof(task, part, orienter);
  }
  orienter_free(orienter);
  return verdict == VERDICT_MEMORY ? error_memory(error) : NEAP_OK;
}

neap_status pairs_prove(struct certify_task *task, neap_error *error) {
  struct parts parts = {0};
  neap_status status = parts_init(&parts, task->problem, error);
  for (size_t p = 0; p < parts.count && status == NEAP_OK && task->least == 0; p++)
    status = prove_part(task, &parts.items[p], error);
  parts_clear(&parts);
  return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/json/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/json/report.h"
#include "model/moves.h"
#include "model/problem.h"

/* ---------------------------------------------------------------- reading moves */

static neap_status read_offset(const struct json_at *at, neap_offset low, neap_size size,
                               neap_offset *offset, neap_error *error) {
  neap_status status = json_read_number(at, low, offset, error);
  if (status != NEAP_OK || *offset <= NEAP_MAX - size) return status;
  return json_blame(at, error, "expected an offset of at most %" PRId64 ", found %" PRId64,
                    NEAP_MAX - size, *offset);
}

static neap_status read_outcome(const struct json_at *at, neap_move_outcome *outcome,
                                neap_error *error) {
  const char *name;
  neap_status status = json_read_string(at, &name, error);
  if (status != NEAP_OK) return status;
  for (int i = NEAP_MOVE_LOWERED; i <= NEAP_MOVE_OPEN; i++)
    if (strcmp(neap_move_outcome_name((neap_move_outcome)i), name) == 0) {
      *outcome = (neap_move_outcome)i;
      return NEAP_OK;
    }
  char excerpt[TEXT_EXCERPT];
  return json_blame(at, error, "expected lowered, refuted or open, found %s",
                    text_excerpt(excerpt, name, strlen(name)));
}

/* Reads an index of a buffer, at least `low`. */
static neap_status read_index(const struct json_at *at, size_t low, size_t count, size_t *index,
                              neap_error *error) {
  int64_t number;
  neap_status status = json_read_number(at, (int64_t)low, &number, error);
  if (status != NEAP_OK) return status;
  if ((uint64_t)number >= count)
    return json_blame(at, error, "expected the index of one of %zu buffers, found %" PRId64,
                      count, number);
  *index = (size_t)number;
  return NEAP_OK;
}

static neap_status read_members(const struct json_at *at, const neap_problem *problem,
                                size_t count, uint32_t *members, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at member = json_element(at, i);
    size_t index = 0;
    status = read_index(&member, i > 0 ? members[i - 1] + (size_t)1 : 0, problem->count, &index,
                        error);
    members[i] = (uint32_t)index;
  }
  return status;
}

static neap_status read_offsets(const struct json_at *at, const neap_problem *problem,
                                const neap_move *move, neap_offset *offsets,
                                neap_error *error) {
  size_t count;
  neap_status status = json_read_array(at, &count, error);
  if (status == NEAP_OK && count != move->member_count)
    return json_blame(at, error, "expected one offset for each of %zu members, found %zu",
                      move->member_count, count);
  for (size_t i = 0; i < move->member_count && status == NEAP_OK; i++) {
    struct json_at offset = json_element(at, i);
    status =
        read_offset(&offset, 0, problem->buffers[move->members[i]].size, &offsets[i], error);
  }
  return status;
}

/* Reads the members and offsets of a move, if it has any; the arrays belong to the move. */
static neap_status read_arrays(const struct json_at *at, const neap_problem *problem,
                               neap_move *move, neap_error *error) {
  struct json_at list = json_member(at, "members"), places = json_member(at, "offsets");
  if (places.value && (!list.value || move->outcome != NEAP_MOVE_LOWERED))
    return json_blame(&places, error,
                      "expected no offsets for a move without members or that lowered nothing");
  if (!list.value) return NEAP_OK;
  size_t count;
  neap_status status = json_read_array(&list, &count, error);
  if (status == NEAP_OK && count != move->member_count)
    return json_blame(&list, error, "expected %zu members, found %zu", move->member_count,
                      count);
  if (status != NEAP_OK) return status;
  uint32_t *members = memory_array(count, sizeof *members);
  move->members = members;
  if (!members) return error_memory(error);
  status = read_members(&list, problem, count, members, error);
  if (status != NEAP_OK || !places.value) return status;
  neap_offset *offsets = memory_array(count, sizeof *offsets);
  move->offsets = offsets;
  return offsets ? read_offsets(&places, problem, move, offsets, error) : error_memory(error);
}

static neap_status read_numbers(const struct json_at *at, const neap_problem *problem,
                                neap_move *move, neap_error *error) {
  struct json_at blamed = json_member(at, "blamed"), top = json_member(at, "top");
  struct json_at target = json_member(at, "target"), outcome = json_member(at, "outcome");
  struct json_at members = json_member(at, "member_count");
  int64_t count = 0;
  neap_status status = NEAP_OK;
  move->blamed = NEAP_NO_BUFFER;
  if (blamed.value) status = read_index(&blamed, 0, problem->count, &move->blamed, error);
  if (status == NEAP_OK) status = json_read_number(&top, 0, &move->top, error);
  if (status == NEAP_OK) status = json_read_number(&target, 0, &move->target, error);
  if (status == NEAP_OK) status = read_outcome(&outcome, &move->outcome, error);
  if (status == NEAP_OK) status = json_read_number(&members, 0, &count, error);
  move->member_count = (size_t)count;
  return status;
}

static neap_status read_move(const struct json_at *at, const neap_problem *problem,
                             struct moves *moves, neap_error *error) {
  static const char *const keys[] = {"blamed",       "top",     "target",  "outcome",
                                     "member_count", "members", "offsets", NULL};
  neap_move move = {0};
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = read_numbers(at, problem, &move, error);
  if (status == NEAP_OK) status = read_arrays(at, problem, &move, error);
  if (status == NEAP_OK && !moves_add(moves, &move)) status = error_memory(error);
  free((uint32_t *)move.members);
  free((neap_offset *)move.offsets);
  return status;
}

static neap_status read_moves(const struct json_at *at, const neap_problem *problem,
                              neap_round *round, neap_error *error) {
  struct moves moves = {.most = SIZE_MAX, .room = SIZE_MAX};
  neap_move *list = NULL;
  size_t count;
  if (!at->value) return NEAP_OK;
  neap_status status = json_read_array(at, &count, error);
  for (size_t i = 0; status == NEAP_OK && i < count; i++) {
    struct json_at move = json_element(at, i);
    status = read_move(&move, problem, &moves, error);
  }
  if (status == NEAP_OK && !moves_copy(moves.items, moves.count, &list))
    status = error_memory(error);
  if (list) round->move_count = moves.count;
  round->moves = list;
  moves_clear(&moves);
  return status;
}

/* ---------------------------------------------------------------- reading rounds */

static neap_status read_count(const struct json_at *at, uint64_t *count, neap_error *error) {
  int64_t number = 0;
  neap_status status = json_read_number(at, 0, &number, error);
  *count = (uint64_t)number;
  return status;
}

/* Reads the layout of a round into an array that belongs to the round. */
static neap_status read_layout(const struct json_at *at, const struct neap_problem *problem,
                               neap_round *round, neap_error *error) {
  size_t count;
  if (!at->value) return NEAP_OK;
  neap_status status = json_read_array(at, &count, error);
  if (status != NEAP_OK) return status;
  if (count != problem->count)
    return json_blame(at, error, "expected one offset for each of %zu buffers, found %zu",
                      problem->count, count);
  neap_offset *offsets = memory_array(count, sizeof *offsets);
  if (!offsets) return error_memory(error);
  round->offsets = offsets;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at offset = json_element(at, i);
    status = read_offset(&offset, NEAP_UNPLACED, problem->buffers[i].size, &offsets[i], error);
  }
  return status;
}

static neap_status read_round(const struct json_at *at, const struct neap_problem *problem,
                              neap_round *round, neap_error *error) {
  static const char *const keys[] = {
      "round",        "peak",     "excess_area", "excess_count", "high",
      "medium",       "low",      "none",        "high_groups",  "medium_groups",
      "group_rounds", "improved", "offsets",     "moves",        NULL};
  uint64_t high_groups = 0, medium_groups = 0, peak = 0, area = 0, above = 0;
  uint64_t risk[NEAP_RISK_COUNT] = {0};
  const struct {
    const char *key;
    uint64_t *to;
  } counts[] = {{"round", &round->round},
                {"peak", &peak},
                {"excess_area", &area},
                {"excess_count", &above},
                {"high", &risk[NEAP_RISK_HIGH]},
                {"medium", &risk[NEAP_RISK_MEDIUM]},
                {"low", &risk[NEAP_RISK_LOW]},
                {"none", &risk[NEAP_RISK_NONE]},
                {"high_groups", &high_groups},
                {"medium_groups", &medium_groups},
                {"group_rounds", &round->group_rounds}};
  round->struct_size = sizeof *round;
  neap_status status = json_read_object(at, keys, error);
  for (size_t i = 0; i < sizeof counts / sizeof counts[0] && status == NEAP_OK; i++) {
    struct json_at member = json_member(at, counts[i].key);
    status = read_count(&member, counts[i].to, error);
  }
  if (status != NEAP_OK) return status;
  round->peak = (neap_size)peak;
  round->excess_area = (int64_t)area;
  round->excess_count = (size_t)above;
  for (size_t i = 0; i < NEAP_RISK_COUNT; i++)
    round->risk[i] = (size_t)risk[i];
  round->high_groups = (size_t)high_groups;
  round->medium_groups = (size_t)medium_groups;
  struct json_at improved = json_member(at, "improved");
  status = json_read_boolean(&improved, &round->improved, error);
  struct json_at layout = json_member(at, "offsets"), moves = json_member(at, "moves");
  if (status == NEAP_OK) status = read_layout(&layout, problem, round, error);
  return status == NEAP_OK ? read_moves(&moves, problem, round, error) : status;
}

void json_rounds_free(neap_round *rounds, size_t count) {
  for (size_t i = 0; rounds && i < count; i++) {
    free((neap_offset *)rounds[i].offsets);
    free((neap_move *)rounds[i].moves);
  }
  free(rounds);
}

neap_status json_rounds_read(const struct json_at *at, const struct neap_problem *problem,
                             neap_round **rounds, size_t *count, neap_error *error) {
  if (!at->value) return NEAP_OK;
  neap_status status = json_read_array(at, count, error);
  if (status != NEAP_OK) return status;
  *rounds = memory_array(*count, sizeof **rounds);
  if (!*rounds) return error_memory(error);
  for (size_t i = 0; i < *count && status == NEAP_OK; i++) {
    struct json_at round = json_element(at, i);
    status = read_round(&round, problem, &(*rounds)[i], error);
  }
  return status;
}

/* ---------------------------------------------------------------- writing */

static void append_number(const char *key, int64_t number, struct row *row) {
  row_string(row, key);
  row_number(row, number);
}

static void append_move(const neap_move *move, struct row *row) {
  row_char(row, '{');
  if (move->blamed != NEAP_NO_BUFFER) {
    append_number("\"blamed\": ", (int64_t)move->blamed, row);
    row_string(row, ", ");
  }
  append_number("\"top\": ", move->top, row);
  append_number(", \"target\": ", move->target, row);
  row_string(row, ", \"outcome\": ");
  row_json(row, neap_move_outcome_name(move->outcome));
  append_number(", \"member_count\": ", (int64_t)move->member_count, row);
  for (size_t i = 0; move->members && i < move->member_count; i++)
    append_number(i > 0 ? ", " : ", \"members\": [", move->members[i], row);
  if (move->members && move->member_count > 0) row_char(row, ']');
  for (size_t i = 0; move->offsets && i < move->member_count; i++)
    append_number(i > 0 ? ", " : ", \"offsets\": [", move->offsets[i], row);
  if (move->offsets && move->member_count > 0) row_char(row, ']');
  row_char(row, '}');
}

static void append_moves(const neap_round *round, struct row *row) {
  for (size_t i = 0; i < round->move_count; i++) {
    row_string(row, i > 0 ? ", " : ", \"moves\": [");
    append_move(&round->moves[i], row);
  }
  if (round->move_count > 0) row_char(row, ']');
}

/* Appends the layout before the brace that ends the round. */
static void append_layout(const struct neap_plan *plan, const neap_round *round,
                          struct row *row) {
  if (!round->offsets || row->failed) return;
  row->length--;
  row_string(row, ", \"offsets\": [");
  for (size_t i = 0; i < plan->problem->count; i++) {
    if (i > 0) row_string(row, ", ");
    row_number(row, round->offsets[i]);
  }
  row_char(row, ']');
  append_moves(round, row);
  row_char(row, '}');
}

neap_status json_rounds_write(const struct neap_plan *plan, struct row *row, FILE *stream,
                              neap_error *error) {
  if (plan->round_count == 0) return NEAP_OK;
  row_string(row, ",\n  \"rounds\": [");
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < plan->round_count && status == NEAP_OK; i++) {
    row_string(row, i > 0 ? ",\n    " : "\n    ");
    report_append_round(row, &plan->rounds[i]);
    append_layout(plan, &plan->rounds[i], row);
    status = row_write(row, stream, error);
  }
  row_string(row, "\n  ]");
  return status == NEAP_OK ? row_write(row, stream, error) : status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that read a document share. */
#ifndef FORMATS_DSA_READER_H
#define FORMATS_DSA_READER_H

#include "formats/dsa/ids.h"
#include "formats/json/document.h"
#include "model/problem.h"

/* A buffer as the document has it, before constraints change it. */
struct draft {
  neap_size size;
  size_t ranges_end; /* one past its last range in reader->ranges */
  size_t class;      /* of colocated buffers: towards the one that stands for the class */
  neap_size extent;  /* of that one: the largest size in the class */
  neap_offset pinned_offset; /* or NEAP_UNPLACED */
  size_t pinned_pool;
  bool is_exclusive; /* pinned for all time */
};

/* A range of time, which may begin before 0. */
struct span {
  int64_t lower, upper;
};

struct reader {
  const neap_reading *reading;
  neap_problem *problem;
  bool has_pools; /* the problem has them; otherwise it has one arena without a name */
  struct ids pools, buffers;
  struct draft *drafts; /* of all buffers */
  size_t draft_capacity;
  struct span *spans;
  size_t span_count, span_capacity;
  uint64_t *separated; /* pairs of buffers, sorted */
  size_t separated_count;
};

/* ---------------------------------------------------------------- values */

/* Makes bad input that was found by another module an error about a value; returns `status`. */
neap_status reader_within(const struct json_at *at, neap_status status, neap_error *error);

/* Each reads a member of an object. */
neap_status reader_array(const struct json_at *object, const char *key, struct json_at *array,
                         size_t *count, neap_error *error);
neap_status reader_number(const struct json_at *object, const char *key, int64_t low,
                          int64_t *number, neap_error *error);
neap_status reader_string(const struct json_at *object, const char *key, const char **string,
                          neap_error *error);

/* The index of a string in a list that ends in NULL. */
neap_status reader_choice(const struct json_at *at, const char *const *names, size_t *index,
                          neap_error *error);

/* A 32-bit number. */
neap_status reader_id(const struct json_at *at, uint32_t *id, neap_error *error);

/* The index of the pool or the buffer whose id is at a place. */
neap_status reader_find(const struct reader *reader, const struct ids *ids,
                        const struct json_at *at, size_t *index, neap_error *error);

/* ---------------------------------------------------------------- the parts of a problem */

/* Reads the pools, and what of the buffers does not depend on constraints. */
neap_status reader_pools(struct reader *reader, const struct json_at *problem,
                         neap_error *error);
neap_status reader_drafts(struct reader *reader, const struct json_at *problem,
                          neap_error *error);

/* Reads what constraints say about single buffers: pins and colocations. */
neap_status reader_limits(struct reader *reader, const struct json_at *constraints,
                          neap_error *error);

/* Adds the buffers to the problem. */
neap_status reader_buffers(struct reader *reader, const struct json_at *problem,
                           neap_error *error);

/* Adds the relations to the problem. */
neap_status reader_relations(struct reader *reader, const struct json_at *problem,
                             neap_error *error);

/* The buffer that stands for the class of colocated buffers of a buffer. */
size_t reader_class(struct reader *reader, size_t index);

#endif

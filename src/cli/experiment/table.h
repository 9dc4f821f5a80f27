/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of results.  Its rows are structures of any type, and its columns say what to print
 * of them and how: for people, as CSV and as JSON.
 */
#ifndef CLI_EXPERIMENT_TABLE_H
#define CLI_EXPERIMENT_TABLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The type of a member, and how people read it.  In numbers, -1 stands for unknown. */
enum cell_kind {
  CELL_TEXT,    /* a const char * */
  CELL_NAME,    /* a const char *, cut for people if it is long */
  CELL_WORD,    /* an array of char */
  CELL_BOOL,    /* a bool */
  CELL_WHOLE,   /* an int64_t */
  CELL_COUNT,   /* an int64_t in which 0 also stands for unknown */
  CELL_BYTES,   /* an int64_t with a unit for people */
  CELL_REAL,    /* a double with `decimals` for people */
  CELL_MEDIAN,  /* a double with as many decimals as it needs, up to two */
  CELL_PERCENT, /* a double, as in neap_gap_text */
};

/* A whole number that is null in JSON, and -1 in CSV. */
#define CELL_NONE INT64_MIN

enum column_flag {
  COLUMN_PLANNED = 1,   /* only rows with a plan have it ... */
  COLUMN_NULL = 2,      /* ... and the others have null in JSON */
  COLUMN_UNPLANNED = 4, /* only rows without a plan have it */
  COLUMN_FITS = 8,      /* as wide as its widest cell, and at least `width` */
  COLUMN_ALIKE = 16,  /* as wide as the widest cell of all such columns, and at least `width` */
  COLUMN_QUOTED = 32, /* always quoted in CSV */
  COLUMN_NO_CSV = 64,
  COLUMN_NO_JSON = 128
};

struct column {
  const char *key;     /* in CSV and JSON; NULL: only for people */
  const char *heading; /* for people; NULL: only for programs */
  int width;           /* for people; negative: aligned to the left */
  int decimals;
  enum cell_kind kind;
  unsigned flags; /* a sum of column_flag */
  size_t field;   /* the offset in a row */
};

struct table {
  const struct column *columns;
  size_t column_count;
  const void *rows;
  size_t row_size, row_count;
  const char *between; /* for people, between columns */
  bool (*is_planned)(const void *row);
  /*
   * For people: a remark on a row, "" for none.  It takes the place of the columns from
   * `remark_place` on.  May be NULL.
   */
  const char *(*remark)(const void *row);
  size_t remark_place;
  const char *before_remark;
};

void table_print(const struct table *table);

/* Texts are quoted where RFC 4180 requires it. */
void table_print_csv(const struct table *table);

/* Adds the keys of a row to an object; as object_add. */
json_t *table_add_row(json_t *object, const struct table *table, size_t row);

/* A list of all rows; as object_append. */
json_t *table_json(const struct table *table);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests that read and write files. */
#ifndef SUPPORT_FILES_H
#define SUPPORT_FILES_H

#include "tests/support/sample.h"

/*
 * Setup and teardown: the case works in an empty folder of its own, in which writing leaves no
 * temporary file.
 */
int files_enter(void **state);
int files_leave(void **state);

#define FILES_CASE(function) cmocka_unit_test_setup_teardown(function, files_enter, files_leave)

void files_make(const char *path, const char *text);
char *files_text(const char *path); /* released with free() */
void files_expect(const char *path, const char *text);
void files_expect_same(const char *left, const char *right);

/* Reads in the format that the extension names; the case fails if reading does. */
neap_problem *files_read(const char *path);
neap_plan *files_read_plan(const char *path);
void files_write(const neap_problem *problem, const char *path);
void files_write_plan(const neap_plan *plan, const char *path);

/* A plan by the tuner, with the seed 12345; in short runs, after at most 200,000 ticks. */
neap_plan *files_solve(const neap_problem *problem);

#endif

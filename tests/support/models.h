/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files of $NEAP_SHARED/data, what is known of their graphs, and damage to them. */
#ifndef SUPPORT_MODELS_H
#define SUPPORT_MODELS_H

#include <stdio.h>

#include "tests/support/sample.h"

#define MODELS_MAX 64

/* The models of data/models/FOLDER whose names have that ending, sorted; each to be freed. */
size_t models_list(const char *folder, const char *ending, char *names[MODELS_MAX]);

/* data/models/FOLDER/NAME */
void models_path(char path[4096], const char *folder, const char *name);

/*
 * The problem is what data/graphs says of the model, where it says anything.  Names may differ,
 * being changed where they are not unique, unless `named`.
 */
void models_expect_graph(const neap_problem *problem, const char *model, bool named);

/* The problem has the buffers of data/instances/FOLDER, where there is one of the model. */
void models_expect_instance(const neap_problem *problem, const char *folder, const char *model);

/* Calls `read` with the path of a file that holds the model, cut and changed in many ways. */
void models_damage(const char *path, size_t cuts, int rounds, void (*read)(const char *path));

/* A case that says that it is skipped. */
void models_are_missing(void **state);

#endif

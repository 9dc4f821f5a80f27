/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a problem asks for beyond sizes and lifetimes, and what a plan makes of it, for people
 * and as JSON.  Nothing is printed or added if there is nothing of the kind.
 */
#ifndef CLI_OUTPUT_RELATION_FACTS_H
#define CLI_OUTPUT_RELATION_FACTS_H

#include <jansson.h>
#include <neap/neap.h>
#include <stdio.h>

/* The number of relations of all kinds. */
size_t relation_facts_count(const neap_problem *problem);

/* Prints a line per fact, with its label in a column of this width. */
void relation_facts_print(FILE *stream, const neap_problem *problem, int label_width);

/* Adds "relations", "windows", "banks", "near", "pools", "reserved", "objective"; as object_add. */
json_t *relation_facts_add(json_t *object, const neap_problem *problem);

/* Prints pools and costs of a plan on standard output; `label_width` as above. */
void relation_facts_print_plan(const neap_plan *plan, int label_width);

/* Adds the keys that `neap plan --json` has for them; as object_append. */
json_t *relation_facts_add_plan(json_t *object, const neap_plan *plan);

#endif

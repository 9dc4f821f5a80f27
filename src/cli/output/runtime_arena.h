/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The needs of a runtime in its arena, for people and as JSON. */
#ifndef CLI_OUTPUT_RUNTIME_ARENA_H
#define CLI_OUTPUT_RUNTIME_ARENA_H

#include <jansson.h>
#include <stdio.h>

#include "neap-tool.h"

/* Writes "CONV_2D (operator 3 and 4 more)". */
#define ARENA_FACTS_WHICH 512
const char *arena_facts_which(char text[ARENA_FACTS_WHICH], const neap_arena_note *note);

/* Prints a line for each kind of operators that the runtime refuses; false if there are none. */
bool arena_facts_print_refused(FILE *stream, const neap_problem *problem, const char *label);

/* Ends a line: the smallest arena that works, and what it consists of. */
void arena_facts_print_line(FILE *stream, const neap_problem *problem, const neap_arena *arena);

/* Prints the kernels and pointers that the arena is predicted for; nothing if unknown. */
void arena_facts_print_kernels(FILE *stream, const neap_problem *problem);

/* Adds these to an object, and returns it. */
json_t *arena_facts_add_kernels(json_t *object, const neap_problem *problem);

/* Prints what takes up the arena; `head` names the layout of its head. */
void arena_facts_print(FILE *stream, const neap_problem *problem, const neap_arena *arena,
                       const char *head);

/* Whether operators have unknown kernels, so that the arena is larger. */
bool arena_facts_is_partial(const neap_problem *problem);

/* Its figures as an object; NULL when memory is short. */
json_t *arena_facts_object(const neap_problem *problem, const neap_arena *arena);

/* Its figures with all that is known about operators. */
json_t *arena_facts_json(const neap_problem *problem, const neap_arena *arena);

#endif

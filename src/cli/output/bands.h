/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The effects of splitting a model. */
#ifndef CLI_OUTPUT_BANDS_H
#define CLI_OUTPUT_BANDS_H

#include <jansson.h>

#include "neap/models.h"

/* Prints a line with the operators that cannot run in bands, if there are some. */
void bands_print_whole(const neap_bands *bands);

/* The extra multiply-accumulates, in percent of those before. */
double bands_extra(const neap_model_need *before, const neap_model_need *after);

/* Prints what splitting changed; a model left whole for a capacity fits as it is. */
void bands_print(const neap_bands *split);

/* Prints what bands cost, and where they are; nothing without bands. */
void bands_print_bands(const neap_bands *split);

/* An object; NULL when memory is short.  The kernels are those of the problem. */
json_t *bands_json(const neap_bands *split, const neap_problem *problem);
json_t *bands_point(const neap_model_need *point);

#endif

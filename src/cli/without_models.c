/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libneap-models in a program that was built without it (configure --disable-models).  No model can
 * be opened, so nothing can be asked of one.
 */
#include <stdio.h>
#include <stdlib.h>

#include "neap-tool.h"
#include "neap/models.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

neap_status neap_model_open(const char *path, const neap_reading *reading, neap_model **model,
                            neap_error *error) {
  *error = (neap_error){.status = NEAP_ERROR_ARGUMENT,
                        .text = "this neap was built without models; use one that was "
                                "configured without --disable-models"};
  snprintf(error->source, sizeof error->source, "%s", path);
  return error->status;
}

/* Only NULL is ever released. */
void neap_bands_free(neap_bands *bands) {}
void neap_fit_free(neap_fit *fit) {}
void neap_model_free(neap_model *model) {}

#define NEVER(head) \
  head { abort(); }

NEVER(neap_status neap_model_bands(const neap_model *model, const neap_scheduling *scheduling,
                                   const neap_model_limits *limits, neap_bands **bands,
                                   neap_error *error))
NEVER(bool neap_bands_choice_at(const neap_bands *bands, size_t index, neap_model_need *choice))
NEVER(void neap_bands_get_report(const neap_bands *bands, neap_bands_report *report))
NEVER(const neap_plan *neap_bands_plan(const neap_bands *bands))
NEVER(const neap_plan *neap_bands_plan_before(const neap_bands *bands))
NEVER(neap_problem *neap_bands_take_problem(neap_bands *bands))
NEVER(bool neap_bands_segment_at(const neap_bands *bands, size_t index,
                                 neap_bands_segment *segment))
NEVER(neap_status neap_bands_write(const neap_bands *bands, const neap_plan *plan,
                                   const char *path, neap_error *error))
NEVER(neap_status neap_model_fit(const neap_model *model, const neap_model_limits *limits,
                                 neap_fit **fit, neap_error *error))
NEVER(const neap_bands *neap_fit_bands(const neap_fit *fit))
NEVER(void neap_fit_get_report(const neap_fit *fit, neap_fit_report *report))
NEVER(const char *neap_fit_means_name(neap_fit_means means))
NEVER(const neap_plan *neap_fit_plan(const neap_fit *fit))
NEVER(bool neap_fit_step_at(const neap_fit *fit, size_t index, neap_fit_step *step))
NEVER(neap_status neap_fit_write(const neap_fit *fit, const char *path, neap_error *error))
NEVER(bool neap_bands_whole_at(const neap_bands *bands, size_t index, neap_arena_note *note))
NEVER(const char *neap_fit_no_bands(const neap_fit *fit))
NEVER(neap_status neap_models_fit(const neap_model *const *models, size_t count,
                                  const neap_model_limits *limits, neap_fit **fits,
                                  neap_error *error))

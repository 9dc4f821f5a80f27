/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a model fit the arena of TensorFlow Lite Micro, and writes it with its plan:
 *
 *     cc fit.c $(pkg-config --cflags --libs neap-models) -o fit
 *     ./fit MODEL.tflite BYTES NEW.tflite
 */
#include <neap/models.h>
#include <stdio.h>
#include <stdlib.h>

static neap_status make_it_fit(const neap_model *model, neap_size bytes, const char *path,
                               neap_error *error) {
  neap_model_limits limits = NEAP_INIT(neap_model_limits);
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_fit_step step = NEAP_INIT(neap_fit_step);
  neap_fit *fit;
  limits.capacity = bytes;
  neap_status status = neap_model_fit(model, &limits, &fit, error);
  if (status != NEAP_OK) return status;
  for (size_t i = 0; neap_fit_step_at(fit, i, &step); i++)
    printf("%s: %lld bytes\n", neap_fit_means_name(step.means), (long long)step.need.arena);
  neap_fit_get_report(fit, &report);
  puts(report.fits ? "fits" : "does not fit");
  if (report.fits) status = neap_fit_write(fit, path, error);
  neap_fit_free(fit);
  return status;
}

int main(int count, char **words) {
  neap_error error;
  neap_model *model;
  if (count != 4) return 2;
  neap_status status = neap_model_open(words[1], NULL, &model, &error);
  if (status == NEAP_OK) {
    status = make_it_fit(model, atoll(words[2]), words[3], &error);
    neap_model_free(model);
  }
  if (status != NEAP_OK) fprintf(stderr, "%s: %s\n", error.source, error.text);
  return status != NEAP_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/bands.h"

neap_model_limits bands_limits(neap_bands_goal goal, neap_size capacity) {
  neap_model_limits limits = NEAP_INIT(neap_model_limits);
  limits.goal = goal;
  limits.capacity = capacity;
  return limits;
}

neap_status bands_find(const char *path, const neap_reading *reading,
                       const neap_model_limits *limits, neap_bands **bands, neap_error *error) {
  neap_model *model;
  neap_status status = neap_model_open(path, reading, &model, error);
  if (status != NEAP_OK) return status;
  status = neap_model_bands(model, NULL, limits, bands, error);
  neap_model_free(model);
  return status;
}

neap_status bands_fit(const char *path, const neap_reading *reading,
                      const neap_model_limits *limits, neap_fit **fit, neap_error *error) {
  neap_model *model;
  neap_status status = neap_model_open(path, reading, &model, error);
  if (status != NEAP_OK) return status;
  status = neap_model_fit(model, limits, fit, error);
  neap_model_free(model);
  return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bands and fits of models in files. */
#ifndef SUPPORT_BANDS_H
#define SUPPORT_BANDS_H

#include "neap/models.h"

/* The goal and a capacity; 0: none. */
neap_model_limits bands_limits(neap_bands_goal goal, neap_size capacity);

neap_status bands_find(const char *path, const neap_reading *reading,
                       const neap_model_limits *limits, neap_bands **bands, neap_error *error);
neap_status bands_fit(const char *path, const neap_reading *reading,
                      const neap_model_limits *limits, neap_fit **fit, neap_error *error);

#endif

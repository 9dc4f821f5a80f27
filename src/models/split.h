/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for bands, for fit.c. */
#ifndef MODELS_SPLIT_H
#define MODELS_SPLIT_H

#include "models/needs.h"

/*
 * Like neap_model_bands.  If nothing fits the capacity, the choice that needs least is found, and it
 * is no error.
 */
neap_status split_find(const neap_model *model, const struct model_limits *limits,
                       neap_bands **bands, neap_error *error);

#endif

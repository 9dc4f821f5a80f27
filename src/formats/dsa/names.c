/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/dsa/names.h"

#include <stddef.h>

const char *const profile_names[] = {[PROFILE_STANDARD] = "standard_dsa",
                                     [PROFILE_REUSE] = "dsa_rp_v1",
                                     [PROFILE_STRUCTURED] = "pypto_structured",
                                     [PROFILE_HARD] = "pypto_hard_v1",
                                     [PROFILE_RESEARCH] = "pypto_research_v1",
                                     [PROFILE_RELAXATION] = "pypto_core_relaxation",
                                     [PROFILE_COUNT] = NULL};

const char *const metric_names[] = {[METRIC_OVERFLOW] = "capacity_overflow",
                                    [METRIC_TOTAL] = "total_peak",
                                    [METRIC_MAX] = "max_peak",
                                    [METRIC_REUSE] = "reuse_cost",
                                    [METRIC_BANK] = "bank_cost",
                                    [METRIC_COUNT] = NULL};

const char *const separation_reasons[] = {
    "generic", "pipeline_stage", "target_hazard", "semantic_no_alias", "cross_pipe", NULL};

const char *const penalty_reasons[] = {"generic",
                                       "pipeline_serialization",
                                       "load_motion_serialization",
                                       "cross_pipe",
                                       "cross_core",
                                       "event_budget",
                                       NULL};

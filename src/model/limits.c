/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/relations.h"

const struct limits limits_none = {0, NEAP_MAX, 0, 0, 0, NEAP_UNPLACED, 0};

// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled for each model, with the header that `neap plan --buffer-plan` wrote.
#include "tests/hosts/tflm/plan.h"

#include "buffer_plan.h"

const tflite::BufferPlan *plan_offsets() { return NEAP_buffer_plan(); }
size_t plan_head_size() { return NEAP_head_size; }
uint32_t plan_request_hash() { return NEAP_request_hash; }

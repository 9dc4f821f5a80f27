// SPDX-License-Identifier: GPL-3.0-or-later
// The buffer plan that the program run uses.
#ifndef TESTS_TFLM_PLAN_H
#define TESTS_TFLM_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/micro/memory_planner/memory_plan_struct.h"

const tflite::BufferPlan *plan_offsets();
size_t plan_head_size();
uint32_t plan_request_hash();

#endif

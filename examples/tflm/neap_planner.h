// SPDX-License-Identifier: GPL-3.0-or-later
// As an additional permission, you may use, copy, modify and convey this file under terms of your choice.
//
// Gives TensorFlow Lite Micro the offsets in a header that `neap plan --buffer-plan` wrote:
//
//     NeapPlanner planner(NEAP_buffer_plan(), NEAP_head_size, NEAP_request_hash);
//     auto *allocator = tflite::MicroAllocator::Create(arena, sizeof arena, &planner);
//
// Unlike NonPersistentMemoryPlannerShim alone, it reserves the head, into which the interpreter would otherwise put
// temporary data while operators run; and it refuses to start if the model or its kernels request other memory than
// the plan was made for.
#ifndef NEAP_PLANNER_H
#define NEAP_PLANNER_H

#include "tensorflow/lite/micro/memory_planner/non_persistent_buffer_planner_shim.h"
#include "tensorflow/lite/micro/micro_log.h"

class NeapPlanner : public tflite::NonPersistentMemoryPlannerShim {
 public:
  NeapPlanner(const tflite::BufferPlan *plan, size_t head_size, uint32_t hash)
      : NonPersistentMemoryPlannerShim(plan), head_size_(head_size), expected_(hash) {}

  TfLiteStatus Init(unsigned char *, int) override {
    requested_ = 0;
    hash_ = 2166136261u;
    return kTfLiteOk;
  }

  TfLiteStatus AddBuffer(int size, int first, int last) override {
    requested_++;
    hash_ = (hash_ ^ static_cast<uint32_t>(size)) * 16777619u;
    return NonPersistentMemoryPlannerShim::AddBuffer(size, first, last);
  }

  // A model with an offline plan in it passes offsets, which the BufferPlan replaces.
  TfLiteStatus AddBuffer(int size, int first, int last, int) override {
    return AddBuffer(size, first, last);
  }

  TfLiteStatus GetOffsetForBuffer(int index, int *offset) override {
    if (requested_ != GetBufferCount() || hash_ != expected_) {
      MicroPrintf("the buffer plan was made for another model or other kernels: record and plan again");
      return kTfLiteError;
    }
    return NonPersistentMemoryPlannerShim::GetOffsetForBuffer(index, offset);
  }

  size_t GetMaximumMemorySize() override { return head_size_; }

 private:
  size_t head_size_;
  uint32_t expected_, hash_ = 2166136261u;
  int requested_ = 0;

  TF_LITE_REMOVE_VIRTUAL_DELETE
};

#endif

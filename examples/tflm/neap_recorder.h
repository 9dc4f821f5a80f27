// SPDX-License-Identifier: GPL-3.0-or-later
// As an additional permission, you may use, copy, modify and convey this file under terms of your choice.
//
// Records what TensorFlow Lite Micro asks its memory planner for, scratch buffers included, as CSV for neap:
//
//     NeapRecorder recorder;
//     auto *allocator = tflite::MicroAllocator::Create(arena, sizeof arena, &recorder);
//     tflite::MicroInterpreter interpreter(model, resolver, allocator);
//     interpreter.AllocateTensors();
//
// It plans as the runtime does by default, so that the interpreter runs as usual. Times are scopes of the runtime,
// and `last` is included, which neap knows by the column's name. The runtime gives tensors that no operator makes or
// reads the time -1; since such tensors may share bytes, each of them gets a late time of its own here.
#ifndef NEAP_RECORDER_H
#define NEAP_RECORDER_H

#include "tensorflow/lite/micro/memory_planner/greedy_memory_planner.h"
#include "tensorflow/lite/micro/micro_log.h"

class NeapRecorder : public tflite::GreedyMemoryPlanner {
 public:
  // Writes a row; with index -1, the names of the columns.
  using Write = void (*)(int index, int first, int last, int size);

  // Without another function, rows go to the log of the runtime.
  explicit NeapRecorder(Write write = Log) : write_(write) {}

  using tflite::GreedyMemoryPlanner::AddBuffer;  // with an offset: it calls the one below

  TfLiteStatus AddBuffer(int size, int first, int last) override {
    if (GetBufferCount() == 0) write_(-1, 0, 0, 0);
    write_(GetBufferCount(),
           last < 0    ? kUnused + GetBufferCount()
           : first < 0 ? 0
                       : first,
           last < 0 ? kUnused + GetBufferCount() : last, size);
    return tflite::GreedyMemoryPlanner::AddBuffer(size, first, last);
  }

  static void Log(int index, int first, int last, int size) {
    if (index < 0)
      MicroPrintf("name,first,last,size");
    else
      MicroPrintf("request%d,%d,%d,%d", index, first, last, size);
  }

 private:
   static constexpr int kUnused = 1000000;

   Write write_;

   TF_LITE_REMOVE_VIRTUAL_DELETE
};

#endif

// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a model in TensorFlow Lite Micro:
//
//     run record MODEL                     print what the interpreter requests of its memory planner, as CSV
//     run default MODEL [RUNS [OUTPUTS]]   run the model as it is, with the runtime's own planner
//     run planned MODEL [RUNS [OUTPUTS]]   run it with the buffer plan that is linked in (plan.cc)
//     run apart MODEL RUNS OUTPUTS TAIL HEAD
//                                          run it as it is in two arenas of these sizes, a persistent and another one
//
// The second and third print the head, where buffers lie, the tail, and a checksum of all that the operators of the first
// subgraph make, in three runs, or RUNS, with different inputs; they write what the model returns to the file OUTPUTS.
// The arena is full of noise at the start, so that the checksum changes if an operator reads what nothing has written,
// and neighbours of the arena are guarded.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "examples/tflm/neap_planner.h"
#include "examples/tflm/neap_recorder.h"
#include "tensorflow/lite/micro/arena_allocator/single_arena_buffer_allocator.h"
#include "tensorflow/lite/micro/memory_helpers.h"
#include "tensorflow/lite/micro/micro_interpreter.h"
#include "tensorflow/lite/micro/micro_profiler_interface.h"
#include "tensorflow/lite/micro/micro_resource_variable.h"
#include "tensorflow/lite/schema/schema_generated.h"
#include "tests/hosts/tflm/model_file.h"
#include "tests/hosts/tflm/operators.h"
#include "tests/hosts/tflm/plan.h"

namespace {

constexpr size_t kArenaSize = 16u << 20, kGuard = 64;
constexpr int kVariables = 32;  // resource variables, as in run.sh
uint32_t Checksum(uint32_t sum, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) sum = (sum ^ bytes[i]) * 16777619u;
  return sum;
}

uint32_t noise = 1;
uint8_t NextByte() { return static_cast<uint8_t>((noise = noise * 1664525u + 1013904223u) >> 24); }

// Adds to the checksum what each operator of the first subgraph has made, when it ends; operators of other
// subgraphs run within one of those.
class Watch : public tflite::MicroProfilerInterface {
 public:
  explicit Watch(const tflite::Model *model) : subgraph_(model->subgraphs()->Get(0)) {}

  void Start(tflite::MicroInterpreter *interpreter) {
    interpreter_ = interpreter;
    next_ = depth_ = 0;
  }

  uint32_t BeginEvent(const char *) override { return depth_++; }

  void EndEvent(uint32_t) override {
    if (--depth_ > 0 || !interpreter_) return;
    const auto *outputs = subgraph_->operators()->Get(next_++)->outputs();
    for (int32_t tensor : *outputs) Add(interpreter_->GetTensor(tensor));
  }

  void Add(const TfLiteEvalTensor *tensor) {
    size_t bytes = 0;
    if (tflite::TfLiteEvalTensorByteLength(tensor, &bytes) == kTfLiteOk && tensor->data.raw)
      sum = Checksum(sum, tensor->data.uint8, bytes);
  }

  uint32_t sum = 2166136261u;

 private:
  const tflite::SubGraph *subgraph_;
  tflite::MicroInterpreter *interpreter_ = nullptr;
  uint32_t next_ = 0, depth_ = 0;

  TF_LITE_REMOVE_VIRTUAL_DELETE
};

void FillInput(TfLiteTensor *tensor) {
  if (tensor->type == kTfLiteFloat32) {
    for (size_t i = 0; i < tensor->bytes / 4; i++) tensor->data.f[i] = NextByte() / 128.0f - 1.0f;
  } else if (tensor->type == kTfLiteInt32) {
    for (size_t i = 0; i < tensor->bytes / 4; i++) tensor->data.i32[i] = NextByte() % 3;
  } else {
    for (size_t i = 0; i < tensor->bytes; i++)
      tensor->data.uint8[i] = tensor->type == kTfLiteBool ? NextByte() & 1 : NextByte();
  }
}

struct Arena {
  std::vector<uint8_t> bytes;
  uint8_t *start, *end;

  explicit Arena(size_t size = kArenaSize) : bytes(size + 2 * kGuard) {
    for (uint8_t &byte : bytes) byte = NextByte();
    start = bytes.data() + kGuard;
    start += (16 - reinterpret_cast<uintptr_t>(start) % 16) % 16;
    end = start + size;
    memset(bytes.data(), 0xa5, start - bytes.data());
    memset(end, 0xa5, bytes.data() + bytes.size() - end);
  }

  bool IsGuarded() const {
    const auto is_guard = [](uint8_t byte) { return byte == 0xa5; };
    return std::all_of(bytes.data(), static_cast<const uint8_t *>(start), is_guard) &&
           std::all_of(static_cast<const uint8_t *>(end), bytes.data() + bytes.size(),
                       is_guard);
  }
};

// Lets the interpreter hand out tensors while a model runs, which it would refuse because later ones may overwrite them.
template <class Planner>
class Open : public Planner {
 public:
  using Planner::Planner;
  bool preserves_all_tensors() const override { return true; }

 private:
  TF_LITE_REMOVE_VIRTUAL_DELETE
};

void PrintRequest(int index, int first, int last, int size) {
  if (index < 0) puts("name,first,last,size");
  else printf("request%d,%d,%d,%d\n", index, first, last, size);
}

void PrintNothing(int, int, int, int) {}

bool UsesResources(const tflite::Model *model) {
  for (const auto *code : *model->operator_codes())
    if (code->builtin_code() == tflite::BuiltinOperator_VAR_HANDLE) return true;
  return false;
}

// What to do with a model.
struct Task {
  const char *way;
  int runs = 3;
  FILE *outputs = nullptr;
};

bool Invoke(tflite::MicroInterpreter &interpreter, Watch &watch, FILE *outputs) {
  for (size_t i = 0; i < interpreter.inputs_size(); i++) FillInput(interpreter.input(i));
  watch.Start(&interpreter);
  if (interpreter.Invoke() != kTfLiteOk) return false;
  for (size_t i = 0; i < interpreter.outputs_size(); i++) {
    const TfLiteTensor *output = interpreter.output(i);
    if (!output->data.raw) continue;
    watch.sum = Checksum(watch.sum, output->data.uint8, output->bytes);
    if (outputs && fwrite(output->data.raw, 1, output->bytes, outputs) != output->bytes) return false;
  }
  return true;
}

int Run(const tflite::Model *model, tflite::MicroMemoryPlanner *planner, const Task &task) {
  Arena arena;
  Resolver resolver;
  Watch watch(model);
  if (!AddOperators(resolver)) return 1;
  auto *memory = tflite::SingleArenaBufferAllocator::Create(arena.start, kArenaSize);
  auto *allocator = tflite::MicroAllocator::Create(memory, planner);
  auto *resources = UsesResources(model) ? tflite::MicroResourceVariables::Create(allocator, kVariables) : nullptr;
  tflite::MicroInterpreter interpreter(model, resolver, allocator, resources, &watch);
  if (interpreter.AllocateTensors() != kTfLiteOk) return 1;
  if (strcmp(task.way, "record") == 0) return 0;
  noise = 7;  // the same inputs in every program
  for (int run = 0; run < task.runs; run++)
    if (!Invoke(interpreter, watch, task.outputs)) return 1;
  if (!arena.IsGuarded()) return 1;
  printf("head %zu tail %zu checksum %08x\n", memory->GetNonPersistentUsedBytes(), memory->GetPersistentUsedBytes(),
         watch.sum);
  return 0;
}

// With the planner that the runtime has for two arenas, and a table of resource variables for any model.
int RunApart(const tflite::Model *model, const Task &task, size_t tail_size, size_t head_size) {
  Arena tail(tail_size), head(head_size);
  Resolver resolver;
  Watch watch(model);
  if (!AddOperators(resolver)) return 1;
  auto *allocator = tflite::MicroAllocator::Create(tail.start, tail_size, head.start, head_size,
                                                   tflite::MemoryPlannerType::kGreedy);
  auto *resources = tflite::MicroResourceVariables::Create(allocator, kVariables);
  tflite::MicroInterpreter interpreter(model, resolver, allocator, resources);
  if (interpreter.AllocateTensors() != kTfLiteOk) return 1;
  noise = 7;
  for (int run = 0; run < task.runs; run++)
    if (!Invoke(interpreter, watch, task.outputs)) return 1;
  return tail.IsGuarded() && head.IsGuarded() ? 0 : 1;
}

}  // namespace

int main(int count, char **arguments) {
  Task task = {count >= 3 ? arguments[1] : ""};
  const std::vector<uint64_t> file = count >= 3 ? ReadFile(arguments[2]) : std::vector<uint64_t>();
  if (count > 3) task.runs = atoi(arguments[3]);
  if (count > 4) task.outputs = fopen(arguments[4], "wb");
  if (file.empty() || task.runs < 1 || (count > 4 && !task.outputs)) {
    fputs("usage: run record|default|planned|apart MODEL [RUNS [OUTPUTS [TAIL HEAD]]]\n",
          stderr);
    return 2;
  }
  const tflite::Model *model = tflite::GetModel(file.data());
  Open<NeapRecorder> recorder(strcmp(task.way, "record") == 0 ? PrintRequest : PrintNothing);
  Open<NeapPlanner> planner(plan_offsets(), plan_head_size(), plan_request_hash());
  const bool is_planned = strcmp(task.way, "planned") == 0;
  const int code = count > 6    ? RunApart(model, task, atoi(arguments[5]), atoi(arguments[6]))
                   : is_planned ? Run(model, &planner, task)
                                : Run(model, &recorder, task);
  return task.outputs && fclose(task.outputs) != 0 ? 1 : code;
}

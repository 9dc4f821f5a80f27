// SPDX-License-Identifier: GPL-3.0-or-later
// What a model takes of the arena in TensorFlow Lite Micro:
//
//     arena MODEL [VARIABLES]            print what AllocateTensors leaves used, and the smallest arena that works
//     arena --prepare MODEL [VARIABLES]  the same, without running the model
//     arena --trace MODEL [VARIABLES]    print each allocation in the arena, in order, and who makes it
//     arena --share MODEL...             the first, for interpreters that share an arena and run in turn
//
// VARIABLES is how many resource variables there may be.  An arena works if the model can be prepared and run in it, and
// no allocation fails or reaches into another; its size is a multiple of 16.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <vector>

#include "tensorflow/lite/micro/arena_allocator/single_arena_buffer_allocator.h"
#include "tensorflow/lite/micro/memory_planner/greedy_memory_planner.h"
#include "tensorflow/lite/micro/micro_interpreter.h"
#include "tensorflow/lite/micro/micro_resource_variable.h"
#include "tensorflow/lite/schema/schema_generated.h"
#include "tests/hosts/tflm/model_file.h"
#include "tests/hosts/tflm/operators.h"

namespace {

constexpr size_t kArenaSize = 64u << 20, kStep = 16;

// Memory that is not touched, so that large arenas cost nothing.
struct Bytes {
  explicit Bytes(size_t size) : words(new uint64_t[size / 8 + 2]) {}
  std::unique_ptr<uint64_t[]> words;
  uint8_t *start() { return reinterpret_cast<uint8_t *>((reinterpret_cast<uintptr_t>(words.get()) + 15) & ~uintptr_t{15}); }
};

// ---------------------------------------------------------------- who allocates

struct Stage {
  const char *name = "start";
  int node = -1;  // in the order of all operators of all subgraphs
  const TFLMRegistration *kernel = nullptr;
} stage;

void Print(const char *what, size_t bytes, size_t alignment) {
  printf("%s %zu %zu %s", what, bytes, alignment, stage.name);
  if (stage.kernel)
    printf(" %d %s", stage.node,
           stage.kernel->custom_name
               ? stage.kernel->custom_name
               : tflite::EnumNameBuiltinOperator(static_cast<tflite::BuiltinOperator>(stage.kernel->builtin_code)));
  putchar('\n');
}

class Recorder : public tflite::SingleArenaBufferAllocator {
 public:
  using Base = tflite::SingleArenaBufferAllocator;
  Recorder(uint8_t *arena, size_t size, bool prints) : Base(arena, size), size_(size), prints_(prints) {}
  size_t need = 0;      // the smallest arena in which all allocations succeed
  bool failed = false;  // some kernels do not notice, nor does the runtime if the tail grows into what is temporary

  uint8_t *AllocatePersistentBuffer(size_t size, size_t alignment) override {
    if (prints_) Print("persistent", size, alignment);
    return Note(Base::AllocatePersistentBuffer(size, alignment));
  }
  uint8_t *AllocateTemp(size_t size, size_t alignment) override {
    if (size >= kArenaSize / 2) return Base::AllocateTemp(size, alignment);  // all that is left is for the planner
    if (prints_) Print("temporary", size, alignment);
    return Note(Base::AllocateTemp(size, alignment));
  }
  TfLiteStatus ResizeBuffer(uint8_t *buffer, size_t size, size_t alignment) override {
    if (prints_) Print("head", size, alignment);
    const TfLiteStatus status = Base::ResizeBuffer(buffer, size, alignment);
    need = std::max(need, GetUsedBytes());
    return status;
  }

 private:
  uint8_t *Note(uint8_t *result) {
    need = std::max(need, GetUsedBytes());
    failed = failed || !result || GetUsedBytes() > size_;
    return result;
  }
  size_t size_;
  bool prints_;
  TF_LITE_REMOVE_VIRTUAL_DELETE
};

// Hands out copies of registrations that note which operator is at work.
class Witness : public tflite::MicroOpResolver {
 public:
  const TFLMRegistration *FindOp(tflite::BuiltinOperator code) const override { return Wrap(inner.FindOp(code)); }
  const TFLMRegistration *FindOp(const char *name) const override { return Wrap(inner.FindOp(name)); }
  tflite::TfLiteBridgeBuiltinParseFunction GetOpDataParser(tflite::BuiltinOperator code) const override {
    return inner.GetOpDataParser(code);
  }
  Resolver inner;

 private:
  static std::vector<const TFLMRegistration *> originals;
  static std::deque<TFLMRegistration> copies;
  static size_t inits, prepares;

  static void *Init(TfLiteContext *context, const char *data, size_t size) {
    const size_t node = inits++;
    stage = {"init", static_cast<int>(node), originals[node]};
    return originals[node]->init ? originals[node]->init(context, data, size) : nullptr;
  }
  static TfLiteStatus Prepare(TfLiteContext *context, TfLiteNode *node) {
    const size_t index = prepares++;
    stage = {"prepare", static_cast<int>(index), originals[index]};
    const TfLiteStatus status =
        originals[index]->prepare ? originals[index]->prepare(context, node) : kTfLiteOk;
    if (prepares == originals.size()) stage = {"end"};
    return status;
  }
  static const TFLMRegistration *Wrap(const TFLMRegistration *found) {
    if (!found) return nullptr;
    stage = {"options", static_cast<int>(originals.size()), found};
    originals.push_back(found);
    copies.push_back(*found);
    copies.back().init = Init;
    copies.back().prepare = Prepare;
    return &copies.back();
  }
  TF_LITE_REMOVE_VIRTUAL_DELETE
};

std::vector<const TFLMRegistration *> Witness::originals;
std::deque<TFLMRegistration> Witness::copies;
size_t Witness::inits = 0, Witness::prepares = 0;

// As the runtime does, which keeps the objects in the arena; nullptr if it is too small.
tflite::MicroAllocator *CreateAllocator(Recorder &memory) {
  memory.AllocatePersistentBuffer(sizeof(tflite::SingleArenaBufferAllocator), alignof(tflite::SingleArenaBufferAllocator));
  uint8_t *place =
      memory.AllocatePersistentBuffer(sizeof(tflite::GreedyMemoryPlanner), alignof(tflite::GreedyMemoryPlanner));
  return memory.failed ? nullptr : tflite::MicroAllocator::Create(&memory, new (place) tflite::GreedyMemoryPlanner());
}

int Trace(const tflite::Model *model, int variables) {
  Bytes arena(kArenaSize);
  Witness resolver;
  if (!AddOperators(resolver.inner)) return 1;
  Recorder memory(arena.start(), kArenaSize, true);
  auto *allocator = CreateAllocator(memory);
  auto *resources = variables > 0 ? tflite::MicroResourceVariables::Create(allocator, variables) : nullptr;
  tflite::MicroInterpreter interpreter(model, resolver, allocator, resources);
  if (interpreter.AllocateTensors() != kTfLiteOk) return 1;
  printf("head %zu tail %zu need %zu\n", memory.GetNonPersistentUsedBytes(), memory.GetPersistentUsedBytes(),
         memory.need);
  return 0;
}

// ---------------------------------------------------------------- the smallest arena

// A loop may not end, as there is no input.
bool HasLoop(const tflite::Model *model) {
  for (const auto *code : *model->operator_codes())
    if (code->builtin_code() == tflite::BuiltinOperator_WHILE) return true;
  return false;
}

bool is_run = true;

// The models whose interpreters share the arena, beside the first.
std::vector<const tflite::Model *> others;

// Whether the model can be prepared and run; *used becomes what the interpreter reports.
bool Works(const tflite::Model *model, const Resolver &resolver, size_t size, int variables, size_t *used) {
  Bytes arena(size);
  Recorder memory(arena.start(), size, false);
  auto *allocator = CreateAllocator(memory);
  if (!allocator) return false;
  auto *resources = variables > 0 ? tflite::MicroResourceVariables::Create(allocator, variables) : nullptr;
  tflite::MicroInterpreter interpreter(model, resolver, allocator, resources);
  if (interpreter.AllocateTensors() != kTfLiteOk || memory.failed) return false;
  std::deque<tflite::MicroInterpreter> shared;
  for (const auto *other : others) {
    shared.emplace_back(other, resolver, allocator);
    if (shared.back().AllocateTensors() != kTfLiteOk || memory.failed) return false;
  }
  *used = shared.empty() ? interpreter.arena_used_bytes() : shared.back().arena_used_bytes();
  for (size_t i = 0; i < others.size(); i++)
    if (!HasLoop(others[i]) && shared[i].Invoke() != kTfLiteOk) return false;
  return !is_run || HasLoop(model) || interpreter.Invoke() == kTfLiteOk;
}

// The same in a process of its own, because some kernels abort when the arena is too small.
bool IsEnough(const tflite::Model *model, const Resolver &resolver, size_t steps, int variables) {
  size_t used;
  int status = 1;
  const pid_t child = fork();
  if (child == 0) {
    const bool is_quiet = freopen("/dev/null", "w", stderr);
    _exit(is_quiet && Works(model, resolver, steps * kStep, variables, &used) ? 0 : 1);
  }
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

int Measure(const tflite::Model *model, int variables) {
  Resolver resolver;
  size_t used = 0, step = 1;
  if (!AddOperators(resolver)) return 1;
  if (!Works(model, resolver, kArenaSize, variables, &used) && used == 0) return 1;
  size_t low = used / kStep - 1, high = low + 1;
  while (!IsEnough(model, resolver, high, variables)) {
    low = high;
    high += step *= 2;
    if (high > kArenaSize / kStep) return 1;
  }
  while (low + 1 < high) {
    const size_t middle = low + (high - low) / 2;
    (IsEnough(model, resolver, middle, variables) ? high : low) = middle;
  }
  printf("used %zu smallest %zu\n", used, high * kStep);
  return 0;
}

}  // namespace

int main(int count, char **arguments) {
  const bool traces = count > 1 && strcmp(arguments[1], "--trace") == 0;
  const bool shares = count > 1 && strcmp(arguments[1], "--share") == 0;
  is_run = count > 1 && strcmp(arguments[1], "--prepare") != 0;
  if (traces || shares || !is_run) arguments++, count--;
  std::deque<std::vector<uint64_t>> files;
  for (int i = 2; shares && i < count; i++) {
    files.push_back(ReadFile(arguments[i]));
    if (files.back().empty()) return 2;
    others.push_back(tflite::GetModel(files.back().data()));
  }
  const std::vector<uint64_t> file = count > 1 ? ReadFile(arguments[1]) : std::vector<uint64_t>();
  const int variables = count > 2 && !shares ? atoi(arguments[2]) : 0;
  if (file.empty()) {
    fputs("usage: arena [--prepare|--trace] MODEL [VARIABLES] | --share MODEL...\n", stderr);
    return 2;
  }
  const tflite::Model *model = tflite::GetModel(file.data());
  return traces ? Trace(model, variables) : Measure(model, variables);
}

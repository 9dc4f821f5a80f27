// SPDX-License-Identifier: GPL-3.0-or-later
// types MODEL...: finds out which types of tensors the kernels of TensorFlow Lite Micro accept.  Each model has one
// operator.  Its tensors get all combinations of types, up to three tensors at once; besides, each input is left out, or is
// made where it was constant, and the inputs of operators with any number of them are repeated.  Prints for each
// combination
//
//     CODE VERDICT INPUTS > OUTPUTS
//
// VERDICT is '+' if a model with it can be prepared and run, otherwise 'i' if one is prepared and fails when it runs, and
// otherwise 'p'.  A tensor is a letter for its type (kernels/element_types.h), its rank, 'c' if it is constant, and 'm' if
// it has many scales; then follow '*', the first scale, '*' and the first zero point, if it has them.  '-' stands for one
// that is absent.  CODE is followed by ':' and the name of a custom operator.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tensorflow/lite/micro/micro_interpreter.h"
#include "tensorflow/lite/schema/schema_generated.h"
#include "tests/hosts/tflm/model_file.h"
#include "tests/hosts/tflm/operators.h"

namespace {

constexpr size_t kArenaSize = 1 << 18;
constexpr int kRepeatMax = 12;

struct Type {
  tflite::TensorType type;
  char letter;
  int bytes;
};
constexpr Type kTypes[] = {  // that are tried
    {tflite::TensorType_FLOAT32, 'f', 4}, {tflite::TensorType_FLOAT16, 'e', 2}, {tflite::TensorType_INT32, 'i', 4},
    {tflite::TensorType_UINT8, 'B', 1},   {tflite::TensorType_INT64, 'q', 8},   {tflite::TensorType_BOOL, 't', 1},
    {tflite::TensorType_INT16, 'h', 2},   {tflite::TensorType_INT8, 'b', 1},    {tflite::TensorType_INT4, 'n', 1},
    {tflite::TensorType_UINT32, 'I', 4},  {tflite::TensorType_STRING, 's', 1},
};
constexpr Type kOthers[] = {{tflite::TensorType_UINT64, 'Q', 8}, {tflite::TensorType_RESOURCE, 'r', 4}};

const Type &Find(tflite::TensorType type) {
  for (const Type &known : kTypes)
    if (known.type == type) return known;
  for (const Type &known : kOthers)
    if (known.type == type) return known;
  return kTypes[0];
}

// ---------------------------------------------------------------- models

// The runtime's FlatBuffers have none of their own.
struct Heap : flatbuffers::Allocator {
  uint8_t *allocate(size_t size) override { return new uint8_t[size]; }
  void deallocate(uint8_t *bytes, size_t) override { delete[] bytes; }
};

struct Candidate {
  std::string key;
  std::vector<uint8_t> model;
};

int64_t ReadInteger(const std::vector<uint8_t> &data, size_t index, tflite::TensorType type) {
  int64_t value = 0;
  if (type == tflite::TensorType_INT32) {
    int32_t narrow;
    memcpy(&narrow, &data[4 * index], 4);
    value = narrow;
  } else if (type == tflite::TensorType_INT64) {
    memcpy(&value, &data[8 * index], 8);
  }
  return value;
}

// Gives a tensor another type; the data of a constant keep their values, with zeroes for what is not an integer.
void SetType(tflite::ModelT &model, tflite::TensorT &tensor, const Type &type) {
  if (tensor.type == type.type) return;
  std::vector<uint8_t> &data = model.buffers[tensor.buffer]->data;
  if (!data.empty()) {
    size_t count = 1;
    for (int32_t size : tensor.shape) count *= static_cast<size_t>(size);
    std::vector<uint8_t> converted(count * 8 + 8);
    for (size_t i = 0; i < count; i++) {
      const int64_t value = ReadInteger(data, i, tensor.type);
      const float real = static_cast<float>(value);
      memcpy(&converted[i * static_cast<size_t>(type.bytes)],
             type.letter == 'f' ? static_cast<const void *>(&real) : static_cast<const void *>(&value),
             static_cast<size_t>(type.bytes));
    }
    data = converted;
  }
  tensor.type = type.type;
}

std::string Letter(const tflite::ModelT &model, int index) {
  if (index < 0) return "-";
  const tflite::TensorT &tensor = *model.subgraphs[0]->tensors[static_cast<size_t>(index)];
  const tflite::QuantizationParametersT *scales = tensor.quantization.get();
  char quantisation[64] = "";
  if (scales && !scales->scale.empty() && !scales->zero_point.empty())
    snprintf(quantisation, sizeof quantisation, "%s*%a*%d", scales->scale.size() > 1 ? "m" : "",
             static_cast<double>(scales->scale[0]), static_cast<int>(scales->zero_point[0]));
  return std::string(1, Find(tensor.type).letter) + std::to_string(tensor.shape.size()) +
         (model.buffers[tensor.buffer]->data.empty() ? "" : "c") + quantisation;
}

std::string Key(const tflite::ModelT &model) {
  const tflite::OperatorT &node = *model.subgraphs[0]->operators[0];
  const tflite::OperatorCodeT &code = *model.operator_codes[node.opcode_index];
  std::string inputs, outputs;
  for (int index : node.inputs) inputs += " " + Letter(model, index);
  for (int index : node.outputs) outputs += " " + Letter(model, index);
  const int builtin = std::max(static_cast<int>(code.builtin_code), static_cast<int>(code.deprecated_builtin_code));
  return std::to_string(builtin) + (code.custom_code.empty() ? "" : ":" + code.custom_code) + inputs + " >" + outputs;
}

class Grid {
 public:
  void Add(const tflite::ModelT &model) {
    static Heap heap;
    flatbuffers::FlatBufferBuilder builder(1024, &heap);
    builder.Finish(tflite::Model::Pack(builder, &model), tflite::ModelIdentifier());
    const std::string key = Key(model);
    if (verdicts_[key] == '+') return;
    candidates_.push_back({key, {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()}});
    if (candidates_.size() == 4096) Run();
  }

  void Run() {
    size_t done = 0;
    while (done < candidates_.size()) done = RunFrom(done);
    candidates_.clear();
  }

  void Print() const {
    for (const auto &[key, verdict] : verdicts_) {
      const size_t space = key.find(' ');
      printf("%s %c%s\n", key.substr(0, space).c_str(), verdict, key.substr(space).c_str());
    }
  }

 private:
  // Runs candidates in a process of its own, until one ends it; returns the next one.
  size_t RunFrom(size_t first) {
    int ends[2];
    if (pipe(ends) != 0) return candidates_.size();
    const pid_t child = fork();
    if (child == 0) {
      const bool is_quiet = freopen("/dev/null", "w", stderr);
      for (size_t i = first; is_quiet && i < candidates_.size(); i++) {
        alarm(2);  // some loop for ever
        const char marks[] = {'p', Try(candidates_[i].model, ends[1])};
        if (write(ends[1], &marks[1], 1) != 1) break;
      }
      _exit(0);
    }
    close(ends[1]);
    char mark, last = 'p';
    size_t at = first;
    while (read(ends[0], &mark, 1) == 1) {
      if (mark == 'i') last = 'i';  // it is prepared, and runs
      else Note(at++, mark == '!' ? 'i' : mark), last = 'p';
    }
    close(ends[0]);
    waitpid(child, nullptr, 0);
    if (at < candidates_.size()) Note(at++, last);
    return at;
  }

  void Note(size_t index, char verdict) {
    char &known = verdicts_[candidates_[index].key];
    if (known != '+' && (known != 'i' || verdict == '+')) known = verdict;
  }

  // '+', 'p', or after an 'i', '!'.
  static char Try(const std::vector<uint8_t> &bytes, int end) {
    alignas(16) static uint8_t arena[kArenaSize];
    static Resolver resolver;
    static const bool is_ready = AddOperators(resolver);
    memset(arena, 0, sizeof arena);
    alignas(16) static uint8_t copy[1 << 16];
    if (!is_ready || bytes.size() > sizeof copy) return 'p';
    memcpy(copy, bytes.data(), bytes.size());
    tflite::MicroInterpreter interpreter(tflite::GetModel(copy), resolver, arena, kArenaSize);
    if (interpreter.AllocateTensors() != kTfLiteOk) return 'p';
    for (size_t i = 0; i < interpreter.inputs_size(); i++)
      memset(interpreter.input(i)->data.raw, 0, interpreter.input(i)->bytes);
    const char runs = 'i';
    if (write(end, &runs, 1) != 1) return 'p';
    return interpreter.Invoke() == kTfLiteOk ? '+' : '!';
  }

  std::map<std::string, char> verdicts_;
  std::vector<Candidate> candidates_;
};

// ---------------------------------------------------------------- combinations

// The tensors of the operator, each once.
std::vector<int> Tensors(const tflite::ModelT &model) {
  std::vector<int> tensors;
  const tflite::OperatorT &node = *model.subgraphs[0]->operators[0];
  for (const auto *list : {&node.inputs, &node.outputs})
    for (int index : *list)
      if (index >= 0 && std::find(tensors.begin(), tensors.end(), index) == tensors.end()) tensors.push_back(index);
  return tensors;
}

// Shapes, axes and the like are read as integers, whatever their type says.
bool IsSensible(const tflite::ModelT &model, const tflite::TensorT &tensor, const Type &type) {
  if (type.letter == 'n' && model.buffers[tensor.buffer]->data.empty()) return tensor.type == type.type;
  const bool is_integer = tensor.type == tflite::TensorType_INT32 || tensor.type == tflite::TensorType_INT64;
  return model.buffers[tensor.buffer]->data.empty() || !is_integer || type.letter == 'i' || type.letter == 'q' ||
         type.letter == 's';
}

void Vary(Grid &grid, const tflite::ModelT &base, const std::vector<int> &tensors) {
  size_t combinations = 1;
  const size_t types = sizeof kTypes / sizeof *kTypes;
  for (size_t i = 0; i < tensors.size(); i++) combinations *= types;
  for (size_t c = 0; c < combinations; c++) {
    tflite::ModelT model(base);
    size_t rest = c;
    bool is_sensible = true;
    for (int index : tensors) {
      tflite::TensorT &tensor = *model.subgraphs[0]->tensors[static_cast<size_t>(index)];
      is_sensible = is_sensible && IsSensible(model, tensor, kTypes[rest % types]);
      SetType(model, tensor, kTypes[rest % types]);
      rest /= types;
    }
    if (is_sensible) grid.Add(model);
  }
}

void VaryInputs(Grid &grid, const tflite::ModelT &base) {
  const auto &inputs = base.subgraphs[0]->operators[0]->inputs;
  for (size_t i = 0; i < inputs.size(); i++) {
    tflite::ModelT absent(base), made(base);
    absent.subgraphs[0]->operators[0]->inputs[i] = -1;
    grid.Add(absent);
    if (inputs[i] < 0) continue;
    tflite::TensorT &tensor = *made.subgraphs[0]->tensors[static_cast<size_t>(inputs[i])];
    if (made.buffers[tensor.buffer]->data.empty()) continue;
    tensor.buffer = 0;
    made.subgraphs[0]->inputs.push_back(inputs[i]);
    grid.Add(made);
  }
  const tflite::BuiltinOperator code = base.operator_codes[0]->builtin_code;
  const bool is_list = code == tflite::BuiltinOperator_CONCATENATION || code == tflite::BuiltinOperator_PACK ||
                       code == tflite::BuiltinOperator_ADD_N;
  for (int more = -1; more < (is_list ? kRepeatMax : 0) && !inputs.empty(); more++) {
    tflite::ModelT model(base);
    auto &list = model.subgraphs[0]->operators[0]->inputs;
    if (more < 0 && list.size() > 6) continue;  // LSTM has room for all that its variants know
    if (more < 0) list.pop_back();
    for (int i = 0; i < more; i++) list.push_back(list.back());
    grid.Add(model);
  }
}

// So that tensors without a quantisation may have any type.
void Quantize(tflite::ModelT &model) {
  for (auto &tensor : model.subgraphs[0]->tensors) {
    if (tensor->quantization && !tensor->quantization->scale.empty()) continue;
    tensor->quantization = std::make_unique<tflite::QuantizationParametersT>();
    tensor->quantization->scale = {1};
    tensor->quantization->zero_point = {0};
  }
}

// Another quantisation, or none.
void SetScales(tflite::TensorT &tensor, size_t choice) {
  if (choice == 0) return;
  tensor.quantization.reset();
  if (choice == 1) return;
  tensor.quantization = std::make_unique<tflite::QuantizationParametersT>();
  tensor.quantization->scale = {0.25f};
  tensor.quantization->zero_point = {1};
}

// Gives each tensor another quantisation, or none: up to four tensors in all combinations and with each type for input 0 and
// tensors of its type, others one after another.
void VaryScales(Grid &grid, const tflite::ModelT &base, const std::vector<int> &tensors) {
  const bool is_product = tensors.size() <= 4;
  size_t choices = is_product ? 1 : 1 + 2 * tensors.size();
  for (size_t i = 0; i < tensors.size() && is_product; i++) choices *= 3;
  const tflite::TensorType first = base.subgraphs[0]->tensors[static_cast<size_t>(tensors[0])]->type;
  for (const Type &type : kTypes)
    for (size_t choice = 0, rest; choice < choices && (is_product || type.type == first); choice++) {
      tflite::ModelT model(base);
      bool is_sensible = true;
      rest = choice;
      for (size_t i = 0; i < tensors.size(); i++) {
        tflite::TensorT &tensor = *model.subgraphs[0]->tensors[static_cast<size_t>(tensors[i])];
        is_sensible = is_sensible && (tensor.type != first || IsSensible(model, tensor, type));
        if (tensor.type == first) SetType(model, tensor, type);
        SetScales(tensor, is_product ? rest % 3 : choice > 0 && (choice - 1) / 2 == i ? 1 + (choice - 1) % 2 : 0);
        rest /= 3;
      }
      if (is_sensible) grid.Add(model);
    }
}

void AddAll(Grid &grid, const tflite::ModelT &base) {
  const std::vector<int> tensors = Tensors(base);
  grid.Add(base);
  VaryInputs(grid, base);
  if (tensors.size() <= 3) return Vary(grid, base, tensors);
  for (size_t i = 0; i < tensors.size(); i++)
    for (size_t j = 0; j < i; j++) {
      if (tensors.size() > 6) Vary(grid, base, {tensors[j], tensors[i]});
      for (size_t k = 0; k < j && tensors.size() <= 6; k++) Vary(grid, base, {tensors[k], tensors[j], tensors[i]});
    }
}

}  // namespace

int main(int count, char **arguments) {
  Grid grid;
  for (int i = 1; i < count; i++) {
    const std::vector<uint64_t> file = ReadFile(arguments[i]);
    if (file.empty()) return 2;
    const std::unique_ptr<tflite::ModelT> model(tflite::GetModel(file.data())->UnPack());
    if (model->subgraphs.size() != 1 || model->subgraphs[0]->operators.size() != 1) continue;
    AddAll(grid, *model);
    Quantize(*model);
    AddAll(grid, *model);
    const std::vector<int> tensors = Tensors(*model);
    if (!tensors.empty()) VaryScales(grid, *model, tensors);
  }
  grid.Run();
  grid.Print();
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/operator_kinds.h"

#include <string.h>
#include <strings.h>

static const char *const element_wise[] = {
    "abs",         "acos",       "add",        "and",
    "asin",        "atan",       "batch_norm", "batchnormalization",
    "ceil",        "celu",       "clamp",      "clip",
    "cos",         "div",        "divide",     "elu",
    "erf",         "exp",        "floor",      "gelu",
    "hardsigmoid", "hardswish",  "hardtanh",   "hsigmoid",
    "hswish",      "leaky_relu", "leakyrelu",  "log",
    "logicaland",  "logicalor",  "maximum",    "minimum",
    "mish",        "mul",        "multiply",   "neg",
    "negative",    "not",        "or",         "pow",
    "power",       "prelu",      "relu",       "relu6",
    "round",       "rsqrt",      "selu",       "sigmoid",
    "sign",        "silu",       "sin",        "softplus",
    "sqrt",        "square",     "sub",        "subtract",
    "swish",       "tanh",       "xor"};

static const char *const views[] = {"alias",       "contiguous", "detach",   "dropout",
                                    "expand_dims", "flatten",    "identity", "reshape",
                                    "squeeze",     "unsqueeze",  "view"};

static bool is_in(const char *const *names, size_t count, const char *name) {
  for (const char *at = name; *at; at++)
    if ((*at == '.' || *at == ':') && at[1] && at[1] != ':') name = at + 1;
  size_t length = strlen(name);
  while (length > 1 && name[length - 1] == '_')
    length--;
  for (size_t i = 0; i < count; i++)
    if (strlen(names[i]) == length && strncasecmp(names[i], name, length) == 0) return true;
  return false;
}

bool operator_is_element_wise(const char *name) {
  return is_in(element_wise, sizeof element_wise / sizeof *element_wise, name);
}

bool operator_is_view(const char *name) {
  return is_in(views, sizeof views / sizeof *views, name);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a buffer manager of PPL.NN. */
#ifndef RUNTIMES_PPLNN_MANAGER_H
#define RUNTIMES_PPLNN_MANAGER_H

#include "runtimes/pplnn.h"
#include "runtimes/pplnn_compact.h"

struct pplnn_slot {
  neap_size size;
  bool is_idle;
};

struct pplnn_manager {
  struct pplnn_options options;
  struct compact compact; /* also the heap of the plain policy */
  struct pplnn_slot *slots;
  size_t slot_count, slot_capacity;
  size_t *stack; /* idle slots, the most recently freed one on top */
  size_t stack_count, stack_capacity;
  struct pplnn_figures figures;
};

#endif

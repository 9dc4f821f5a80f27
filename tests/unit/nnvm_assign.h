/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What NNVM's compiler and runtime do with the pass's plan: they give storage to variables and
 * assignments, and allocate the pool (doc/nnvm.md, sections 7 and 8). No engine needs this, but
 * the vectors do.
 */
#ifndef UNIT_NNVM_ASSIGN_H
#define UNIT_NNVM_ASSIGN_H

#include "runtimes/nnvm.h"

/* How a node assigns its second input to the variable that is its first input. */
enum nnvm_assign {
  NNVM_NO_ASSIGN,
  NNVM_ASSIGN,          /* by copying */
  NNVM_ASSIGN_COLLAPSED /* its second input is computed directly in the variable's storage */
};

/*
 * Gives each variable its own storage, and each assignment the storage of its variable.
 * NEAP_ERROR_INPUT if an entry has no storage, or if a collapsed assignment would be wrong
 * because its second input shares a block with another entry or because the variable's old
 * value is still read.
 */
neap_status nnvm_decorate(const struct nnvm_graph *graph, const enum nnvm_assign *assigns,
                          int64_t *storage, neap_error *error);

/*
 * The pool that the runtime allocates: for each storage id, the bytes of its largest entry, by
 * true element widths and in units of four. *bytes is released with free().
 */
neap_status nnvm_pool(const struct nnvm_graph *graph, const int64_t *storage, neap_size **bytes,
                      size_t *count, neap_error *error);

#endif

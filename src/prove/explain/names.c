/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "neap/proof.h"

const char *neap_verdict_name(neap_verdict verdict) {
  switch (verdict) {
  case NEAP_VERDICT_FITS:
    return "fits";
  case NEAP_VERDICT_DOES_NOT_FIT:
    return "does_not_fit";
  case NEAP_VERDICT_UNKNOWN:
    break;
  }
  return "unknown";
}

const char *neap_reason_name(neap_reason reason) {
  switch (reason) {
  case NEAP_REASON_SUM:
    return "sum";
  case NEAP_REASON_COLUMN:
    return "column";
  case NEAP_REASON_POOLS:
    return "pools";
  case NEAP_REASON_SET:
    return "set";
  case NEAP_REASON_NONE:
    break;
  }
  return "none";
}

const char *neap_change_kind_name(neap_change_kind kind) {
  static const char *const names[NEAP_CHANGE_KIND_COUNT] = {
      [NEAP_CHANGE_ALIGNMENT] = "alignment",
      [NEAP_CHANGE_FIXED] = "fixed",
      [NEAP_CHANGE_WINDOW] = "window",
      [NEAP_CHANGE_BANK] = "bank",
      [NEAP_CHANGE_RELATION] = "relation",
      [NEAP_CHANGE_RESERVED] = "reserved",
      [NEAP_CHANGE_OVERLAP] = "overlap",
      [NEAP_CHANGE_SIZE] = "size",
      [NEAP_CHANGE_END] = "end",
      [NEAP_CHANGE_START] = "start",
      [NEAP_CHANGE_CAPACITY] = "capacity"};
  return (unsigned)kind < NEAP_CHANGE_KIND_COUNT ? names[kind] : "unknown";
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the public enumerations, and the version. */
#include "neap/graph.h"
#include "neap/planner.h"

const char *neap_version(void) { return NEAP_VERSION_STRING; }

int neap_version_number(void) { return NEAP_VERSION_NUMBER; }

const char *neap_status_name(neap_status status) {
  switch (status) {
  case NEAP_OK:
    return "ok";
  case NEAP_ERROR_SYSTEM:
    return "system error";
  case NEAP_ERROR_MEMORY:
    return "out of memory";
  case NEAP_ERROR_ARGUMENT:
    return "bad argument";
  case NEAP_ERROR_INPUT:
    return "bad input";
  case NEAP_ERROR_FORMAT:
    return "inexpressible";
  case NEAP_INFEASIBLE:
    return "infeasible";
  case NEAP_NO_PLAN:
    return "no plan";
  case NEAP_ERROR_UNSOUND:
    return "unsound plan";
  }
  return "unknown status";
}

const char *neap_outcome_name(neap_outcome outcome) {
  switch (outcome) {
  case NEAP_OPTIMAL:
    return "optimal";
  case NEAP_FEASIBLE:
    return "feasible";
  }
  return "unknown";
}

const char *neap_time_unit_name(neap_time_unit unit) {
  switch (unit) {
  case NEAP_TIME_RUNS:
    return "runs";
  case NEAP_TIME_GIVEN:
    return "given";
  case NEAP_TIME_WORK:
    return "work";
  }
  return "unknown";
}

const char *neap_stop_reason_name(neap_stop_reason reason) {
  switch (reason) {
  case NEAP_STOP_BOUND:
    return "bound";
  case NEAP_STOP_PROVEN:
    return "proven";
  case NEAP_STOP_FIXED_POINT:
    return "fixed_point";
  case NEAP_STOP_ITERATION_CAP:
    return "iteration_cap";
  case NEAP_STOP_TIME_LIMIT:
    return "time_limit";
  case NEAP_STOP_TICK_LIMIT:
    return "tick_limit";
  case NEAP_STOP_CANCELLED:
    return "cancelled";
  case NEAP_STOP_CAPACITY:
    return "capacity";
  case NEAP_STOP_COMPLETE:
    return "complete";
  case NEAP_STOP_RUNTIME:
    return "runtime";
  case NEAP_STOP_INCOMPLETE:
    return "incomplete";
  }
  return "unknown";
}

const char *neap_risk_name(neap_risk risk) {
  switch (risk) {
  case NEAP_RISK_NONE:
    return "none";
  case NEAP_RISK_LOW:
    return "low";
  case NEAP_RISK_MEDIUM:
    return "medium";
  case NEAP_RISK_HIGH:
    return "high";
  }
  return "unknown";
}

const char *neap_move_outcome_name(neap_move_outcome outcome) {
  switch (outcome) {
  case NEAP_MOVE_LOWERED:
    return "lowered";
  case NEAP_MOVE_REFUTED:
    return "refuted";
  case NEAP_MOVE_OPEN:
    return "open";
  }
  return "unknown";
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the public enumerations, and the version. */
#include "core/text.h"
#include "neap/graph.h"
#include "neap/planner.h"

const char *neap_version(void) { return NEAP_VERSION_STRING; }

int neap_version_number(void) { return NEAP_VERSION_NUMBER; }

const char *neap_status_name(neap_status status) {
  static const char *const names[] = {
      [NEAP_OK] = "ok",
      [NEAP_ERROR_SYSTEM] = "system error",
      [NEAP_ERROR_MEMORY] = "out of memory",
      [NEAP_ERROR_ARGUMENT] = "bad argument",
      [NEAP_ERROR_INPUT] = "bad input",
      [NEAP_ERROR_FORMAT] = "inexpressible",
      [NEAP_INFEASIBLE] = "infeasible",
      [NEAP_NO_PLAN] = "no plan",
      [NEAP_ERROR_UNSOUND] = "unsound plan",
  };
  return TEXT_OF(names, status, "unknown status");
}

const char *neap_outcome_name(neap_outcome outcome) {
  static const char *const names[] = {[NEAP_OPTIMAL] = "optimal", [NEAP_FEASIBLE] = "feasible"};
  return TEXT_OF(names, outcome, "unknown");
}

const char *neap_time_unit_name(neap_time_unit unit) {
  static const char *const names[] = {
      [NEAP_TIME_RUNS] = "runs", [NEAP_TIME_GIVEN] = "given", [NEAP_TIME_WORK] = "work"};
  return TEXT_OF(names, unit, "unknown");
}

const char *neap_stop_reason_name(neap_stop_reason reason) {
  static const char *const names[] = {
      [NEAP_STOP_BOUND] = "bound",
      [NEAP_STOP_PROVEN] = "proven",
      [NEAP_STOP_FIXED_POINT] = "fixed_point",
      [NEAP_STOP_ITERATION_CAP] = "iteration_cap",
      [NEAP_STOP_TIME_LIMIT] = "time_limit",
      [NEAP_STOP_TICK_LIMIT] = "tick_limit",
      [NEAP_STOP_CANCELLED] = "cancelled",
      [NEAP_STOP_CAPACITY] = "capacity",
      [NEAP_STOP_COMPLETE] = "complete",
      [NEAP_STOP_RUNTIME] = "runtime",
      [NEAP_STOP_INCOMPLETE] = "incomplete",
  };
  return TEXT_OF(names, reason, "unknown");
}

const char *neap_risk_name(neap_risk risk) {
  static const char *const names[] = {[NEAP_RISK_NONE] = "none",
                                      [NEAP_RISK_LOW] = "low",
                                      [NEAP_RISK_MEDIUM] = "medium",
                                      [NEAP_RISK_HIGH] = "high"};
  return TEXT_OF(names, risk, "unknown");
}

const char *neap_move_outcome_name(neap_move_outcome outcome) {
  static const char *const names[] = {[NEAP_MOVE_LOWERED] = "lowered",
                                      [NEAP_MOVE_REFUTED] = "refuted",
                                      [NEAP_MOVE_OPEN] = "open"};
  return TEXT_OF(names, outcome, "unknown");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/certificates.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/figures.h"
#include "cli/messages.h"
#include "cli/run.h"
#include "neap-tool.h"

static bool is_wanted(void *user) {
  (void)user;
  return !run_interrupted();
}

/* A certificate may take as long as planning. */
static neap_certifying limits_of(const struct arguments *arguments) {
  int64_t millionths = 0;
  neap_certifying how = {.struct_size = sizeof(neap_certifying), .keep_on = is_wanted};
  neap_options_number(arguments->planning, "capacity", &how.capacity);
  if (neap_options_number(arguments->planning, "time-limit", &millionths))
    how.time_limit = (double)millionths * 1e-6;
  return how;
}

/* `plan` is NULL or proven to be optimal. */
static int refuse(const struct arguments *arguments, neap_plan *plan, neap_error *error) {
  char why[sizeof error->text];
  memcpy(why, error->text, sizeof why);
  if (plan) neap_plan_set_uncertified(plan, why);
  snprintf(error->text, sizeof error->text, "%sno certificate: %.400s", plan ? "proven, " : "",
           why);
  snprintf(error->source, sizeof error->source, "%s", arguments->certificate);
  return message_error(error);
}

static int certify(const struct arguments *arguments, const neap_problem *problem,
                   neap_plan *plan) {
  neap_error error;
  neap_certificate *certificate;
  neap_certifying how = limits_of(arguments);
  if (neap_certify(problem, plan, &how, &certificate, &error) != NEAP_OK)
    return refuse(arguments, plan, &error);
  neap_certificate_info info = NEAP_INIT(neap_certificate_info);
  char count[FIGURE_SIZE];
  neap_certificate_describe(certificate, &info);
  message_detail("certificate: %s, %s", neap_certificate_kind_name(info.kind),
                 figure_count(count, info.lines, "line"));
  neap_status status = neap_certificate_write(certificate, arguments->certificate, &error);
  neap_certificate_free(certificate);
  return message_written(arguments->certificate, status, &error);
}

/* Names the first term of which less is proven than the plan has. */
static void name_unproven(const neap_report *report, neap_error *error) {
  const struct {
    const char *name;
    neap_size value, proven;
  } terms[] = {{"peak", report->peak, report->lower_bound},
               {"reuse cost", report->reuse_cost, report->reuse_cost_lower_bound},
               {"number of spilled bytes", report->spilled_bytes, report->spilled_lower_bound},
               {"number of moved bytes", report->moved_bytes, report->moved_lower_bound}};
  error->status = NEAP_NO_PLAN;
  snprintf(error->text, sizeof error->text, "the plan is not proven to be optimal");
  for (size_t t = sizeof terms / sizeof *terms; t-- > 0;)
    if (terms[t].value > terms[t].proven)
      snprintf(error->text, sizeof error->text,
               "the plan's %s is %" PRId64 ", and only %" PRId64 " is proven", terms[t].name,
               terms[t].value, terms[t].proven);
}

int certificates_of_plan(const struct arguments *arguments, neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_error error = {0};
  neap_plan_report(plan, &report);
  if (report.outcome == NEAP_OPTIMAL) return certify(arguments, neap_plan_problem(plan), plan);
  name_unproven(&report, &error);
  return refuse(arguments, NULL, &error);
}

int certificates_of_problem(const struct arguments *arguments, const neap_problem *problem) {
  return certify(arguments, problem, NULL);
}

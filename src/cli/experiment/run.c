/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process of a file writes each result as soon as it has it: first the figures of the
 * problem, then those of the plan.  So the figures of the problem are known even if the process
 * is killed.
 */
#include "cli/experiment/run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands/commands.h"
#include "cli/output/messages.h"
#include "cli/run.h"
#include "neap-tool.h"

/* Notes why there is no plan, in the program's words. */
static void note_failure(struct outcome *outcome, neap_status status, neap_error *error) {
  commands_reword(error->text);
  outcome_note_failure(outcome, status, error->text);
}

/* ---------------------------------------------------------------- the child */

static void send_result(int output, const struct outcome *result) {
  /* Less than PIPE_BUF, so this is written completely or not at all. */
  ssize_t written = write(output, result, sizeof *result);
  (void)written;
}

static void measure_plan(const neap_problem *problem, const neap_options *options,
                         int output, struct outcome *result) {
  neap_error error;
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_plan *plan = NULL;
  neap_status status = neap_problem_bound(problem, &bound, &error);
  if (status == NEAP_OK) {
    result->buffers = (int64_t)neap_problem_count(problem);
    result->bound = bound.bytes;
    result->lower_bound = bound.lower_bound;
    send_result(output, result);
    double started = run_seconds();
    status = neap_solve(problem, options, &plan, &error);
    result->seconds = run_seconds() - started;
  }
  double seconds = result->seconds;
  if (status == NEAP_OK) outcome_note_plan(result, plan);
  else note_failure(result, status, &error);
  result->seconds = seconds;
  neap_plan_free(plan);
}

static void measure_problem(const struct arguments *arguments, const char *path, int output,
                            struct outcome *result) {
  neap_error error;
  neap_problem *problem;
  neap_status status = neap_problem_read(path, NULL, &problem, &error);
  if (status != NEAP_OK) {
    note_failure(result, status, &error);
    return;
  }
  measure_plan(problem, arguments->planning, output, result);
  neap_problem_free(problem);
}

static void run_child(const struct arguments *arguments, const char *path, int output) {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (arguments->memory_limit > 0) {
    rlim_t most = (rlim_t)arguments->memory_limit;
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
  }
  struct outcome result = OUTCOME_INIT;
  measure_problem(arguments, path, output, &result);
  send_result(output, &result);
}

/* ---------------------------------------------------------------- the parent */

/* Keeps the last result of the child until it ends; false if it must be killed. */
static bool await_result(int input, double deadline, struct outcome *result) {
  for (;;) {
    double left = deadline - run_seconds();
    if (left <= 0 || run_interrupted()) return false;
    struct pollfd ready = {.fd = input, .events = POLLIN};
    int count = poll(&ready, 1, left < 0.2 ? (int)(left * 1000) + 1 : 200);
    if (count < 0 && errno != EINTR) return false;
    if (count <= 0) continue;
    struct outcome received;
    ssize_t got = read(input, &received, sizeof received);
    if (got == 0) return true;
    if (got == (ssize_t)sizeof received) *result = received;
  }
}

/* Notes the end of a child that could not report it. */
static void note_end(struct outcome *result, bool killed, int status) {
  if (killed) strcpy(result->status, "timeout");
  else if (WIFSIGNALED(status))
    snprintf(result->error, sizeof result->error, "ended by signal %d", WTERMSIG(status));
}

static void await_child(pid_t child, int input, double patience, struct outcome *result) {
  struct rusage usage;
  int status = 0;
  bool killed = !await_result(input, run_seconds() + patience, result);
  if (killed) kill(child, SIGKILL);
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR)
    ;
  result->memory = (int64_t)usage.ru_maxrss * 1024;
  note_end(result, killed, status);
}

static void note_errno(struct outcome *result) {
  snprintf(result->error, sizeof result->error, "%s", strerror(errno));
}

/* Plans a file; the seconds of the outcome are those of planning, without reading. */
static void run_process(const struct experiment *experiment, const struct trial *trial,
                        struct outcome *outcome) {
  int ends[2];
  if (pipe(ends) != 0) {
    note_errno(outcome);
    return;
  }
  fflush(NULL); /* or the child would print it again */
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(experiment->arguments, trial->path, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  if (child < 0) note_errno(outcome);
  else await_child(child, ends[0], experiment->patience, outcome);
  close(ends[0]);
}

/* ---------------------------------------------------------------- the runs */

static int run_here(struct experiment *experiment, const struct trial *trial) {
  struct outcome outcome = OUTCOME_INIT;
  neap_error error;
  neap_plan *plan = NULL;
  struct run run = {.problem = experiment->problem,
                    .options = experiment->arguments->planning,
                    .label = trial->label};
  neap_status status = run_planner(&run, &plan, &error);
  if (status == NEAP_ERROR_MEMORY || status == NEAP_ERROR_UNSOUND) return message_error(&error);
  if (run_interrupted() && !experiment->keeps_stopped) {
    neap_plan_free(plan);
    return 0;
  }
  if (plan) outcome_note_plan(&outcome, plan);
  else note_failure(&outcome, status, &error);
  return experiment->keep(experiment->user, experiment->done++, &outcome, plan,
                          plan ? NULL : &error);
}

static int run_apart(struct experiment *experiment, const struct trial *trial) {
  struct outcome outcome = OUTCOME_INIT;
  if (messages_want_status()) message_status(trial->label);
  run_process(experiment, trial, &outcome);
  if (run_interrupted()) return 0;
  return experiment->keep(experiment->user, experiment->done++, &outcome, NULL, NULL);
}

int experiment_run(struct experiment *experiment) {
  int code = 0;
  run_catch_signals();
  for (size_t i = 0; i < experiment->count && code == 0 && !run_interrupted(); i++) {
    struct trial trial = {.path = NULL};
    code = experiment->prepare(experiment->user, i, &trial);
    if (code == 0)
      code = experiment->problem ? run_here(experiment, &trial) : run_apart(experiment, &trial);
  }
  message_status("");
  return code;
}

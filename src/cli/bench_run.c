/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The child writes each result as soon as it has it: first the figures of the problem, then those
 * of the plan.  So the figures of the problem are known even if the child is killed.
 */
#include "cli/bench_run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/run.h"

/* Copies as much as fits. */
static void set_text(char *to, size_t size, const char *from) {
  while (--size > 0 && *from)
    *to++ = *from++;
  *to = '\0';
}

/* ---------------------------------------------------------------- the child */

static void send_result(int output, const struct bench_result *result) {
  /* Less than PIPE_BUF, so this is written completely or not at all. */
  ssize_t written = write(output, result, sizeof *result);
  (void)written;
}

static void note_failure(struct bench_result *result, neap_status status,
                         const neap_error *error) {
  const char *name = status == NEAP_INFEASIBLE     ? "infeasible"
                     : status == NEAP_NO_PLAN      ? "unknown"
                     : status == NEAP_ERROR_MEMORY ? "memory"
                                                   : "failed";
  set_text(result->status, sizeof result->status, name);
  set_text(result->error, sizeof result->error, error->text);
}

static void note_plan(struct bench_result *result, const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  result->peak = report.peak;
  result->lower_bound = report.lower_bound;
  set_text(result->status, sizeof result->status, neap_outcome_name(report.outcome));
  set_text(result->stop_reason, sizeof result->stop_reason,
           neap_stop_reason_name(report.stop_reason));
}

static void measure_plan(const neap_problem *problem, const neap_options *options, int output,
                         struct bench_result *result) {
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
  if (status == NEAP_OK) note_plan(result, plan);
  else note_failure(result, status, &error);
  neap_plan_free(plan);
}

static void run_child(const struct arguments *arguments, const char *path, int output) {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (arguments->memory_limit > 0) {
    rlim_t most = (rlim_t)arguments->memory_limit;
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
  }
  struct bench_result result = {-1, -1, -1, -1, -1, -1, "failed", "", ""};
  neap_error error;
  neap_problem *problem;
  neap_status status = neap_problem_read(path, NULL, &problem, &error);
  if (status == NEAP_OK) measure_plan(problem, arguments->planning, output, &result);
  else note_failure(&result, status, &error);
  send_result(output, &result);
}

/* ---------------------------------------------------------------- the parent */

/* Keeps the last result of the child until it ends; false if it must be killed. */
static bool await_result(int input, double deadline, struct bench_result *result) {
  for (;;) {
    double left = deadline - run_seconds();
    if (left <= 0 || run_interrupted()) return false;
    struct pollfd ready = {.fd = input, .events = POLLIN};
    int count = poll(&ready, 1, left < 0.2 ? (int)(left * 1000) + 1 : 200);
    if (count < 0 && errno != EINTR) return false;
    if (count <= 0) continue;
    struct bench_result received;
    ssize_t got = read(input, &received, sizeof received);
    if (got == 0) return true;
    if (got == (ssize_t)sizeof received) *result = received;
  }
}

/* Notes how a child ended that could not report it. */
static void note_end(struct bench_result *result, bool killed, int status) {
  if (killed) set_text(result->status, sizeof result->status, "timeout");
  else if (WIFSIGNALED(status))
    snprintf(result->error, sizeof result->error, "ended by signal %d", WTERMSIG(status));
}

static void await_child(pid_t child, int input, double patience, struct bench_result *result) {
  struct rusage usage;
  int status = 0;
  bool killed = !await_result(input, run_seconds() + patience, result);
  if (killed) kill(child, SIGKILL);
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR)
    ;
  result->memory = (int64_t)usage.ru_maxrss * 1024;
  note_end(result, killed, status);
}

bool bench_run(const struct arguments *arguments, const char *path, double patience,
               struct bench_result *result) {
  int ends[2];
  *result = (struct bench_result){-1, -1, -1, -1, -1, -1, "failed", "", ""};
  if (pipe(ends) != 0) {
    set_text(result->error, sizeof result->error, strerror(errno));
    return !run_interrupted();
  }
  fflush(NULL); /* or the child would print it again */
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(arguments, path, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  if (child < 0) set_text(result->error, sizeof result->error, strerror(errno));
  else await_child(child, ends[0], patience, result);
  close(ends[0]);
  return !run_interrupted();
}

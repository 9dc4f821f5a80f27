/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/thread.h"

#include <signal.h>

bool thread_start(pthread_t *thread, void *(*run)(void *), void *user) {
  sigset_t all, old;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &old) != 0) return false;
  bool started = pthread_create(thread, NULL, run, user) == 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return started;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of the library. */
#ifndef CORE_THREAD_H
#define CORE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/*
 * Starts a thread that blocks all signals, so that the program's own threads handle them; false if
 * that is not possible.
 */
bool thread_start(pthread_t *thread, void *(*run)(void *), void *user);

#endif

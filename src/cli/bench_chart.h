/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chart of a benchmark. */
#ifndef CLI_BENCH_CHART_H
#define CLI_BENCH_CHART_H

#include "cli/bench_table.h"

/* Returns 0, or the exit code of the message it has printed. */
int bench_chart_draw(const struct bench_table *table, const char *path);

#endif

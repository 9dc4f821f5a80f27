/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options and values that have other names since an earlier version. */
#ifndef CLI_OPTIONS_RETIRED_H
#define CLI_OPTIONS_RETIRED_H

/*
 * Prints what replaces an option, or a value of one, and returns the exit code of the message; 0
 * if nothing was renamed.  `value` may be NULL.
 */
int retired_refuse(const char *option, const char *value);

#endif

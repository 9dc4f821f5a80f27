/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options and values that users may expect, such as those of earlier versions. */
#ifndef CLI_OPTIONS_RETIRED_H
#define CLI_OPTIONS_RETIRED_H

/*
 * Prints what to use instead of an option, or a value of one, and returns the exit code of the
 * message; 0 if there is nothing to say.  `value` may be NULL.
 */
int retired_refuse(const char *option, const char *value);

#endif

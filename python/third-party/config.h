/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of the config.h of GSL and protobuf-c, for systems that are like POSIX. */
#define PACKAGE "neap-third-party"

#define HAVE_ARPA_INET_H 1
#define HAVE_CTYPE_H 1
#define HAVE_DECL_FINITE 1
#define HAVE_DECL_ISFINITE 1
#define HAVE_DECL_ISINF 1
#define HAVE_DECL_ISNAN 1
#define HAVE_ERRNO_H 1
#define HAVE_FCNTL_H 1
#define HAVE_FLOAT_H 1
#define HAVE_ISINF 1
#define HAVE_ISNAN 1
#define HAVE_LIMITS_H 1
#define HAVE_MATH_H 1
#define HAVE_PTHREAD_H 1
#define HAVE_STAT 1
#define HAVE_STDARG_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRING_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_TIME_H 1
#define HAVE_UNISTD_H 1
#define HAVE_VA_COPY 1
#define HAVE_VFPRINTF 1
#define HAVE_VSNPRINTF 1
#define HAVE_SNPRINTF 1

/* GSL */
#define RETURN_IF_NULL(x) \
  if (!x) { \
    return; \
  }

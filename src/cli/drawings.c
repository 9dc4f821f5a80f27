/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/drawings.h"

#include "cli/files.h"

neap_writing drawings_of(const struct arguments *arguments, const char *path) {
  return (neap_writing){.struct_size = sizeof(neap_writing),
                        .name = files_is_standard(path) ? NULL : files_last_part(path),
                        .colour_by = arguments->colour_by};
}

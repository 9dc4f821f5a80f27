/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/reading.h"

#include "core/sized.h"

neap_status reading_take(const neap_reading *given, neap_reading *own, neap_error *error) {
  *own = (neap_reading)NEAP_INIT(neap_reading);
  if (!given) return NEAP_OK;
  neap_status status = SIZED_READ(neap_reading, *own, given, error);
  if (status == NEAP_OK)
    status = SIZED_CHECK_RESERVED(own->table.reserved, "neap_table_reading", error);
  if (status == NEAP_OK)
    status = SIZED_CHECK_RESERVED(own->dot.reserved, "neap_dot_reading", error);
  if (status == NEAP_OK)
    status = SIZED_CHECK_RESERVED(own->graph.reserved, "neap_graph_reading", error);
  if (status == NEAP_OK)
    status = SIZED_CHECK_RESERVED(own->model.reserved, "neap_model_reading", error);
  return status;
}

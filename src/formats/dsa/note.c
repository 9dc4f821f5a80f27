/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/dsa/note.h"

#include "core/error.h"
#include "formats/json/document.h"

/* Its address identifies notes. */
static const char note_owner;

/* dsa-solver writes metadata even if there are none, and no empty lists of reasons or features. */
static neap_status complete(json_t *root, neap_error *error) {
  json_t *constraints = json_object_get(json_object_get(root, "problem"), "constraints");
  json_t *separations = json_object_get(constraints, "separations");
  for (size_t i = 0; i < json_array_size(separations); i++) {
    json_t *separation = json_array_get(separations, i);
    if (json_array_size(json_object_get(separation, "reasons")) == 0)
      json_object_del(separation, "reasons");
  }
  if (json_array_size(json_object_get(root, "relaxed_features")) == 0)
    json_object_del(root, "relaxed_features");
  if (json_object_get(root, "metadata")) return NEAP_OK;
  return json_object_set_new(root, "metadata", json_object()) == 0 ? NEAP_OK
                                                                   : error_memory(error);
}

neap_status note_set(struct neap_problem *problem, json_t *root, neap_error *error) {
  struct printer printer = {.stream = NULL};
  neap_status status = complete(root, error);
  if (status == NEAP_OK) {
    printer_value(&printer, NULL, root);
    row_char(&printer.row, '\n');
    struct row *row = &printer.row;
    if (row->failed || !problem_set_note(problem, &note_owner, row->text, row->length))
      status = error_memory(error);
  }
  printer_clear(&printer);
  return status;
}

const struct problem_note *note_of(const struct neap_problem *problem) {
  return problem_note(problem, &note_owner);
}

neap_status note_parse(const struct problem_note *note, json_t **root, neap_error *error) {
  struct json_document document;
  neap_status status =
      json_document_open(&document, (const char *)note->bytes, note->size, "", error);
  if (status == NEAP_OK) *root = document.root;
  return status;
}

void note_fingerprint(const struct problem_note *note, char text[PRINTER_FINGERPRINT]) {
  struct printer printer = {.row = {.text = (char *)note->bytes, .length = note->size}};
  printer_flush(&printer, NULL);
  printer_fingerprint(&printer, text);
}

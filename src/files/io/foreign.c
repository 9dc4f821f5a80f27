/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/foreign.h"

#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "files/json/scan.h"

#define TORCH "export the model to ONNX with torch.onnx.export, or its buffers as a table"
#define KERAS "convert the model to TensorFlow Lite with tf.lite.TFLiteConverter"
#define WEIGHTS "it has weights but no operators; export the model to ONNX"
#define SHEET "save the sheet as CSV"
#define TABLE "write a table with the columns id,lower,upper,size"
#define HLO "convert it with python3 -m neap.hlo"
#define SNAPSHOT "convert a snapshot of PyTorch's memory with python3 -m neap.snapshot"
#define LFS "version https://git-lfs.github.com/spec/"
#define ARRAY "pass the model, or an array of its bytes as xxd -i writes it"
#define UNPACK "unpack it first"
#define ABSENT "use a neap with libneap-models, which was not built or is not loaded here"
#define PICTURE "plan the table, model or graph that it shows, or check the plan in JSON or CSV"

/* A file matches the first row of which it has the bytes and the ending, where these are given. */
static const struct foreign {
  const char *what, *advice, *ending, *bytes;
  size_t length, offset; /* of the bytes */
} foreign[] = {
    {"a Git LFS pointer", "fetch the file with git lfs pull", NULL, LFS, sizeof LFS - 1, 0},
    {"a PyTorch file", TORCH, ".pt", "PK\3\4", 4, 0},
    {"a PyTorch file", TORCH, ".pth", "PK\3\4", 4, 0},
    {"an exported program of PyTorch", TORCH, ".pt2", "PK\3\4", 4, 0},
    {"a Keras model", KERAS, ".keras", "PK\3\4", 4, 0},
    {"a spreadsheet", SHEET, ".xlsx", "PK\3\4", 4, 0},
    {"a spreadsheet", SHEET, ".ods", "PK\3\4", 4, 0},
    {"an archive of NumPy arrays", TABLE, ".npz", "PK\3\4", 4, 0},
    {"a zip archive", UNPACK, NULL, "PK\3\4", 4, 0},
    {"a spreadsheet", SHEET, NULL, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, 0},
    {"compressed with gzip", UNPACK, NULL, "\x1f\x8b", 2, 0},
    {"compressed with bzip2", UNPACK, NULL, "BZh", 3, 0},
    {"compressed with xz", UNPACK, NULL, "\xfd\x37zXZ", 6, 0},
    {"compressed with zstd", UNPACK, NULL, "\x28\xb5\x2f\xfd", 4, 0},
    {"a tar archive", UNPACK, NULL, "ustar", 5, 257},
    {"a model in the form of ONNX Runtime (.ort)", "pass the .onnx model that it was made from",
     NULL, "ORTM", 4, 4},
    {"a TensorFlow Lite model", ABSENT, NULL, "TFL3", 4, 4},
    {"an ONNX model", ABSENT, ".onnx", "\x08", 1, 0},
    {"GGUF", WEIGHTS, NULL, "GGUF", 4, 0},
    {"safetensors", WEIGHTS, NULL, "\0{\"", 3, 7},
    {"a NumPy array", TABLE, NULL, "\x93NUMPY", 6, 0},
    {"a Parquet table", "save it as CSV", NULL, "PAR1", 4, 0},
    {"HDF5", KERAS, NULL, "\x89HDF\r\n\x1a\n", 8, 0},
    {"an ExecuTorch program", "plan with neap.hosts.executorch while it is made", NULL, "ET12",
     4, 4},
    {"a snapshot or another pickle of Python", SNAPSHOT, ".pickle", "\x80", 1, 0},
    {"a snapshot or another pickle of Python", SNAPSHOT, ".pkl", "\x80", 1, 0},
    {"a pickle of Python", TORCH, NULL, "\x80\2", 2, 0},
    {"a pickle of Python", TORCH, NULL, "\x80\3", 2, 0},
    {"a pickle of Python", TORCH "; " SNAPSHOT, NULL, "\x80\4\x95", 3, 0},
    {"a pickle of Python", TORCH "; " SNAPSHOT, NULL, "\x80\5\x95", 3, 0},
    {"an HLO module of XLA", HLO, NULL, "HloModule ", 10, 0},
    {"a buffer assignment of XLA", HLO, NULL, "BufferAssignment:", 17, 0},
    {"a program or library (ELF)", "pass a model, a graph or a table", NULL, "\x7f\x45LF", 4,
     0},
    {"a picture (PNG)", PICTURE, NULL, "\x89PNG", 4, 0},
    {"a document (PDF)", PICTURE, NULL, "%PDF-", 5, 0},
    {"a picture (SVG)", PICTURE, ".svg", "<", 1, 0},
    {"XML", "pass a model, a graph or a table", NULL, "<?xml", 5, 0},
    {"UTF-16", "save it as UTF-8, or use iconv -f UTF-16 -t UTF-8", NULL, "\xff\xfe", 2, 0},
    {"UTF-16", "save it as UTF-8, or use iconv -f UTF-16 -t UTF-8", NULL, "\xfe\xff", 2, 0},
    {"a TensorFlow graph", KERAS, ".pb", NULL, 0, 0},
    {"source code without a TensorFlow Lite model", ARRAY, ".c", NULL, 0, 0},
    {"source code without a TensorFlow Lite model", ARRAY, ".cc", NULL, 0, 0},
    {"source code without a TensorFlow Lite model", ARRAY, ".cpp", NULL, 0, 0},
    {"source code without a TensorFlow Lite model", ARRAY, ".h", NULL, 0, 0},
    {"MLIR", "plan it with python3 -m neap.hosts.mlir", ".mlir", NULL, 0, 0},
};

static bool has_ending(const char *path, const char *ending) {
  size_t length = strlen(path), end = strlen(ending);
  return length > end && strcasecmp(path + length - end, ending) == 0;
}

/* Keys may come in any order, and dsa-solver writes this one last. */
static bool is_dsa_solvers(const char *text, size_t size) {
  size_t at = scan_blank(text, size, 0), value;
  return at < size && text[at] == '{' && !scan_member(text, size, at, "format", &value) &&
         scan_member(text, size, at, "schema_version", &value);
}

neap_status foreign_check(const char *path, const char *text, size_t size, neap_error *error) {
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
    const struct foreign *row = &foreign[i];
    bool is_at = row->length == 0 || (size >= row->offset + row->length &&
                                      memcmp(text + row->offset, row->bytes, row->length) == 0);
    if (is_at && (!row->ending || has_ending(path, row->ending)))
      return error_set(error, NEAP_ERROR_INPUT, "this is %s, which neap cannot read; %s",
                       row->what, row->advice);
  }
  if (is_dsa_solvers(text, size))
    return error_set(
        error, NEAP_ERROR_INPUT,
        "this is a document of dsa-solver, which neap cannot read; convert it with "
        "python3 -m neap.dsa");
  return NEAP_OK;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the example instances: networks described from their publications, as tensors with
 * lifetimes (CSV), as sequences of memory operations (.ops) or as graphs of operators (.dot, and JSON
 * that also tells which tensors are parts of others).
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "networks/graph.h"
#include "networks/network.h"
#include "networks/write.h"

enum { EXIT_SYSTEM = 1, EXIT_USAGE = 2 };

static const struct network *const networks[] = {
    &network_bert_base,           &network_densenet121, &network_inception_v1,
    &network_mobilenet_v2,        &network_resnet50,    &network_ssd300,
    &network_transformer_encoder, &network_unet,
};

enum { NETWORKS = sizeof networks / sizeof networks[0] };

static const struct format {
  const char *name; /* also the suffix of its files */
  void (*write)(FILE *stream, const struct graph *g, int64_t alignment);
} formats[] = {{"csv", write_csv}, {"dot", write_dot}, {"ops", write_ops}, {"json", write_json}};

enum { FORMATS = sizeof formats / sizeof formats[0] };

static const char usage[] =
    "usage: networks NAME csv|ops|dot|json  write one network to standard output\n"
    "       networks --all DIR           write the files of the examples to DIR\n"
    "       networks --list              name the networks and their sources\n";

static const struct network *find_network(const char *name) {
  for (size_t i = 0; i < NETWORKS; i++) {
    if (strcmp(networks[i]->name, name) == 0) {
      return networks[i];
    }
  }
  return NULL;
}

static const struct format *find_format(const char *name) {
  for (size_t i = 0; i < FORMATS; i++) {
    if (strcmp(formats[i].name, name) == 0) {
      return &formats[i];
    }
  }
  return NULL;
}

static int complain_usage(const char *what, const char *word) {
  fprintf(stderr, "networks: %s", what);
  if (word != NULL) {
    fprintf(stderr, " '%s'", word);
  }
  fprintf(stderr, "\n%s", usage);
  return EXIT_USAGE;
}

static bool complain_system(const char *where) {
  fprintf(stderr, "networks: %s: %s\n", where, strerror(errno));
  return false;
}

/* Closes the stream; false, with errno set, if anything written to it was lost. */
static bool close_checked(FILE *stream) {
  errno = 0;
  bool lost = fflush(stream) != 0 || ferror(stream) != 0;
  int cause = errno != 0 ? errno : EIO;
  if (fclose(stream) != 0 && !lost) {
    lost = true;
    cause = errno;
  }
  errno = cause;
  return !lost;
}

static bool describe(const struct network *network, struct graph *g) {
  graph_init(g);
  network->describe(g);
  if (!graph_finish(g)) {
    fprintf(stderr, "networks: %s: %s\n", network->name, g->error);
    return false;
  }
  return true;
}

/* Readers never see half a file: it gets its name when it is whole. */
static bool write_file(const struct network *network, const struct format *format,
                       const struct graph *g, const char *path, const char *draft) {
  FILE *stream = fopen(draft, "w");
  if (stream == NULL) {
    return complain_system(draft);
  }
  format->write(stream, g, network->alignment);
  if (!close_checked(stream)) {
    complain_system(draft);
    remove(draft);
    return false;
  }
  if (rename(draft, path) != 0) {
    complain_system(path);
    remove(draft);
    return false;
  }
  return true;
}

static char *join_path(const char *directory, const char *stem, const char *suffix,
                       const char *more) {
  size_t length = strlen(directory) + strlen(stem) + strlen(suffix) + strlen(more) + 3;
  char *path = malloc(length);
  if (path != NULL) {
    snprintf(path, length, "%s/%s.%s%s", directory, stem, suffix, more);
  }
  return path;
}

static bool write_into(const char *directory, const struct network *network,
                       const struct format *format, const struct graph *g) {
  char *path = join_path(directory, network->name, format->name, "");
  char *draft = join_path(directory, network->name, format->name, ".tmp");
  bool done = false;
  if (path == NULL || draft == NULL) {
    fprintf(stderr, "networks: out of memory\n");
  } else {
    done = write_file(network, format, g, path, draft);
  }
  free(path);
  free(draft);
  return done;
}

static int run_all(const char *directory) {
  bool done = true;
  for (size_t i = 0; i < NETWORKS && done; i++) {
    struct graph g;
    done = describe(networks[i], &g);
    for (size_t f = 0; f < FORMATS && done; f++) {
      bool is_wanted = strstr(networks[i]->files, formats[f].name) != NULL;
      done = !is_wanted || write_into(directory, networks[i], &formats[f], &g);
    }
    graph_free(&g);
  }
  return done ? EXIT_SUCCESS : EXIT_SYSTEM;
}

static int finish_output(void) {
  if (!close_checked(stdout)) {
    complain_system("standard output");
    return EXIT_SYSTEM;
  }
  return EXIT_SUCCESS;
}

static int run_one(const struct network *network, const struct format *format) {
  struct graph g;
  bool done = describe(network, &g);
  if (done) {
    format->write(stdout, &g, network->alignment);
  }
  graph_free(&g);
  return done ? finish_output() : EXIT_SYSTEM;
}

static int run_list(void) {
  for (size_t i = 0; i < NETWORKS; i++) {
    printf("%-20s %s (%s)\n", networks[i]->name, networks[i]->summary, networks[i]->source);
  }
  return finish_output();
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    fputs(usage, stdout);
    return finish_output();
  }
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    return run_list();
  }
  if (argc > 1 && strcmp(argv[1], "--all") == 0) {
    return argc == 3 ? run_all(argv[2]) : complain_usage("one directory follows", "--all");
  }
  if (argc > 1 && argv[1][0] == '-') {
    return complain_usage("not understood:", argv[1]);
  }
  if (argc != 3) {
    return complain_usage("a network's name and a format are expected", NULL);
  }
  const struct network *network = find_network(argv[1]);
  if (network == NULL) {
    return complain_usage("no network is called", argv[1]);
  }
  const struct format *format = find_format(argv[2]);
  if (format == NULL) {
    return complain_usage("csv, ops, dot or json is expected, not", argv[2]);
  }
  return run_one(network, format);
}

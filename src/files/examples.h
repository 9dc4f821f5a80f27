/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A minimal document of each format that people write.  'neap help formats' shows them, and errors
 * about JSON contain the one that is meant.
 */
#ifndef FILES_EXAMPLES_H
#define FILES_EXAMPLES_H

#define EXAMPLE_CSV "id,lower,upper,size\na,0,2,64\nb,1,3,32\n"

#define EXAMPLE_OPS "name,type,size\na,alloc,64\nb,alloc,32\na,free,\n"

#define EXAMPLE_JSON_PROBLEM                         \
  "{\"format\": \"neap-problem\", \"version\": 1,\n" \
  " \"buffers\": [{\"name\": \"a\", \"size\": 64, \"lifetimes\": [[0, 2]]}]}\n"

#define EXAMPLE_JSON_GRAPH                                                                \
  "{\"format\": \"neap-graph\", \"version\": 1,\n"                                        \
  " \"tensors\": [{\"name\": \"x\", \"bytes\": 64}, {\"name\": \"y\", \"bytes\": 32}],\n" \
  " \"operators\": [{\"name\": \"relu\", \"inputs\": [\"x\"], \"outputs\": [\"y\"]}],\n"  \
  " \"inputs\": [\"x\"], \"outputs\": [\"y\"]}\n"

#define EXAMPLE_JSON_PLAN                                      \
  "{\"format\": \"neap-plan\", \"version\": 1, \"buffers\":\n" \
  " [{\"name\": \"a\", \"size\": 64, \"lifetimes\": [[0, 2]], \"offset\": 0}]}\n"

#define EXAMPLE_DOT "digraph { x -> y [size=64]; y -> z [size=32] }\n"

#endif

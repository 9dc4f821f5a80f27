/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of published networks that can be generated. */
#ifndef GEN_PUBLISHED_H
#define GEN_PUBLISHED_H

#include "core/random.h"
#include "gen/layers.h"

/* A network of cells; cells.c has its members. */
struct cells;

struct network {
  neap_network_info info;
  const struct cells *cells; /* NULL: RandWire */
};

/* AmoebaNet-A, DARTS, NASNet-A and PNAS, for CIFAR and ImageNet. */
extern const struct cells cells_amoebanet_cifar, cells_amoebanet_imagenet, cells_darts_cifar,
    cells_darts_imagenet, cells_nasnet_cifar, cells_nasnet_imagenet, cells_pnas_cifar;

void cells_build(const struct cells *cells, struct layers *layers);
void randwire_build(struct layers *layers, struct random *random);

#endif

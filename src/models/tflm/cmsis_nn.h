/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernels of CMSIS-NN allocate where it differs from the reference kernels. */
#ifndef MODELS_TFLM_CMSIS_NN_H
#define MODELS_TFLM_CMSIS_NN_H

struct kernel;

/* NULL for operators that CMSIS-NN has no kernel for, or whose kernels allocate the same. */
const struct kernel *cmsis_nn_find(unsigned code);

#endif

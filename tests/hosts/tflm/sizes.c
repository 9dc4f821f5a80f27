/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the kernels of CMSIS-NN on this machine request as much as on processors with an extension,
 * dsp or mve: a linker's --wrap leads calls of NAME_get_buffer_size to __wrap_NAME_get_buffer_size,
 * for each NAME below.  Such a program can prepare models, but not run them.
 */
#include "arm_nnfunctions.h"

#define JOIN(name, extension) name##_get_buffer_size_##extension
#define OF_EXTENSION(name, extension) JOIN(name, extension)
#define SIZE(name, parameters, arguments)              \
  int32_t __wrap_##name##_get_buffer_size parameters;  \
  int32_t __wrap_##name##_get_buffer_size parameters { \
    return OF_EXTENSION(name, EXTENSION) arguments;    \
  }

typedef const cmsis_nn_dims *shape;
typedef const cmsis_nn_conv_params *conv;
typedef const cmsis_nn_dw_conv_params *depthwise;
typedef const cmsis_nn_transpose_conv_params *transposed;

/* For dsp there is no function of its own. */
int32_t __real_arm_transpose_conv_s8_get_buffer_size(transposed p, shape in, shape filter,
                                                     shape out);
#define arm_transpose_conv_s8_get_buffer_size_dsp __real_arm_transpose_conv_s8_get_buffer_size

/* The runtime does not set the strides, on which some sizes depend; 1 gives the largest sizes. */
static depthwise with_strides(depthwise p) {
  static cmsis_nn_dw_conv_params set;
  set = *p;
  set.stride.w = set.stride.h = 1;
  return &set;
}

SIZE(arm_convolve_wrapper_s8, (conv p, shape in, shape filter, shape out), (p, in, filter, out))
SIZE(arm_convolve_wrapper_s16, (conv p, shape in, shape filter, shape out),
     (p, in, filter, out))
SIZE(arm_depthwise_conv_wrapper_s8, (depthwise p, shape in, shape filter, shape out),
     (with_strides(p), in, filter, out))
SIZE(arm_depthwise_conv_wrapper_s4, (depthwise p, shape in, shape filter, shape out),
     (p, in, filter, out))
SIZE(arm_transpose_conv_s8, (transposed p, shape in, shape filter, shape out),
     (p, in, filter, out))
SIZE(arm_fully_connected_s8, (shape filter), (filter))
SIZE(arm_fully_connected_s16, (shape filter), (filter))
SIZE(arm_svdf_s8, (shape weights), (weights))
SIZE(arm_avgpool_s8, (int width, int channels), (width, channels))
SIZE(arm_avgpool_s16, (int width, int channels), (width, channels))

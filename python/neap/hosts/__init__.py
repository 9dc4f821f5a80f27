# SPDX-License-Identifier: GPL-3.0-or-later
"""Adapters with which compilers and runtimes in Python plan with neap.

`tinygrad`, `executorch`, `cadence` and `vela` stand in for the planners of these programs, and
`mlir` rewrites modules.  `omnimalloc` is an allocator for that library.  `arenas` is what adapters for
several memories share.
"""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Callbacks from C; an exception in one, such as Ctrl-C, ends the run."""
from __future__ import annotations

from typing import Any, Callable, Optional

from _neap.declarations import ffi


class Watch:
    """Calls Python functions from C, and keeps the first exception that one raises.

    A signal such as Ctrl-C is handled while such a function runs, so a run that calls back from
    time to time can be interrupted although it never leaves C.
    """

    def __init__(self, stop: Callable[[], None] = lambda: None) -> None:
        self._stop = stop
        self.caught: Optional[BaseException] = None

    def catch(self, error: BaseException) -> None:
        """Keeps an exception and stops the run."""
        self.caught = self.caught or error
        self._stop()

    def callback(
        self, declaration: str, function: Callable[..., object], failed: object = None
    ) -> Any:
        """A pointer for C; after an exception, C gets `failed`."""

        def on_error(_kind: object, error: BaseException, _trace: object) -> object:
            self.catch(error)
            return failed

        if failed is None:
            return ffi.callback(declaration, function, onerror=on_error)
        return ffi.callback(declaration, function, error=failed, onerror=on_error)

    def is_interrupted(self) -> bool:
        """Whether Ctrl-C ended the run."""
        return isinstance(self.caught, KeyboardInterrupt)

    def raise_caught(self) -> None:
        """Raises the exception that was caught, unless it was Ctrl-C."""
        if self.caught is not None and not self.is_interrupted():
            raise self.caught

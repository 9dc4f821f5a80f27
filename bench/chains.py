# SPDX-License-Identifier: GPL-3.0-or-later
"""Models as bytes, without the packages of their formats: chains of RELU in TensorFlow Lite and ONNX."""
import struct


class FlatBuffer:
    """A FlatBuffer written from front to back: a table, then the objects that it refers to."""

    def __init__(self):
        self.bytes = bytearray(8)  # the root's offset, and the identifier

    def pad(self, to):
        self.bytes += bytes(-len(self.bytes) % to)

    def refer(self, at, write):
        """Points the word at `at` to the object that `write` appends."""
        self.pad(4)
        struct.pack_into("<I", self.bytes, at, len(self.bytes) - at)
        write()

    def table(self, *fields):
        """Writes a table; a field is None, a number or a function that writes it, and takes four bytes."""
        vtable = len(self.bytes)
        slots, at = [], 4
        for field in fields:
            slots.append(0 if field is None else at)
            at += 0 if field is None else 4
        self.bytes += struct.pack(f"<{2 + len(slots)}H", 4 + 2 * len(slots), at, *slots)
        self.pad(4)
        table = len(self.bytes)
        self.bytes += struct.pack("<i", table - vtable) + bytes(at - 4)
        for field, slot in zip(fields, slots):
            if callable(field):
                self.refer(table + slot, field)
            elif field is not None:
                struct.pack_into("<i", self.bytes, table + slot, field)
        return table

    def numbers(self, values):
        return lambda: self.bytes.extend(struct.pack(f"<I{len(values)}i", len(values), *values))

    def text(self, text):
        return lambda: self.bytes.extend(struct.pack("<I", len(text)) + text.encode() + b"\0")

    def tables(self, count, fields):
        """A list of tables; `fields` makes the fields of one table."""

        def write():
            at = len(self.bytes)
            self.bytes.extend(struct.pack("<I", count) + bytes(4 * count))
            for i in range(count):
                self.pad(4)
                table = self.table(*fields(i))
                struct.pack_into("<I", self.bytes, at + 4 + 4 * i, table - (at + 4 + 4 * i))

        return write


def tflite(count):
    """`count` operators."""
    file = FlatBuffer()
    tensor = lambda i: (file.numbers([1, 16]), None, None, file.text(f"t{i}"))
    operator = lambda i: (None, file.numbers([i]), file.numbers([i + 1]))
    graph = lambda _: (file.tables(count + 1, tensor), file.numbers([0]), file.numbers([count]), file.tables(count, operator))
    relu = lambda _: (19, None, None, 19)
    root = file.table(3, file.tables(1, relu), file.tables(1, graph), None, file.tables(1, lambda _: ()))
    struct.pack_into("<I4s", file.bytes, 0, root, b"TFL3")
    return bytes(file.bytes)


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def onnx(count):
    shape = b"".join(field(1, field(1, d)) for d in (1, 16))
    value = lambda name: field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))
    nodes = (field(1, field(1, f"t{i}") + field(2, f"t{i + 1}") + field(4, "Relu")) for i in range(count))
    graph = b"".join(nodes) + field(2, "g") + field(11, value("t0")) + field(12, value(f"t{count}"))
    return field(1, 8) + field(7, graph) + field(8, field(2, 17))

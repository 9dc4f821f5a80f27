#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""derive.py KIND INPUT: reads a published file and prints the planning problem in it as CSV.

KIND    INPUT
first   node intervals and usages of an IOPDDL problem (.json.gz); each node takes its first strategy
least   the same with each node's strategy of least memory
hlo     an XLA module as HLO text
trace   a PyTorch execution trace (.json, .json.gz, or a .tar.gz and '!' and the name of its member)
pool=N  the buffers of pool N in a problem of dsa-solver (.json)
model   a table that `neap convert` printed for a model; only lifetimes and sizes are kept
folded  the same, without operators that only unpack constants

All times are half-open.  A buffer lives from the operation that makes it up to its last reader.
"""
import bisect
import csv
import gzip
import json
import re
import sys
import tarfile


def fail(text):
    sys.exit(f'derive.py: {text}')


def print_rows(rows):
    """Prints (lower, upper, size) rows with ids from 0."""
    print_named((str(i), *row) for i, row in enumerate(rows))


def print_named(rows):
    print('id,lower,upper,size')
    for row in rows:
        print(','.join(str(field) for field in row))


def read_bytes(path):
    """Reads a file; 'ARCHIVE.tar.gz!MEMBER' is a member of an archive."""
    path, _, member = path.partition('!')
    if member:
        with tarfile.open(path) as archive:
            return archive.extractfile(member).read()
    with open(path, 'rb') as file:
        data = file.read()
    return gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data


# ---------------------------------------------------------------- IOPDDL

def iopddl(path, choose):
    """A buffer per node that lives at some time and uses memory, with the node's number as id."""
    nodes = json.loads(read_bytes(path))['problem']['nodes']
    rows = []
    for i, ((lower, upper), usages) in enumerate(zip(nodes['intervals'], nodes['usages'])):
        if lower < upper and choose(usages) > 0:
            rows.append((i, lower, upper, choose(usages)))
    print_named(rows)


# ---------------------------------------------------------------- HLO

BYTES = {'pred': 1, 's8': 1, 'u8': 1, 's16': 2, 'u16': 2, 'f16': 2, 'bf16': 2, 's32': 4, 'u32': 4, 'f32': 4,
         's64': 8, 'u64': 8, 'f64': 8, 'c64': 8, 'c128': 16, 'f8e4m3fn': 1, 'f8e5m2': 1}
ARRAY = re.compile(r'([a-z0-9]+)\[([0-9,]*)\](\{[^}]*\})?')
COMPUTATION = re.compile(r'(ENTRY )?%(\S+) \(.*\{\s*$')
INSTRUCTION = re.compile(r'\s+(ROOT )?%?(\S+) = ')
UNPLANNED = ('parameter', 'constant', 'broadcast', 'iota')  # owned by the caller, or cheap to make where used
VIEWS = ('reshape', 'bitcast')


class Instruction:
    def __init__(self, line, start):
        self.is_root, self.name = bool(start[1]), start[2]
        self.shape, at = parse_shape(line, start.end())
        opcode = re.compile(r' ([a-z0-9-]+)\(').match(line, at)
        self.opcode = opcode[1]
        end = closing(line, opcode.end())
        self.text, rest = line[opcode.end():end], line[end:]
        takes_values = self.opcode not in ('parameter', 'constant')
        self.operands = re.findall(r'%([^\s,()]+)', self.text) if takes_values else []
        callee = re.search(r'to_apply=%([^\s,]+)', rest)
        self.callee = callee and callee[1]
        index = re.search(r'index=(\d+)', rest)
        self.index = index and int(index[1])


def closing(line, at):
    """The position of the bracket that closes the one opened before `at`."""
    depth = 1
    while depth:
        depth += (line[at] in '({[') - (line[at] in ')}]')
        at += 1
    return at - 1


def parse_shape(line, at):
    """A number of bytes, or a list of shapes for a tuple; and the position after it."""
    if line[at] != '(':
        array = ARRAY.match(line, at)
        if not array:
            fail(f'unknown shape: {line[at:at + 40]}')
        size = BYTES[array[1]]
        for extent in filter(None, array[2].split(',')):
            size *= int(extent)
        return size, array.end()
    members, at = [], at + 1
    while line[at] != ')':
        skipped = re.compile(r'(,|\s|/\*[^*]*\*/)+').match(line, at)
        if skipped:
            at = skipped.end()
            continue
        member, at = parse_shape(line, at)
        members.append(member)
    return members, at + 1


def parse_hlo(text):
    """The instructions of each computation, and the name of the entry computation."""
    computations, entry, current = {}, None, None
    for line in text.split('\n'):
        begin = COMPUTATION.match(line)
        if begin:
            current = computations[begin[2]] = []
            entry = begin[2] if begin[1] else entry
        elif line.startswith('}'):
            current = None
        elif current is not None and INSTRUCTION.match(line):
            current.append(Instruction(line, INSTRUCTION.match(line)))
    if entry is None:
        fail('no entry computation')
    return computations, entry


class Liveness:
    """
    Runs a module one instruction after the other.  A value is a buffer [lower, last, size], None where nothing
    is planned, or a tuple of values.
    """

    def __init__(self, computations):
        self.computations, self.now, self.buffers = computations, 0, []

    def make(self, shape, carried=None):
        """A new value; a value that a loop carries stays in its buffer."""
        if isinstance(shape, list):
            parts = carried if carried is not None else [None] * len(shape)
            return tuple(self.make(member, part) for member, part in zip(shape, parts))
        if carried is not None:
            return carried
        self.buffers.append([self.now, self.now, shape])
        return self.buffers[-1]

    def use(self, value, when):
        if isinstance(value, tuple):
            for member in value:
                self.use(member, when)
        elif value is not None:
            value[1] = max(value[1], when)

    def step(self, instruction, values, arguments):
        opcode = instruction.opcode
        if opcode == 'parameter' and arguments is not None:
            return arguments[int(instruction.text)]
        if opcode in UNPLANNED:
            return nothing(instruction.shape)
        if opcode == 'tuple':
            return tuple(values)
        if opcode == 'get-tuple-element':
            return values[0][instruction.index]
        if opcode in VIEWS:
            return values[0]
        if opcode == 'call':
            return self.run(instruction.callee, values)
        for value in values:
            self.use(value, self.now)
        made = self.make(instruction.shape, values[0] if opcode == 'while' else None)
        self.now += 1
        return made

    def run(self, name, arguments):
        """Runs a computation and returns the value of its root."""
        known, root = {}, None
        for instruction in self.computations[name]:
            values = [known[operand] for operand in instruction.operands]
            known[instruction.name] = self.step(instruction, values, arguments)
            root = known[instruction.name] if instruction.is_root else root
        return root


def nothing(shape):
    return tuple(nothing(member) for member in shape) if isinstance(shape, list) else None


def hlo(path):
    computations, entry = parse_hlo(read_bytes(path).decode())
    liveness = Liveness(computations)
    results = liveness.run(entry, None)
    liveness.use(results, liveness.now - 1)
    print_rows((lower, last + 1, size) for lower, last, size in liveness.buffers if size > 0)


# ---------------------------------------------------------------- PyTorch execution traces

def tensors_of(value):
    """All tensors on a GPU in nested lists: [tensor, storage, offset, elements, bytes of one, device]."""
    if not isinstance(value, list):
        return []
    if len(value) == 6 and isinstance(value[5], str) and all(isinstance(field, int) for field in value[:5]):
        return [value] if 'cuda' in value[5] else []
    return [tensor for member in value for tensor in tensors_of(member)]


def trace_operations(trace):
    """(name, inputs, outputs) of every node without children that has a tensor on a GPU."""
    nodes = trace['nodes']
    parents = {node['ctrl_deps'] if 'ctrl_deps' in node else node['parent'] for node in nodes}
    for node in nodes:
        sides = (node['inputs'], node['outputs'])
        inputs, outputs = (tensors_of(side['values'] if isinstance(side, dict) else side) for side in sides)
        if node['id'] not in parents and (inputs or outputs):
            yield node['name'], inputs, outputs


def trace(path):
    """
    A buffer per storage.  A storage first seen as an input existed before.  An allocation that returns a known
    storage begins a new buffer, because the old one was released.
    """
    alive, ended = {}, []
    for now, (name, inputs, outputs) in enumerate(trace_operations(json.loads(read_bytes(path)))):
        if 'empty' in name:
            for storage in {tensor[1] for tensor in outputs} - {tensor[1] for tensor in inputs}:
                if storage in alive and alive[storage][1] < now:
                    ended.append(alive.pop(storage))
        for tensors, lower in ((inputs, 0), (outputs, now)):
            for _, storage, _, elements, width, _ in tensors:
                buffer = alive.setdefault(storage, [lower, now, 0])
                buffer[1:] = now, max(buffer[2], elements * width)
    rows = [(lower, last + 1, size) for lower, last, size in ended + list(alive.values()) if size > 0]
    print_rows(sorted(rows, key=lambda row: row[:2]))


# ---------------------------------------------------------------- others

def pool(path, number):
    """Buffers of one pool, from the start of their first to the end of their last interval."""
    rows = []
    for buffer in json.loads(read_bytes(path))['problem']['buffers']:
        if number in buffer['allowed_pools']:
            intervals = buffer['live_intervals']
            lower, upper = min(i['lower'] for i in intervals), max(i['upper'] for i in intervals)
            rows.append((buffer['id'], lower, upper, buffer['size']))
    print_named(rows)


def model(path, is_dropped):
    """The buffers by time, without buffers of dropped operators and the steps of these operators."""
    with open(path, newline='') as file:
        table = list(csv.DictReader(file))
    gone = sorted({int(row['lower']) for row in table if is_dropped(row)})

    def moved(time):
        return int(time) - bisect.bisect_left(gone, int(time))

    rows = [(moved(row['lower']), moved(row['upper']), row['size']) for row in table if not is_dropped(row)]
    print_rows(sorted(rows, key=lambda row: row[0]))


def unpacks(row):
    return row.get('hint') in ('DEQUANTIZE', 'DENSIFY')


def main():
    if len(sys.argv) != 3:
        fail('usage: derive.py KIND INPUT')
    kind, path = sys.argv[1:]
    kinds = {'first': lambda: iopddl(path, lambda usages: usages[0]), 'least': lambda: iopddl(path, min),
             'hlo': lambda: hlo(path), 'trace': lambda: trace(path),
             'model': lambda: model(path, lambda row: False),
             'folded': lambda: model(path, unpacks)}
    if kind.startswith('pool='):
        pool(path, int(kind[5:]))
    elif kind in kinds:
        kinds[kind]()
    else:
        fail(f"unknown kind '{kind}'")


main()

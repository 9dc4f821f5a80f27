# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares XLA's memory with neap's, for ten functions that JAX compiles for the CPU.

    python3 compare.py [FUNCTION...]

For each function, it prints in bytes: what XLA's buffer assignment takes for temporaries and outputs; the layout of the same
buffers by neap; then neap's order of the operations with its layout, and a proven lower bound on what any order takes.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import neap
import neap.hlo
from neap import _hlo_assignment as assignment

SECONDS = 20  # for each order


# ---------------------------------------------------------------- functions


def perceptron(jax, np):
    def loss(weights, x):
        for weight in weights:
            x = jax.nn.gelu(x @ weight)
        return (x**2).mean()

    return jax.grad(loss), ([np.ones((256, 256))] * 8, np.ones((512, 256)))


def convolve(jax, x, kernel, stride=1):
    return jax.lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def residual(jax, np):
    def loss(kernels, x):
        x = convolve(jax, x, kernels[0], 2)
        for one, two in kernels[1]:
            x = jax.nn.relu(x + convolve(jax, jax.nn.relu(convolve(jax, x, one)), two))
        return (x.mean((1, 2)) ** 2).mean()

    blocks = [(np.ones((3, 3, 32, 32)), np.ones((3, 3, 32, 32)))] * 4
    return jax.grad(loss), ((np.ones((7, 7, 3, 32)), blocks), np.ones((8, 64, 64, 3)))


def unet(jax, np):
    def halve(x):
        return jax.lax.reduce_window(x, -np.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")

    def run(down, up, x):
        skipped = []
        for kernel in down:
            x = jax.nn.relu(convolve(jax, x, kernel))
            skipped.append(x)
            x = halve(x)
        for kernel in up:
            x = np.concatenate([np.repeat(np.repeat(x, 2, 1), 2, 2), skipped.pop()], -1)
            x = jax.nn.relu(convolve(jax, x, kernel))
        return x

    down = [np.ones((3, 3, i, o)) for i, o in ((3, 16), (16, 32), (32, 64))]
    up = [np.ones((3, 3, i, o)) for i, o in ((128, 32), (64, 16), (32, 8))]
    return run, (down, up, np.ones((4, 64, 64, 3)))


def normalize(x):
    return (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1e-5)


def attend(jax, np, x, weight):
    query, key, value = np.moveaxis((x @ weight).reshape(*x.shape[:2], 3, 4, -1), 2, 0)
    scores = jax.nn.softmax(np.einsum("bqhd,bkhd->bhqk", query, key))
    return np.einsum("bhqk,bkhd->bqhd", scores, value).reshape(x.shape)


def transformer(jax, np):
    def loss(layers, x):
        for weight, wide, narrow in layers:
            x = x + attend(jax, np, normalize(x), weight)
            x = x + jax.nn.gelu(normalize(x) @ wide) @ narrow
        return (x**2).mean()

    layers = [(np.ones((128, 384)), np.ones((128, 512)), np.ones((512, 128)))] * 4
    return jax.grad(loss), (layers, np.ones((4, 64, 128)))


def attention(jax, np):
    return lambda x, weight: attend(jax, np, x, weight), (np.ones((8, 128, 256)), np.ones((256, 768)))


def recurrent(jax, np):
    def step(weights, state, x):
        cell, hidden = state
        forget, enter, leave, new = np.split(np.concatenate([x, hidden], -1) @ weights, 4, -1)
        cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(enter) * np.tanh(new)
        return (cell, jax.nn.sigmoid(leave) * np.tanh(cell)), None

    def loss(weights, xs):
        zeros = np.zeros((xs.shape[1], 64))
        return jax.lax.scan(lambda state, x: step(weights, state, x), (zeros, zeros), xs)[0][1].sum()

    return jax.grad(loss), (np.ones((96, 256)), np.ones((50, 16, 32)))


def autoencoder(jax, np):
    def loss(weights, x, key):
        hidden = jax.nn.relu(x @ weights[0])
        mean, spread = hidden @ weights[1], hidden @ weights[2]
        code = mean + np.exp(spread / 2) * jax.random.normal(key, mean.shape)
        made = jax.nn.relu(code @ weights[3]) @ weights[4]
        return ((made - x) ** 2).mean() + (np.exp(spread) + mean**2 - spread).mean()

    shapes = ((784, 400), (400, 20), (400, 20), (20, 400), (400, 784))
    return jax.value_and_grad(loss), ([np.ones(s) for s in shapes], np.ones((128, 784)), jax.random.PRNGKey(0))


def bodies(jax, np):
    def step(_, state):
        place, speed = state
        gap = place[None] - place[:, None]
        pull = (gap / ((gap**2).sum(-1, keepdims=True) + 0.01) ** 1.5).sum(1)
        return place + 0.01 * speed, speed + 0.01 * pull

    return lambda *state: jax.lax.fori_loop(0, 100, step, state), (np.ones((256, 3)), np.zeros((256, 3)))


def deblur(jax, np):
    def run(image, kernel):
        spectrum, response = np.fft.rfft2(image), np.fft.rfft2(kernel, image.shape[-2:])
        return np.fft.irfft2(spectrum * np.conj(response) / (abs(response) ** 2 + 0.01))

    return run, (np.ones((8, 128, 128)), np.ones((9, 9)))


def experts(jax, np):
    def loss(gate, weights, x):
        shares = jax.nn.softmax(x @ gate)
        made = np.stack([jax.nn.relu(x @ wide) @ narrow for wide, narrow in weights], -1)
        return ((made * shares[:, None]).sum(-1) ** 2).mean()

    weights = [(np.ones((64, 256)), np.ones((256, 64)))] * 6
    return jax.grad(loss, (0, 1)), (np.ones((64, 6)), weights, np.ones((256, 64)))


FUNCTIONS = {
    function.__name__: function
    for function in (attention, autoencoder, bodies, deblur, experts, perceptron, recurrent, residual, transformer, unet)
}


# ---------------------------------------------------------------- comparison


def compile_here(name):
    """Compiles a function; the dumps go where XLA_FLAGS says."""
    import jax
    import jax.numpy

    function, arguments = FUNCTIONS[name](jax, jax.numpy)
    # XLA names the files by the function.
    wanted = lambda *given: function(*given)
    wanted.__name__ = f"neap_{name}"
    jax.jit(wanted).lower(*arguments).compile()


def dump(name, folder):
    """The HLO module and the buffer assignment of a function."""
    given = dict(os.environ, XLA_FLAGS=f"--xla_dump_to={folder}", JAX_PLATFORMS="cpu")
    subprocess.run([sys.executable, __file__, "--compile", name], env=given, check=True)
    stem = f"*jit_neap_{name}.cpu_after_optimizations"
    return [next(pathlib.Path(folder).glob(stem + end)) for end in (".txt", "-buffer-assignment.txt")]


def measure(name):
    """Bytes: XLA's layout, neap's in XLA's order, neap's in its own order, and a bound for all orders."""
    with tempfile.TemporaryDirectory() as folder:
        module, assigned = dump(name, folder)
        theirs = assignment.total(assigned.read_text(), str(assigned), True)
        same = neap.plan(neap.hlo.read(assigned))
        graph = neap.hlo.read_graph(module)
        problem = graph.problem(schedule="optimal", time_limit=SECONDS, in_place=True)
        return graph.operator_count, theirs, same.report.peak, neap.plan(problem).report


def main(names):
    print(f"{'function':<12} {'operations':>10} {'XLA':>12} {'layout':>12} {'order, too':>12} {'bound':>12}")
    for name in names or FUNCTIONS:
        operations, theirs, same, own = measure(name)
        print(f"{name:<12} {operations:>10} {theirs:>12,} {same:>12,} {own.peak:>12,} {own.order_lower_bound:>12,}", flush=True)


if __name__ == "__main__":
    compile_here(sys.argv[2]) if sys.argv[1:2] == ["--compile"] else main(sys.argv[1:])

"""PyTorch's side of `fxc bench --compare-torch`: the same program on the same inputs, in eager mode.

fxc starts this with `python3 -c` and talks to it in lines of JSON. It reads

    {"program": PATH, "expression": null or "lambda x, w: x @ w", "tensors": PATH, "threads": 2,
     "arguments": [{"name": "x", "tensor": "input.0"}, {"name": "n", "value": 3}]}
    {"run": 0.1}            calls for as many seconds
    {"outputs": PATH}       one call; its tensors go into a safetensors file as output.0, output.1, ..

and answers each line with one line, in this order: {"ready": {"version": "2.11.0"}}, {"times": [microseconds, ..]},
{"written": 1}; or {"error": "why"}, and ends. An archive is loaded with torch.export, and called without autograd.

PyTorch waits for its threads as it does by default. Before it answers, this waits until no thread of the process runs
any more, so that nothing of it spins while the other side is measured.
"""

import ctypes
import gc
import json
import os
import struct
import sys
import time


class Failure(Exception):
    """A message for the user."""


DTYPES = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2", "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8", "U8": "uint8",
    "BOOL": "bool", "C64": "complex64",
}  # fmt: skip


def import_torch():
    try:
        import torch
    except ImportError as error:
        raise Failure(f"PyTorch cannot be imported by {sys.executable}: {error}")
    return torch


def read_tensors(torch, path):
    """The tensors of a safetensors file, each in memory of its own."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    tensors = {}
    for name, info in header.items():
        if name == "__metadata__":
            continue
        dtype = getattr(torch, DTYPES[info["dtype"]])
        start, end = info["data_offsets"]
        if start == end:
            tensors[name] = torch.empty(info["shape"], dtype=dtype)
        else:
            tensors[name] = torch.frombuffer(bytearray(data[start:end]), dtype=dtype).reshape(info["shape"]).clone()
    return tensors


def write_tensors(tensors, path):
    names = {dtype: name for name, dtype in DTYPES.items()}
    header, parts, offset = {}, [], 0
    for name, tensor in tensors.items():
        tensor = tensor.detach().contiguous()
        size = tensor.numel() * tensor.element_size()
        dtype = str(tensor.dtype).removeprefix("torch.")
        if dtype not in names:
            raise Failure(f"{name} has dtype {dtype}, which cannot be written")
        header[name] = {"dtype": names[dtype], "shape": list(tensor.shape), "data_offsets": [offset, offset + size]}
        parts.append(ctypes.string_at(tensor.data_ptr(), size) if size else b"")
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


def from_archive(torch, path, arguments):
    """A function that calls the program of an archive."""
    program = torch.export.load(path)
    arguments = dict(arguments)
    leaves = []
    for spec in program.graph_signature.input_specs:
        if spec.kind.name != "USER_INPUT":
            continue
        name = getattr(spec.arg, "name", None)
        if name in arguments:
            leaves.append(arguments[name])
        elif hasattr(spec.arg, "value"):
            leaves.append(spec.arg.value)  # fixed at export
        else:
            raise Failure(f"{path}: no value for input '{name}'")
    args, kwargs = torch.utils._pytree.tree_unflatten(leaves, program.call_spec.in_spec)
    try:
        module = program.module(check_guards=False)
    except TypeError:  # PyTorch before 2.9 has no guards there
        module = program.module()
    forward = module.forward  # without the hook that checks inputs
    return lambda: forward(*args, **kwargs)


def from_expression(torch, expression, arguments):
    """A function that calls a Python function given as text."""
    import math

    function = eval(expression, {"torch": torch, "F": torch.nn.functional, "math": math})
    values = [value for _, value in arguments]
    return lambda: function(*values)


def measure(call, seconds):
    """The time of each call, in microseconds."""
    clock = time.perf_counter_ns
    times = []
    gc.disable()
    end = clock() + int(seconds * 1e9)
    while True:
        start = clock()
        result = call()
        now = clock()
        times.append((now - start) / 1e3)
        del result
        if now >= end:
            break
    gc.enable()
    return times


def settle():
    """Waits until the process no longer takes processor time, two seconds at most."""
    deadline = time.perf_counter() + 2
    while time.perf_counter() < deadline:
        busy, start = time.process_time(), time.perf_counter()
        time.sleep(0.01)
        if time.process_time() - busy < 0.1 * (time.perf_counter() - start):
            return


def leaves_of(torch, result):
    return [leaf for leaf in torch.utils._pytree.tree_leaves(result) if isinstance(leaf, torch.Tensor)]


def serve(requests, answer):
    setup = json.loads(next(requests))
    torch = import_torch()
    torch.set_num_threads(setup["threads"])
    tensors = read_tensors(torch, setup["tensors"])
    arguments = [
        (argument["name"], tensors[argument["tensor"]] if "tensor" in argument else argument["value"])
        for argument in setup["arguments"]
    ]
    if setup["expression"] is None:
        call = from_archive(torch, setup["program"], arguments)
    else:
        call = from_expression(torch, setup["expression"], arguments)
    with torch.inference_mode():
        for _ in range(3):
            call()
        measure(call, 0.1)
        settle()
        answer({"ready": {"version": str(torch.__version__).split("+")[0]}})
        for line in requests:
            request = json.loads(line)
            if "run" in request:
                times = measure(call, request["run"])
                settle()
                answer({"times": times})
            else:
                outputs = leaves_of(torch, call())
                write_tensors({f"output.{index}": tensor for index, tensor in enumerate(outputs)}, request["outputs"])
                answer({"written": len(outputs)})


def main():
    # what libraries print must not come between the answers
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(message):
        print(json.dumps(message), file=answers, flush=True)

    try:
        serve(iter(sys.stdin.readline, ""), answer)
    except Failure as failure:
        answer({"error": str(failure)})
    except Exception as error:
        answer({"error": f"PyTorch: {type(error).__name__}: {error}"})


if __name__ == "__main__":
    main()

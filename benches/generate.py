#!/usr/bin/env python3
"""Writes benches/cpu/*.mlir: single operators and small chains, each with the same in PyTorch and its target.

    benches/generate.py            write them
    benches/generate.py --check    compare with what is there; exit status 1 if they differ

The head of a file has up to three comments:

    // torch: lambda x, w: x @ w     the program in PyTorch; its arguments are those of @main
    // target: ratio 0.95            PyTorch's time over ours must be at least this
    // target: us 3                  our time must be below this
"""

import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "cpu"


def tensor(*dims, element="f32"):
    return f"tensor<{'x'.join(str(dim) for dim in dims)}x{element}>"


def program(about, torch, target, arguments, body, result):
    """`arguments`: (name, type) pairs, a third element naming the parameter that it is; `body` computes %y."""
    described = []
    for name, ty, *parameter in arguments:
        attributes = f' {{fx.kind = "parameter", fx.target = "{parameter[0]}"}}' if parameter else ""
        described.append(f"%{name}: {ty}{attributes}")
    indent = ",\n    "
    return f"""// {about}
// torch: {torch}
// target: {target}
func.func @main(
    {indent.join(described)}
) -> {result} {{
  {body.strip()}
  return %y : {result}
}}
"""


def product(m, k, n, target, element="f32"):
    x, w, y = tensor(m, k, element=element), tensor(k, n, element=element), tensor(m, n, element=element)
    body = f"%y = fx.mm %x, %w : ({x}, {w}) -> {y}"
    return program(f"Matrix product {m}x{k}x{n}, {element}", "lambda x, w: x @ w", target, [("x", x), ("w", w)], body, y)


def convolution(about, channels, groups, target):
    x = tensor(1, channels, 56, 56)
    w, b = tensor(channels, channels // groups, 3, 3), tensor(channels)
    body = (
        f"%y = fx.conv2d %x, %w bias %b stride [1, 1] padding [1, 1] dilation [1, 1] groups [{groups}] : "
        f"({x}, {w}, {b}) -> {x}"
    )
    torch = f"lambda w, b, x: F.conv2d(x, w, b, padding=1, groups={groups})"
    return program(about, torch, target, [("w", w, "weight"), ("b", b, "bias"), ("x", x)], body, x)


def softmax(rows, columns):
    x = tensor(rows, columns)
    body = f"%y = fx.softmax %x dim 1 : ({x}) -> {x}"
    return program(f"Softmax of {rows} rows of {columns}", "lambda x: torch.softmax(x, 1)", "ratio 1.2", [("x", x)], body, x)


def layer_norm(rows, columns):
    x, w = tensor(rows, columns), tensor(columns)
    body = (
        f"%y = fx.layer_norm %x normalized_shape [{columns}] weight %w bias %b {{eps = 1.0e-5 : f64}} : "
        f"({x}, {w}, {w}) -> {x}"
    )
    torch = f"lambda w, b, x: F.layer_norm(x, ({columns},), w, b)"
    arguments = [("w", w, "weight"), ("b", w, "bias"), ("x", x)]
    return program(f"Layer norm of {rows} rows of {columns}", torch, "ratio 1.2", arguments, body, x)


def gelu_chain(approximate):
    x = tensor(1 << 20)
    mode = "" if approximate == "none" else f' approximate "{approximate}"'
    body = f"""
  %sum = fx.add %a, %b : ({x}, {x}) -> {x}
  %gelu = fx.gelu %sum{mode} : ({x}) -> {x}
  %y = fx.mul %gelu, %c : ({x}, {x}) -> {x}"""
    torch = f'lambda a, b, c: F.gelu(a + b, approximate="{approximate}") * c'
    form = "tanh" if approximate == "tanh" else "erf"
    arguments = [("a", x), ("b", x), ("c", x)]
    return program(f"Sum, gelu ({form}) and product of 1M values", torch, "ratio 2.0", arguments, body, x)


def tiny_mlp(*widths):
    arguments, lines, before = [], [], "x"
    last = len(widths) - 2
    for layer, (inputs, outputs) in enumerate(zip(widths, widths[1:])):
        x, w, b, y = tensor(1, inputs), tensor(outputs, inputs), tensor(outputs), tensor(1, outputs)
        arguments += [(f"w{layer}", w, f"{layer}.weight"), (f"b{layer}", b, f"{layer}.bias")]
        name = "y" if layer == last else f"h{layer}"
        lines.append(f"%{name} = fx.linear %{before}, %w{layer}, %b{layer} : ({x}, {w}, {b}) -> {y}")
        if layer < last:
            lines.append(f"%r{layer} = fx.relu %{name} : ({y}) -> {y}")
        before = f"r{layer}"
    arguments.append(("x", tensor(1, widths[0])))
    call = "x"
    for layer in range(last + 1):
        call = f"F.linear({call}, w{layer}, b{layer})"
        call = f"F.relu({call})" if layer < last else call
    names = ", ".join(name for name, *_ in arguments)
    about = f"MLP {'-'.join(map(str, widths))}, batch 1"
    return program(about, f"lambda {names}: {call}", "us 3", arguments, "\n  ".join(lines), tensor(1, widths[-1]))


def programs():
    yield "matmul_256", product(256, 256, 256, "ratio 1.0")
    yield "matmul_1024", product(1024, 1024, 1024, "ratio 0.95")
    yield "matmul_1001", product(1001, 1001, 1001, "ratio 0.95")
    for m, target in ((16, "ratio 1.2"), (1, "ratio 1.0")):
        for size in (1024, 4096):
            yield f"matmul_{m}x{size}", product(m, size, size, target)
    yield "matmul_bf16_1024", product(1024, 1024, 1024, "ratio 1.5", element="bf16")
    yield "conv3x3", convolution("3x3 convolution, 64 to 64 channels, 56x56", 64, 1, "ratio 1.0")
    yield "depthwise3x3", convolution("Depthwise 3x3 convolution, 64 channels, 56x56", 64, 64, "ratio 3.0")
    for rows, columns in ((1024, 1024), (4096, 256), (16, 1024)):
        yield f"softmax_{rows}x{columns}", softmax(rows, columns)
        yield f"layernorm_{rows}x{columns}", layer_norm(rows, columns)
    yield "gelu_chain_erf", gelu_chain("none")
    yield "gelu_chain_tanh", gelu_chain("tanh")
    yield "mlp_tiny", tiny_mlp(64, 128, 128, 10)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: benches/generate.py [--check]")
    wanted = {f"{name}.mlir": text for name, text in programs()}
    if sys.argv[1:]:
        found = {path.name: path.read_text() for path in FOLDER.glob("*.mlir")}
        different = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
        if different:
            sys.exit(f"benches/cpu differs from what benches/generate.py writes: {', '.join(different)}")
        return
    FOLDER.mkdir(exist_ok=True)
    for name, text in wanted.items():
        (FOLDER / name).write_text(text)


if __name__ == "__main__":
    main()

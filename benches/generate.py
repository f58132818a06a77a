#!/usr/bin/env python3
"""Writes benches/cpu/*.mlir and benches/gpu/*.mlir: single operators and small chains, each with the same in PyTorch and its
target.

    benches/generate.py            write them
    benches/generate.py --check    compare with what is there; exit status 1 if they differ

The head of a file has up to four comments:

    // torch: lambda x, w: x @ w     the program in PyTorch; its arguments are those of @main
    // bench: --size s0=8192         options that `fxc bench` needs; with --grad, PyTorch computes the same gradients
    // target: ratio 0.95            PyTorch's time over ours must be at least this
    // target: us 3                  our time must be below this
    // target: copy 0.95             bytes read and written in our time must be at least this part of what a copy moves
    // target: like NAME 0.95        bytes in our time must be at least this part of what program NAME reaches
    // bytes: 1234                   what counts as read and written, where that is not each input and each result once
"""

import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def tensor(*dims, element="f32"):
    return f"tensor<{'x'.join(str(dim) for dim in dims)}x{element}>"


def program(about, torch, target, arguments, body, result, bench="", sizes={}, notes=(), more=()):
    """`arguments`: (name, type) pairs, a third element naming the parameter that it is; `body` computes %y, and what `more` names
    with its type. Dims that `sizes`
    has are symbols of these values; what has some is no parameter. `notes` are further lines of the head."""
    described, options = [], [bench] if bench else []
    for name, ty, *parameter in arguments:
        attributes = f' {{fx.kind = "parameter", fx.target = "{parameter[0]}"}}' if parameter else ""
        dims = ty.removeprefix("tensor<").split("x")[:-1]
        if any(dim in sizes for dim in dims):
            names = ", ".join(f'"{dim}"' if dim in sizes else dim for dim in dims)
            attributes = f" {{fx.dims = [{names}]}}"
        described.append(f"%{name}: {ty}{attributes}")
    symbols = ", ".join(f"{symbol} = array<i64: 2, -1>" for symbol in sizes)
    attributes = f" attributes {{fx.symbols = {{{symbols}}}}}" if sizes else ""
    options += [f"--size {symbol}={size}" for symbol, size in sizes.items()]
    indent = ",\n    "
    types = ", ".join([result, *(ty for _, ty in more)])
    values = ", ".join(["%y", *(f"%{name}" for name, _ in more)])
    text = f"""func.func @main(
    {indent.join(described)}
) -> {f"({types})" if more else types}{attributes} {{
  {body.strip()}
  return {values} : {types}
}}
"""
    text = re.sub(r"(?<=[<x])s\d+(?=x)", "?", text)
    return "".join(f"// {line}\n" for line in (about, f"torch: {torch}", *[f"bench: {' '.join(options)}"] * bool(options), f"target: {target}", *notes)) + text


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


def softmax(rows, columns, target="ratio 1.2", element="f32", sizes={}):
    x = tensor(rows, columns, element=element)
    body = f"%y = fx.softmax %x dim 1 : ({x}) -> {x}"
    about = f"Softmax of {sizes.get(rows, rows)} rows of {sizes.get(columns, columns)}{known_late(sizes)}"
    return program(about, "lambda x: torch.softmax(x, 1)", target, [("x", x)], body, x, sizes=sizes)


def layer_norm(rows, columns, target="ratio 1.2", element="f32", sizes={}, bench=""):
    x, w = tensor(rows, columns, element=element), tensor(columns, element=element)
    if columns in sizes:
        size, operand, types = f"%n = fx.size %x dim 1 : {x}\n  ", "%n", f"({x}, index, {w}, {w})"
    else:
        size, operand, types = "", columns, f"({x}, {w}, {w})"
    body = f"{size}%y = fx.layer_norm %x normalized_shape [{operand}] weight %w bias %b {{eps = 1.0e-5 : f64}} : {types} -> {x}"
    torch = f"lambda w, b, x: F.layer_norm(x, ({'x.shape[1]' if columns in sizes else columns},), w, b)"
    arguments = [("w", w, "weight"), ("b", w, "bias"), ("x", x)]
    about = f"Layer norm of {sizes.get(rows, rows)} rows of {sizes.get(columns, columns)}{known_late(sizes)}"
    return program(about, torch, target, arguments, body, x, bench, sizes)


def known_late(sizes):
    return f", {' and '.join(sizes)} known at run time" if sizes else ""


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


def pointwise(about, torch, target, count, element, lines, inputs="ab", sizes={}):
    x = tensor(count, element=element)
    body = "\n  ".join(line.replace("TYPES", f"({x}, {x}) -> {x}").replace("TYPE", f"({x}) -> {x}").replace("NUMBER", f"({x}, f64) -> {x}") for line in lines)
    return program(about + known_late(sizes), torch, target, [(name, x) for name in inputs], body, x, sizes=sizes)


def add_one(count, target, sizes={}):
    lines = ["%c = arith.constant 1.0 : f64", "%y = fx.add %a, %c : NUMBER"]
    return pointwise(f"One more, for {sizes.get(count, count)} values", "lambda a: a + 1", target, count, "bf16", lines, "a", sizes)


def gated_gelu(count, element, target, sizes={}):
    lines = [
        "%m = arith.constant 1.5 : f64",
        "%c = arith.constant 0.25 : f64",
        "%s = fx.mul %a, %m : NUMBER",
        "%t = fx.add %s, %c : NUMBER",
        "%g = fx.gelu %t : TYPE",
        "%y = fx.mul %g, %b : TYPES",
    ]
    torch = "lambda a, b: F.gelu(a * 1.5 + 0.25) * b"
    return pointwise(f"A gate: gelu of {sizes.get(count, count)} values, {element}", torch, target, count, element, lines, "ab", sizes)


def rms_norm(rows, columns, target):
    x, w, f = tensor(rows, columns, element="bf16"), tensor(columns, element="bf16"), tensor(rows, columns)
    mean = tensor(rows, 1)
    body = f"""
  %two = arith.constant 2 : i64
  %eps = arith.constant 1.0e-6 : f64
  %h = fx.add %x, %r : ({x}, {x}) -> {x}
  %v = fx.to_copy %h as f32 : ({x}) -> {f}
  %square = fx.pow %v, %two : ({f}, i64) -> {f}
  %mean = fx.mean %square dim [1] {{keepdim = true}} : ({f}) -> {mean}
  %sum = fx.add %mean, %eps : ({mean}, f64) -> {mean}
  %scale = fx.rsqrt %sum : ({mean}) -> {mean}
  %scaled = fx.mul %v, %scale : ({f}, {mean}) -> {f}
  %rounded = fx.to_copy %scaled as bf16 : ({f}) -> {x}
  %y = fx.mul %rounded, %w : ({x}, {w}) -> {x}"""
    norm = "(h.float() * torch.rsqrt(h.float().pow(2).mean(-1, keepdim=True) + 1e-6)).to(h.dtype) * w"
    about = f"Residual sum and its RMS norm, {rows} rows of {columns}"
    torch = f"lambda w, x, r: (lambda h: ({norm}, h))(x + r)"
    return program(about, torch, target, [("w", w, "weight"), ("x", x), ("r", x)], body, x, more=[("h", x)])


def whole_sum(count, target):
    x, y = tensor(count), "tensor<f32>"
    return program(f"Sum of {count} values", "lambda x: x.sum()", target, [("x", x)], f"%y = fx.sum %x : ({x}) -> {y}", y)


def column_sum(rows, columns, target):
    x, y = tensor(rows, columns), tensor(columns)
    body = f"%y = fx.sum %x dim [0] : ({x}) -> {y}"
    return program(f"Sums of {columns} columns of {rows}", "lambda x: x.sum(0)", target, [("x", x)], body, y)


def transposed_sum(rows, columns, target):
    x, y = tensor(rows, columns), tensor(columns, rows)
    body = f"%t = fx.permute %a [1, 0] : ({x}) -> {y}\n  %y = fx.add %t, %b : ({y}, {y}) -> {y}"
    about = f"A {rows}x{columns} matrix, transposed, plus another"
    return program(about, "lambda a, b: a.t() + b", target, [("a", x), ("b", y)], body, y)


def cross_entropy_gradients(rows, classes, target):
    x, y, t = tensor(rows, classes, element="bf16"), tensor(rows, classes), tensor(rows, element="i64")
    body = f"""
  %f = fx.to_copy %x as f32 : ({x}) -> {y}
  %y = fx.cross_entropy_loss %f, %t ignore_index [-100] : ({y}, {t}) -> tensor<f32>"""
    about = f"Cross entropy of {rows} rows of {classes}, in f32, and its gradient"
    torch = "lambda x, t: F.cross_entropy(x.float(), t)"
    return program(about, torch, target, [("x", x), ("t", t)], body, "tensor<f32>", f"--grad --integers {classes}")


def lookup(rows, columns, target):
    x, i = tensor(rows, columns, element="bf16"), tensor(rows, element="i64")
    body = f"%y = fx.embedding %w, %i padding_idx [-1] : ({x}, {i}) -> {x}"
    return program(f"{rows} rows of {columns} looked up", "lambda w, i: F.embedding(i, w)", target, [("w", x), ("i", i)], body, x, f"--integers {rows}")


def scatter_add(sent, rows, columns, target):
    """A value that is sent is read, and what is at its place read and written: 12 bytes."""
    g, i, y = tensor(sent, columns), tensor(sent, element="i64"), tensor(rows, columns)
    body = f"%y = fx.embedding_dense_backward %g, %i num_weights [{rows}] padding_idx [-1] : ({g}, {i}) -> {y}"
    torch = f"lambda g, i: torch.ops.aten.embedding_dense_backward(g, i, {rows}, -1, False)"
    about = f"{sent} rows of {columns} summed into a table of {rows}"
    notes = (f"bytes: {12 * sent * columns}",)
    return program(about, torch, target, [("g", g), ("i", i)], body, y, f"--integers {rows}", notes=notes)


def index_add(rows, columns, target):
    x, i = tensor(rows, columns), tensor(rows, element="i64")
    body = f"%y = fx.index_add %x, %i, %s dim 0 : ({x}, {i}, {x}) -> {x}"
    about = f"{rows} rows of {columns} added to a copy of as many"
    return program(about, "lambda x, i, s: x.index_add(0, i, s)", target, [("x", x), ("i", i), ("s", x)], body, x, f"--integers {rows}")


def running_sum(rows, columns, target):
    x = tensor(rows, columns)
    body = f"%y = fx.cumsum %x dim 1 : ({x}) -> {x}"
    return program(f"Running sums of {rows} rows of {columns}", "lambda x: x.cumsum(1)", target, [("x", x)], body, x)


def sort(rows, columns, target, element="f32"):
    x, i = tensor(rows, columns, element=element), tensor(rows, columns, element="i64")
    body = f"%y, %i = fx.sort %x dim 1 : ({x}) -> ({x}, {i})"
    integers = "--integers 4000000000" if element == "i64" else ""
    about = f"{rows} rows of {columns} sorted"
    return program(about, "lambda x: torch.sort(x, 1)", target, [("x", x)], body, x, integers, more=[("i", i)])


def topk(rows, columns, k, target, element="f32"):
    x, y, i = tensor(rows, columns, element=element), tensor(rows, k, element=element), tensor(rows, k, element="i64")
    body = f"%y, %i = fx.topk %x k [{k}] dim 1 : ({x}) -> ({y}, {i})"
    about = f"The largest {k} of each of {rows} rows of {columns}"
    return program(about, f"lambda x: torch.topk(x, {k}, 1)", target, [("x", x)], body, y, more=[("i", i)])


def gpu_programs():
    many = 1 << 28
    yield "add_one_bf16", add_one(many, "copy 0.97")
    yield "gated_gelu_bf16", gated_gelu(many, "bf16", "copy 0.93")
    yield "gated_gelu_f32", gated_gelu(many // 2, "f32", "copy 0.97")
    for rows, columns, target in ((16384, 8192, 0.95), (131072, 1024, 0.95), (2048, 65536, 0.88)):
        yield f"softmax_bf16_{rows}x{columns}", softmax(rows, columns, f"copy {target}", "bf16")
        yield f"layernorm_bf16_{rows}x{columns}", layer_norm(rows, columns, f"copy {target}", "bf16")
    for columns, target in ((4000, 0.95), (4001, 0.82), (4002, 0.93)):
        yield f"softmax_bf16_131072x{columns}", softmax(131072, columns, f"copy {target}", "bf16")
    yield "softmax_f32_16384x4096", softmax(16384, 4096, "copy 0.95")
    yield "softmax_f32_1024x262144", softmax(1024, 262144, "copy 0.85")
    yield "softmax_f32_8x65536", softmax(8, 65536, "us 6")
    yield "rms_norm_residual_bf16", rms_norm(16384, 8192, "copy 0.95")
    yield "sum_all_f32", whole_sum(many, "copy 1.05")
    yield "sum_columns_f32", column_sum(16384, 16384, "copy 1.05")
    yield "transpose_add_f32", transposed_sum(16384, 8192, "copy 0.97")
    yield "embedding_bf16", lookup(131072, 4096, "copy 0.92")
    yield "scatter_add_rows_f32", scatter_add(131072, 32768, 1024, "copy 0.80")
    yield "index_add_rows_f32", index_add(65536, 1024, "copy 0.50")
    yield "cumsum_f32", running_sum(65536, 4096, "copy 0.80")
    yield "sort_f32_65536x1024", sort(65536, 1024, "ratio 1.0")
    yield "sort_f32_4096x16384", sort(4096, 16384, "ratio 1.0")
    yield "sort_bf16_1048576x64", sort(1048576, 64, "ratio 1.0", "bf16")
    yield "sort_i64_16384x4096", sort(16384, 4096, "ratio 1.0", "i64")
    yield "topk_bf16_131072x256_8", topk(131072, 256, 8, "ratio 1.0", "bf16")
    yield "topk_f32_131072x64_2", topk(131072, 64, 2, "ratio 1.0")
    yield "topk_f32_16384x4096_50", topk(16384, 4096, 50, "ratio 1.0")
    yield "topk_bf16_4096x16384_64", topk(4096, 16384, 64, "ratio 1.0", "bf16")
    yield "layernorm_grad_bf16", layer_norm(16384, 8192, "ratio 1.2", "bf16", bench="--grad")
    yield "cross_entropy_grad_bf16", cross_entropy_gradients(8192, 50304, "ratio 1.2")
    yield from gpu_variants(many)


def gpu_variants(many):
    """Sizes that are odd, or known at run time: nearly as fast as the even ones that are known."""
    yield "add_one_bf16_odd", add_one(many - 1, "like add_one_bf16 0.95")
    yield "gated_gelu_bf16_odd", gated_gelu(many - 1, "bf16", "like gated_gelu_bf16 0.95")
    yield "gated_gelu_f32_odd", gated_gelu(many // 2 - 1, "f32", "like gated_gelu_f32 0.95")
    for columns in (8190, 8191):
        yield f"softmax_bf16_16384x{columns}", softmax(16384, columns, "like softmax_bf16_16384x8192 0.95", "bf16")
        yield f"layernorm_bf16_16384x{columns}", layer_norm(16384, columns, "like layernorm_bf16_16384x8192 0.95", "bf16")
    yield "add_one_bf16_dynamic", add_one("s0", "like add_one_bf16 0.95", {"s0": many})
    yield "gated_gelu_bf16_dynamic", gated_gelu("s0", "bf16", "like gated_gelu_bf16 0.95", {"s0": many})
    for family, make in (("softmax", softmax), ("layernorm", layer_norm)):
        twin = f"{family}_bf16_16384x8192"
        yield f"{twin}_dynamic_rows", make("s0", 8192, f"like {twin} 0.95", "bf16", {"s0": 16384})
        for rows, columns in ((16384, 8192), (131072, 1024)):
            twin = f"{family}_bf16_{rows}x{columns}"
            yield f"{twin}_dynamic", make("s0", "s1", f"like {twin} 0.95", "bf16", {"s0": rows, "s1": columns})


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
    wanted = {f"cpu/{name}.mlir": text for name, text in programs()}
    wanted |= {f"gpu/{name}.mlir": text for name, text in gpu_programs()}
    if sys.argv[1:]:
        found = {f"{path.parent.name}/{path.name}": path.read_text() for path in FOLDER.glob("*/*.mlir")}
        different = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
        if different:
            sys.exit(f"benches differs from what benches/generate.py writes: {', '.join(different)}")
        return
    for name, text in wanted.items():
        path = FOLDER / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()

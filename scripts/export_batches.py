#!/usr/bin/env python3
"""Exports whole models at fixed batch sizes, for scripts/bench-cpu. Needs PyTorch, and what the generator imports.

    scripts/export_batches.py GENERATOR.py OUT [--batch N ..] [--models NAME ..]

GENERATOR.py has a list `MODELS`; each element has a `name`, and a function `forward` that gives a module (`.module`), its
positional arguments (`.args`) and its keyword arguments (`.kwargs`). The first dimension of each tensor argument is the
batch: its rows are repeated. For each model and size this writes into OUT/NAME_bN/

    model.pt2          the program after run_decompositions(), which fxc compiles
    model_raw.pt2      the program before that, which PyTorch's eager mode runs
    io.safetensors     input.0, input.1, .. and output.0, ..
"""

import argparse
import copy
import importlib.util
import pathlib
import sys

import torch
import torch.utils._pytree as pytree
from safetensors.torch import save_file

MODELS = ["resnet18_narrow", "mobilenet_v3_small", "gpt2_tiny", "bert_tiny", "llama_tiny", "vit_tiny", "unet_small"]
BATCHES = [1, 16]


def load(path):
    """The generator as a module."""
    spec = importlib.util.spec_from_file_location("generator", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["generator"] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


def with_batch(tree, size):
    """Arguments with `size` rows, the given ones repeated."""

    def rows(tensor):
        return tensor.detach()[torch.arange(size) % tensor.shape[0]].contiguous()

    return pytree.tree_map_only(torch.Tensor, rows, tree)


def tensors_of(tree):
    return [leaf for leaf in pytree.tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def export(case, size, folder):
    args, kwargs = with_batch(case.args, size), with_batch(case.kwargs, size)
    module = copy.deepcopy(case.module)
    with torch.no_grad():
        raw = torch.export.export(module, copy.deepcopy(args), copy.deepcopy(kwargs), strict=False)
        outputs = tensors_of(module(*copy.deepcopy(args), **copy.deepcopy(kwargs)))
        folder.mkdir(parents=True, exist_ok=True)
        torch.export.save(raw, str(folder / "model_raw.pt2"))
        torch.export.save(raw.run_decompositions(), str(folder / "model.pt2"))
    tensors = {f"input.{index}": tensor for index, tensor in enumerate(tensors_of((args, kwargs)))}
    tensors |= {f"output.{index}": tensor for index, tensor in enumerate(outputs)}
    save_file({name: tensor.clone().contiguous() for name, tensor in tensors.items()}, str(folder / "io.safetensors"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("generator", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--batch", type=int, nargs="+", default=BATCHES)
    parser.add_argument("--models", nargs="+", default=MODELS)
    args = parser.parse_args()
    entries = {entry.name: entry for entry in load(args.generator).MODELS}
    failed = [name for name in args.models if name not in entries]
    for name in failed:
        print(f"{name}: not in {args.generator}", flush=True)
    for name in args.models:
        if name not in entries:
            continue
        for size in args.batch:
            try:
                export(entries[name].forward(), size, args.out / f"{name}_b{size}")
                print(f"{name} at batch size {size}: exported", flush=True)
            except Exception as error:  # the others are still worth having
                failed.append(name)
                print(f"{name} at batch size {size}: {type(error).__name__}: {str(error)[:300]}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

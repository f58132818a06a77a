"""What torch_side.py needs of PyTorch, for its test: tensors of float32 as lists."""

import contextlib
import ctypes
import struct
import types

__version__ = "0.0+fake"
float32 = "torch.float32"
threads = []


class Tensor:
    dtype = float32

    def __init__(self, values, shape):
        self.values, self.shape = list(values), list(shape)
        self.memory = None

    def reshape(self, shape):
        return Tensor(self.values, shape)

    def clone(self):
        return Tensor(self.values, self.shape)

    detach = contiguous = lambda self: self

    def numel(self):
        return len(self.values)

    def element_size(self):
        return 4

    def data_ptr(self):
        self.memory = ctypes.create_string_buffer(struct.pack(f"<{len(self.values)}f", *self.values))
        return ctypes.addressof(self.memory)

    def __mul__(self, number):
        return Tensor([value * number for value in self.values], self.shape)


def frombuffer(data, dtype):
    return Tensor(struct.unpack(f"<{len(data) // 4}f", data), [len(data) // 4])


def set_num_threads(count):
    print("noise on stdout", count)
    threads.append(count)


def inference_mode():
    return contextlib.nullcontext()


nn = types.SimpleNamespace(functional=None)
utils = types.SimpleNamespace(_pytree=types.SimpleNamespace(tree_leaves=lambda result: [result]))

"""Writes named tensors for `gg-harness compare`: one .safetensors file a rank, tensors in the order given.

    import gg_dump
    gg_dump.write("seq.safetensors", {"loss": loss, "w1.grad": w1.grad})                 # sequential run
    gg_dump.write(f"dist/rank{rank}.safetensors", {"loss": loss, "w1.grad": w1.grad})    # every rank

numpy, JAX and torch tensors are taken; bf16 and f8 are kept.
"""
import json
import os
import struct

NAMES = {"float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "float8_e4m3fn": "F8_E4M3",
         "float8_e5m2": "F8_E5M2", "int64": "I64", "int32": "I32", "int16": "I16", "int8": "I8", "uint64": "U64",
         "uint32": "U32", "uint16": "U16", "uint8": "U8", "bool": "BOOL"}


def write(path, tensors):
    header, parts, offset = {}, [], 0
    for name, tensor in tensors.items():
        dtype = str(tensor.dtype).replace("torch.", "")
        if hasattr(tensor, "detach"):  # torch: bits as integers, so that bf16 survives numpy
            import torch
            tensor = tensor.detach().cpu().contiguous()
            shape = list(tensor.shape)
            data = tensor.reshape(-1).view(torch.uint8).numpy().tobytes()
        else:
            import numpy
            shape = list(tensor.shape)
            data = numpy.ascontiguousarray(numpy.asarray(tensor)).tobytes()
        header[name] = {"dtype": NAMES[dtype], "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
        parts.append(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(parts))

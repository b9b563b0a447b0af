"""Answers as the cases write them."""

import struct


def bits(x):
    return struct.pack(">d", x + 0.0).hex()


def text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return bits(value)
    return str(value)

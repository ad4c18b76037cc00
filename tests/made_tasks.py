"""Functions for a child process to call."""

import ctypes
import os
import signal
import sys
import time
import warnings

import numpy as np


class StrangeError(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one}{two}")


def give(what):
    return what


def own_pid():
    return os.getpid()


def fail(error):
    raise error


def fail_strangely():
    raise StrangeError("od", "d")


def warn():
    warnings.warn("beware", UserWarning, stacklevel=1)
    warnings.warn("of a developer", DeprecationWarning, stacklevel=1)
    return 1


def print_everywhere():
    print("out")
    print("err", file=sys.stderr)
    os.write(1, b"raw out")
    os.write(2, b"raw err")
    return "quiet"


def end_by(name):
    os.kill(os.getpid(), getattr(signal, name))
    time.sleep(60)


def sleep(seconds):
    time.sleep(seconds)


def hold():
    """Sleep without letting other threads run, as a loop in compiled code does."""
    ctypes.PyDLL(None).sleep(60)


def take_memory(n_bytes):
    return np.ones(n_bytes // 8)

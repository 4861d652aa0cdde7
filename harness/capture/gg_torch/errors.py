"""What captures and replays raise, and how a message names the user's line."""
import os
import traceback

import torch


class CaptureError(Exception):
    """The step cannot be captured, or what was captured does not reproduce it; the message names the leaf, rank or line."""


class SteeredError(CaptureError):
    """A value, or a size that values decide, steers Python."""


class ApartError(CaptureError):
    """Ranks that run graphs wait for each other in collectives or messages that do not match."""


_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_STDLIB = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_HERE = os.path.dirname(os.path.abspath(__file__))


def is_own(filename):
    """Is this a source of the package (or the replay script of a witness, which has its text)?"""
    path = os.path.abspath(filename)
    return os.path.dirname(path) == _HERE and path.endswith(".py")


def is_users(filename):
    """Is this a source of the user's program, or of a library that it calls: not torch's, Python's or this package's?"""
    path = os.path.abspath(filename)
    return not (path.startswith(_TORCH) or path.startswith(_STDLIB) and "site-packages" not in path or is_own(path) or filename.startswith("<"))


def short_name(filename):
    """A source's name without the folder of packages or the working folder; of other folders, the last part."""
    if "site-packages" + os.sep in filename:
        return filename.rsplit("site-packages" + os.sep, 1)[1]
    return os.path.relpath(filename) if os.path.abspath(filename).startswith(os.getcwd() + os.sep) else os.path.basename(filename)


def first_line(e):
    """The first line of an exception's message, at most 200 characters; its type if it has none."""
    return (str(e).strip().splitlines() or [type(e).__name__])[0][:200]


def user_line(e):
    """`file.py:7`, the innermost line of the user's that an exception passed; `step` if there is none."""
    frames = [f for f in traceback.extract_tb(e.__traceback__) if is_users(f.filename)]
    return f"{short_name(frames[-1].filename)}:{frames[-1].lineno}" if frames else "step"

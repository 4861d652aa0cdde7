"""Calls in processes of their own, by fork: torch has one default process group, one default type and one set of patches a process."""
import datetime
import multiprocessing
import os
import sys
import tempfile
import time
import traceback

import torch

from .errors import CaptureError, first_line, user_line

TIMEOUT = datetime.timedelta(seconds=60)  # of what runs by gloo


def _child(function, args, path):
    """In the process that was forked: writes the result of a call, or the CaptureError that says why there is none, to `path`. Does not return."""
    try:
        result = function(*args)
    except CaptureError as e:
        result = e
    except BaseException as e:
        lines = traceback.format_exc().strip().splitlines()
        result = CaptureError(f"{user_line(e)}: {type(e).__name__}: {first_line(e)}\n" + "\n".join(lines[-40:]))
    torch.save(result, path)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def in_processes(calls, together=False):
    """The results of calls [(function, args)], each in a process of its own; at most as many at a time as there are processors, unless they run together, as
    those that wait for each other must. The first CaptureError of a call ends the others and is raised here."""
    import torch._inductor.standalone_compile, torch.distributed.tensor, torch.fx.experimental.proxy_tensor, torch.testing._internal.distributed.fake_pg  # noqa: E401, F401  once, before the fork
    sys.stdout.flush()
    results = [None] * len(calls)
    context = multiprocessing.get_context("fork")
    limit = len(calls) if together else max(1, min(os.cpu_count() or 1, len(calls)))
    with tempfile.TemporaryDirectory() as folder:
        running, waiting = {}, list(enumerate(calls))
        while running or waiting:
            while waiting and len(running) < limit:
                k, (function, args) = waiting.pop(0)
                process = context.Process(target=_child, args=(function, args, os.path.join(folder, str(k))), daemon=True)
                process.start()
                running[k] = process
            done = [k for k, process in running.items() if not process.is_alive()]
            for k in done:
                running.pop(k).join()
                path = os.path.join(folder, str(k))
                results[k] = torch.load(path, weights_only=False) if os.path.exists(path) else CaptureError(f"the process of rank {k} died")
                if isinstance(results[k], CaptureError):
                    for process in running.values():
                        process.terminate()
                        process.join()
                    raise results[k]
            time.sleep(0.005)
    return results

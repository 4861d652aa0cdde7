#!/usr/bin/env python3
"""Runs every input of make.py: the exit code is one that is right, within the budget and a tenth and a second, and at no time more than 1 GB is
resident; nothing of an input begins a line, no control character reaches the output, and bad input leaves no file.

usage: hostile.py FOLDER ROOT [--slow FACTOR] [KIND or NAME...]      closing line: N passed, M failed
FOLDER holds gg-harness and gg-verify. FACTOR multiplies the budgets and their ends, for builds with sanitizers; memory is never multiplied.
"""
import collections
import concurrent.futures
import itertools
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.dom.minidom

import certificates
import make
import strange

MEMORY_MB = 900   # the bound that the program is given
MOST_SECONDS = 120
MANY = ("suite", "passes", "lemmas")
VERDICTS = ("proved", "refuted", "unknown", "broken", "accepted", "rejected:", "undecided:")
ENDS = {0: ("proved", "accepted"), 1: ("refuted", "rejected:"), 2: ("unknown", "undecided:", "accepted")}
peak = {}  # program -> what it held most, and on which input


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def write(folder, files):
    """`files`: what lies at which path, or a function that makes it (large texts are made when it is their turn)."""
    for path, data in (files() if callable(files) else files).items():
        path = os.path.join(os.fsencode(folder), as_bytes(path))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if data is make.FIFO:
            os.mkfifo(path)
        elif isinstance(data, make.Link):
            os.symlink(data.target, path)
        elif isinstance(data, make.Blanks):
            with open(path, "wb") as f:
                f.write(as_bytes(data.text))
                if data.text:
                    for at in range(len(data.text), data.size, 1 << 24):
                        f.write(b" " * min(1 << 24, data.size - at))
                f.truncate(data.size)
        else:
            with open(path, "wb") as f:
                f.writelines(data if isinstance(data, list) else [as_bytes(data)])


def tree(folder):
    return {os.path.join(base, name) for base, folders, names in os.walk(os.fsencode(folder)) for name in folders + names}


def problem_of_text(what, data):
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"{what} is no UTF-8: {error}"
    for c in text:
        if (ord(c) < 32 and c not in "\n\t") or 0x7f <= ord(c) < 0xa0 or c in "\u2028\u2029\u202a\u202b\u202c\u202d\u202e":
            return f"{what} has the control character {c!r}"
    return None


def problem_of_reports(folder):
    for name, read in (("out.json", json.load), ("out.sarif", json.load), ("out.xml", xml.dom.minidom.parse)):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            try:
                with open(path, encoding="utf-8") as f:
                    read(f)
            except Exception as error:
                return f"{name}: {error}"
    page = os.path.join(folder, "out.html")
    if os.path.exists(page) and b"<script>alert" in open(page, "rb").read():
        return "the page runs a script of the input"
    return None


Done = collections.namedtuple("Done", "code out err seconds resident_mb")


def end_of(command, folder, environment):
    """Runs a command to its end; the resident memory is the most that any of its processes held."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.time()
        process = subprocess.Popen(command, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
        alarm = threading.Timer(MOST_SECONDS, os.killpg, (process.pid, signal.SIGKILL))
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.time() - start
        out.seek(0)
        err.seek(0)
        return Done(process.returncode, out.read(), err.read(), seconds, usage.ru_maxrss >> 10)


def problem_of(one, programs, folder, slow, small):
    arguments = list(one.arguments)
    if one.budget is not None and "--budget-seconds" not in arguments:
        arguments += ["--budget-seconds", str(one.budget * slow), "--memory-mb", str(MEMORY_MB)]
    before = tree(folder)
    code, out, err, seconds, resident = small.apply(end_of, ([as_bytes(a) for a in [os.path.join(programs, one.program), *arguments]], folder, one.environment))
    peak[one.program] = max(peak.get(one.program, (0, "")), (resident, one.name))
    if code not in one.codes:
        return f"exit code {code}, not {one.codes}: {err[-300:]!r} {out[-300:]!r}"
    most = 1.1 * (one.budget or 5) * slow + 1
    if seconds > most:
        return f"it took {seconds:.1f} s, {most:.1f} are allowed"
    if resident > one.resident:
        return f"{resident} MB were resident, {one.resident} are allowed"
    if one.says and one.says not in (out + err).decode("utf-8", "replace"):
        return f"no '{one.says}' in {(out + err)[-300:]!r}"
    found = problem_of_text("stdout", out) or problem_of_text("stderr", err) or problem_of_reports(folder)
    if found:
        return found
    lines = out.decode().splitlines()
    if code == 3:
        more = tree(folder) - before
        if (out and one.arguments[0] not in MANY) or more:
            return f"bad input wrote {out[:100]!r} {more}"
        return None
    if code == 0 and one.arguments[0] == "lemmas":  # a table, and no verdict
        return None
    last = lines[-1].split(" ")[0] if lines else ""
    if last not in VERDICTS:
        return f"the last line is {lines[-1:]!r}"
    if one.arguments[0] not in MANY:
        # Nothing but the last line begins like a verdict.
        if any(line.split(" ")[0] in VERDICTS for line in lines[:-1]):
            return f"a line before the last begins like a verdict: {lines!r}"
    if code in ENDS and last not in ENDS[code] and "--require" not in one.arguments:
        return f"exit code {code} and '{last}'"
    return None


def run(group, programs, slow, small):
    """The problems of inputs with the same files, which are written once."""
    folder = tempfile.mkdtemp()
    try:
        write(folder, group[0].files)
        return [problem_of(one, programs, folder, slow, small) for one in group]
    finally:
        shutil.rmtree(os.fsencode(folder), ignore_errors=True)


def side_by_side(groups):
    """What groups of tests give that do not touch each other, two of them at a time. A group is a function that gives (name, problem or nothing)."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        for results in pool.map(lambda group: list(group()), groups):
            yield from results


def tally(results):
    """Prints a line for each (name, problem or nothing) that has a problem, and the closing line; the exit code."""
    passed = failed = 0
    for name, found in results:
        passed += 0 if found else 1
        failed += 1 if found else 0
        if found:
            print(f"FAIL {name}: {found}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def all_inputs(root):
    make.make(root)
    certificates.make_inputs()
    strange.make_inputs()
    return make.INPUTS


def main(programs, root, arguments):
    slow = 1.0
    if "--slow" in arguments:
        at = arguments.index("--slow")
        slow = float(arguments[at + 1])
        del arguments[at:at + 2]
    # A child's count of resident memory begins with that of the process that forked it: the programs are started by processes that hold nothing.
    workers = max(2, len(os.sched_getaffinity(0)))
    small = multiprocessing.get_context("fork").Pool(workers)
    inputs = [one for one in all_inputs(root) if not arguments or one.kind in arguments or one.name in arguments]
    groups = [list(group) for _, group in itertools.groupby(inputs, key=lambda one: id(one.files))]

    def results():
        start, kinds = time.time(), {}
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for group, problems in zip(groups, pool.map(lambda group: run(group, programs, slow, small), groups)):
                for one, found in zip(group, problems):
                    kinds[one.kind] = kinds.get(one.kind, 0) + 1
                    yield f"{one.kind}: {one.name!r}", found
        print(", ".join(f"{count} {kind}" for kind, count in kinds.items()), f"in {time.time() - start:.0f} s, resident at most:",
              ", ".join(f"{megabytes} MB ({program}, {name})" for program, (megabytes, name) in peak.items()))

    return tally(results())


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]))

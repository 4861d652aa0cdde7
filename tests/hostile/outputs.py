#!/usr/bin/env python3
"""What is written where: devices, pipes and links as report paths, full disks, closed streams, signals, and SIGKILL while writing. Every file
that exists afterwards is whole.

usage: outputs.py PROGRAM ROOT [KILLS]      closing line: N passed, M failed
"""
import ctypes
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.dom.minidom

import hostile
import make

REPORTS = {"json": ["--json", "out.json"], "junit": ["--junit", "out.xml"], "sarif": ["--sarif", "out.sarif"], "html": ["--html", "out.html"]}
ALL = sum(REPORTS.values(), [])
WITNESS = {"sequential.hlo", "distributed.hlo", "relation.json", "difference.json", "inputs.safetensors", "exact.safetensors", "replay.py", "xla"}
RIGHT = make.pair(make.identity(), folder="right")
WRONG = make.pair(make.identity(), make.identity().replace("negate", "cosine"), folder="wrong")
SORT = make.pair(make.program(["%x = f32[16777216] parameter(0)", "ROOT %y = f32[16777216] sort(%x), dimensions={0}, to_apply=%less"], "x: f32[16777216]", "f32[16777216]",
                              before="%less (a: f32[], b: f32[]) -> pred[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
                                     "  ROOT %l = pred[] compare(%a, %b), direction=LT\n}\n\n"), folder="long")
LONG = ["run", "long", "--run-shapes", "full"]


def run(program, folder, *arguments, **more):
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.run([program, *arguments], cwd=folder, text=True, timeout=60, **more)


def left(folder):
    return [name for base, folders, names in os.walk(folder) for name in folders + names if name.startswith(".gg-harness-")]


def streams(program, folder):
    """Report paths that are no regular files."""
    for option in ("--json", "--junit", "--sarif", "--html"):
        done = run(program, folder, "check", "right", option, "/dev/null")
        yield f"{option} /dev/null", None if done.returncode == 0 and not os.path.isfile("/dev/null") else f"{done.returncode} {done.stderr}"
        done = run(program, folder, "check", "right", "-q", option, "/dev/stdout")
        yield f"{option} /dev/stdout", None if done.returncode == 0 and len(done.stdout) > 300 else f"{done.returncode} {done.stdout} {done.stderr}"
        fifo = os.path.join(folder, "fifo")
        os.mkfifo(fifo)
        read = []
        thread = threading.Thread(target=lambda: read.append(open(fifo).read()))
        thread.start()
        done = run(program, folder, "check", "right", option, "fifo")
        thread.join(10)
        good = done.returncode == 0 and read and len(read[0]) > 200 and not os.path.isfile(fifo)
        yield f"{option} to a pipe", None if good else f"{done.returncode} {done.stderr} {read}"
        os.unlink(fifo)
        with open(os.path.join(folder, "precious"), "w") as f:
            f.write("precious")
        os.symlink("precious", os.path.join(folder, "link"))
        done = run(program, folder, "check", "right", option, "link")
        kept = open(os.path.join(folder, "precious")).read() == "precious" and os.path.islink(os.path.join(folder, "link"))
        yield f"{option} to a link", None if done.returncode == 3 and "GG-U003" in done.stderr and kept and not done.stdout else f"{done.returncode} {done.stdout} {done.stderr}"
        os.unlink(os.path.join(folder, "link"))
        for path in ("/dev/full", "missing/out", "right", "x" * 300, ""):
            done = run(program, folder, "check", "right", option, path)
            want = 3 if path else 0
            yield f"{option} {path[:20]!r}", None if done.returncode == want and (not path or ("GG-U003" in done.stderr and not done.stdout)) else f"{done.returncode} {done.stdout} {done.stderr}"


def closed_streams(program, folder):
    for name, more in (("closed", dict(stdout=None, preexec_fn=lambda: os.close(1))), ("full", dict(stdout=open("/dev/full", "w")))):
        done = run(program, folder, "check", "right", "--json", "out.json", **more)
        whole = json.load(open(os.path.join(folder, "out.json")))["schema"] == 1
        yield f"stdout is {name}", None if done.returncode == 3 and "verdict is lost" in done.stderr and whole else f"{done.returncode} {done.stderr}"
        os.unlink(os.path.join(folder, "out.json"))
    reader, writer = os.pipe()
    os.close(reader)
    done = run(program, folder, "check", "right", stdout=writer)
    yield "nobody reads stdout", None if done.returncode == 3 else f"{done.returncode} {done.stderr}"
    os.close(writer)
    done = run(program, folder, "check", "right", stderr=None, preexec_fn=lambda: (os.close(0), os.close(2)))
    yield "stdin and stderr are closed", None if done.returncode == 0 and done.stdout.startswith("proved") else f"{done.returncode} {done.stdout}"


def full_disk(program, folder):
    """A limit on the size of files stands for a full disk: the write fails in the middle."""
    for size in (0, 100, 3000):
        def limit(size=size):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        done = run(program, folder, "check", "right", "--html", "out.html", preexec_fn=limit)
        yield f"files of at most {size} bytes", None if done.returncode == 3 and "GG-U003" in done.stderr and not os.path.exists(os.path.join(folder, "out.html")) else f"{done.returncode} {done.stderr}"
        done = run(program, folder, "check", "wrong", "--witness", "w", preexec_fn=limit)
        yield f"a witness of files of at most {size} bytes", None if not os.path.exists(os.path.join(folder, "w")) and not left(folder) else f"{done.returncode} {done.stderr} {left(folder)}"


def witnesses(program, folder):
    path = os.path.join(folder, "w")
    done = run(program, folder, "check", "wrong", "--witness", "w")
    yield "a witness", None if done.returncode == 1 and set(os.listdir(path)) == WITNESS else f"{done.returncode} {done.stderr}"
    os.makedirs(os.path.join(path, "xla/old"))
    done = run(program, folder, "check", "wrong", "--witness", "w/")
    yield "over an older one", None if done.returncode == 1 and set(os.listdir(path)) == WITNESS and not os.path.exists(os.path.join(path, "xla/old")) else f"{os.listdir(path)}"
    open(os.path.join(path, "thesis.tex"), "w").close()
    done = run(program, folder, "check", "wrong", "--witness", "w")
    yield "over a folder of others", None if os.path.exists(os.path.join(path, "thesis.tex")) and "thesis.tex" in done.stdout + done.stderr else f"{done.returncode} {done.stdout}"
    shutil.rmtree(path)
    os.makedirs(os.path.join(folder, "elsewhere"))
    os.symlink("elsewhere", path)
    done = run(program, folder, "check", "wrong", "--witness", "w")
    yield "over a link", None if os.listdir(os.path.join(folder, "elsewhere")) == [] and "link" in done.stdout + done.stderr else f"{done.returncode} {done.stdout}"
    os.unlink(path)
    both = [subprocess.Popen([program, "check", "wrong", "--witness", "w"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(6)]
    codes = [p.wait(60) for p in both]
    yield "six processes with one folder", None if codes == [1] * 6 and set(os.listdir(path)) == WITNESS and not left(folder) else f"{codes} {os.listdir(path)} {left(folder)}"
    shutil.rmtree(path)


def created(folder):
    """A watch of the folder: a function that gives the names that were made in it since."""
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_NONBLOCK)
    libc.inotify_add_watch(watch, os.fsencode(folder), 0x100)  # IN_CREATE

    def names():
        data, found = os.read(watch, 1 << 20), []
        while data:
            length = int.from_bytes(data[12:16], sys.byteorder)
            found.append(data[16:16 + length].rstrip(b"\0").decode())
            data = data[16 + length:]
        os.close(watch)
        return found
    return names


def temporary_names(program, folder):
    """Nobody foresees the names that are written under: no link can lie there."""
    seen = []
    for _ in range(2):
        names = created(folder)
        done = run(program, folder, "check", "wrong", "--witness", "w", *ALL)
        seen.append({name for name in names() if name.startswith(".gg-harness-")})
    random_names = all(re.fullmatch(r"\.gg-harness-[0-9a-f]{24}", name) for names in seen for name in names)
    good = done.returncode == 1 and len(seen[0]) == len(seen[1]) == 5 and not seen[0] & seen[1] and random_names
    yield "temporary names", None if good else f"{done.returncode} {seen}"
    shutil.rmtree(os.path.join(folder, "w"))


def checker(program, folder):
    """gg-verify where nobody reads what it says."""
    verify = os.path.join(os.path.dirname(program), "gg-verify")
    run(program, folder, "prove", "right", "--certificate", "cert")
    for name, more in (("closed", dict(stdout=None, preexec_fn=lambda: os.close(1))), ("full", dict(stdout=open("/dev/full", "w")))):
        done = run(verify, folder, "cert", "right", **more)
        yield f"gg-verify: stdout is {name}", None if done.returncode == 3 and "verdict is lost" in done.stderr else f"{done.returncode} {done.stderr}"
    done = run(verify, folder, "cert", "right")
    yield "gg-verify: stdout is read", None if done.returncode == 0 and done.stdout.startswith("accepted") else f"{done.returncode} {done.stderr}"


def signals(program, folder):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        process = subprocess.Popen([program, *LONG, *ALL], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        time.sleep(0.7)
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
        good = process.returncode == -number and "there is no verdict" in err and not out and not left(folder) and not os.path.exists(os.path.join(folder, "out.json"))
        yield number.name, None if good else f"{process.returncode} {out} {err}"


def none_runs(program):
    return not any(os.path.realpath(f"/proc/{pid}/exe") == program for pid in os.listdir("/proc") if pid.isdigit() and os.path.exists(f"/proc/{pid}/exe"))


def whole(folder, path):
    if path.endswith((".json", ".sarif")):
        json.load(open(path))
    elif path.endswith(".xml"):
        xml.dom.minidom.parse(path)
    elif path.endswith(".html"):
        assert open(path).read().rstrip().endswith("</html>")
    elif path.endswith("w"):
        assert set(os.listdir(path)) == WITNESS, os.listdir(path)
        for base, _, names in os.walk(path):
            assert all(os.path.getsize(os.path.join(base, name)) for name in names)


def kills(program, folder, count):
    """SIGKILL of the process that works, or of the one that watches it, at a random moment."""
    random.seed(22)
    own = os.path.join(folder, "own-gg-harness")  # told from what else runs
    shutil.copy(program, own)
    start = time.time()
    run(own, folder, "check", "wrong", "--witness", "w", *ALL)
    span = time.time() - start
    for k in range(count):
        process = subprocess.Popen([own, "check", "wrong", "--witness", "w", *ALL], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.random() * 1.2 * span)
        victim = process.pid
        if k % 2:
            try:
                kids = open(f"/proc/{process.pid}/task/{process.pid}/children").read().split()
                victim = int(kids[0]) if kids else victim
            except OSError:
                pass
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait(30)
        problem = None
        for name in ("out.json", "out.xml", "out.sarif", "out.html", "w"):
            path = os.path.join(folder, name)
            try:
                if os.path.exists(path):
                    whole(folder, path)
            except Exception as error:
                problem = f"{name}: {error!r}"
        if k % 2 and left(folder) and victim != process.pid:
            problem = problem or f"left behind: {left(folder)}"
        for name in left(folder):
            path = os.path.join(folder, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.unlink(path)
        yield f"SIGKILL {k}", problem
    time.sleep(0.3)
    yield "no process is left", None if none_runs(own) else "one is"


def main(program, root, count):
    def results():
        for group in (streams, closed_streams, full_disk, witnesses, temporary_names, checker, signals, lambda p, f: kills(p, f, count)):
            with tempfile.TemporaryDirectory() as folder:
                hostile.write(folder, {**RIGHT, **WRONG, **SORT})
                yield from group(program, folder)

    return hostile.tally(results())


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 50))
